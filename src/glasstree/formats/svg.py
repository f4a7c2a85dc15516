"""The tree drawn as SVG by glasstree itself: no other program is needed."""

from collections.abc import Sequence
from xml.sax.saxutils import escape

from glasstree.formats.shared.drawing import (
    BAR,
    FONT,
    LETTER,
    LINE,
    MARGIN,
    PADDING,
    Box,
    Branch,
    Layout,
    laid_out,
)
from glasstree.formats.shared.names import visible
from glasstree.formats.shared.palette import colour, ink
from glasstree.formats.text import legend
from glasstree.policy import PolicyTree
from glasstree.policy.scaling import HIGHEST, LOWEST

THIN, THICK = 1.5, 16.0  # a branch without states, and what all of them add


def to_svg(tree: PolicyTree, note: str = "") -> str:
    """Draw a policy: rules, node numbers, visits, class distributions, a colour per action."""
    explained = legend(tree)
    notes = [f"each limited to [{LOWEST}, {HIGHEST}]:", *explained] if explained else []
    task = f" for {visible(tree.task)}" if tree.task else ""
    title = f"A policy of {tree.n_rules} rule{'' if tree.n_rules == 1 else 's'}{task}"
    return drawn(laid_out(tree), title, note, notes)


def drawn(layout: Layout, title: str, note: str = "", below: Sequence[str] = ()) -> str:
    """Write a layout as SVG, with lines of text below it; the page finds nodes by their class."""
    longest = max((len(line) for line in below), default=0) * LETTER + 2 * MARGIN
    width, height = max(layout.width, longest), layout.height
    if below:
        height += len(below) * LINE + MARGIN
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:.0f} {height:.0f}" '
        f'width="{width:.0f}" height="{height:.0f}" font-family="monospace" font-size="{FONT}" '
        'role="img">',
        f"<title>{escape(title)}</title>",
        *([f"<desc>{escape(note)}</desc>"] if note else []),
        *(line for branch in layout.branches for line in _branch(branch)),
        *(line for box in layout.boxes for line in _box(box)),
        *(
            _text(MARGIN, layout.height + LINE * (n + 1), line, "start")
            for n, line in enumerate(below)
        ),
        "</svg>",
    ]
    return "\n".join(lines) + "\n"


def _branch(branch: Branch) -> list[str]:
    (x, y), (end, below) = branch.start, branch.end
    bend = (y + below) / 2
    way = f"M{x:.1f} {y:.1f}C{x:.1f} {bend:.1f} {end:.1f} {bend:.1f} {end:.1f} {below:.1f}"
    anchor, aside = ("end", -12) if branch.word == "yes" else ("start", 12)
    side = f'class="side" data-to="{branch.to}"'
    return [
        f'<path class="branch" data-to="{branch.to}" d="{way}" fill="none" stroke="#bbb" '
        f'stroke-width="{THIN + THICK * branch.share:.1f}" stroke-linecap="round"/>',
        _text(end + aside, below - 8, branch.word, anchor, side),
    ]


def _box(box: Box) -> list[str]:
    left, bottom = box.x - box.width / 2, box.y + box.height
    kind, paint, style, dim = "split", 'fill="#fff"', "", 'class="dim" fill="#555"'
    if box.action is not None:
        tint = colour(box.action)
        kind, paint, dim = "leaf", f'style="fill:{tint}"', ""
        style = f'style="fill:{ink(tint)}"'
    bold = 'font-weight="bold"' if kind == "leaf" else ""
    middle = [box.y + PADDING + LINE * (n + 0.8) for n in range(len(box.lines) + 1)]
    return [
        f'<g class="node {kind}" data-node="{box.number}">',
        f'<rect class="box" x="{left:.1f}" y="{box.y:.1f}" width="{box.width:.1f}" '
        f'height="{box.height:.1f}" rx="7" {paint} stroke="#333"/>',
        *(
            _text(box.x, y, line, "middle", bold, style)
            for y, line in zip(middle, box.lines, strict=False)
        ),
        *([_text(box.x, middle[-1], box.foot, "middle", dim, style)] if box.foot else []),
        *(
            f'<rect x="{start:.1f}" y="{bottom - 2 * BAR:.1f}" width="{width:.1f}" '
            f'height="{BAR}" fill="{colour(action)}" stroke="#333" stroke-width="0.6"/>'
            for action, start, width in box.bars()
        ),
        "</g>",
    ]


def _text(x: float, y: float, text: str, anchor: str, *attributes: str) -> str:
    words = " ".join(["", *filter(None, attributes)])
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}"{words}>{escape(text)}</text>'
