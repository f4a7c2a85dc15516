"""The tree drawn as SVG by glasstree itself: no other program is needed."""

import re
from dataclasses import dataclass
from functools import cached_property
from xml.sax.saxutils import escape

from glasstree.formats.dot import distribution
from glasstree.formats.shared.names import visible
from glasstree.formats.shared.palette import colour
from glasstree.formats.shared.traversal import Place, traverse
from glasstree.formats.shared.wording import worded
from glasstree.formats.text import TextStyle, legend
from glasstree.policy import Leaf, PolicyTree, Split
from glasstree.policy.scaling import HIGHEST, LOWEST

LETTER, LINE = 6.7, 15
PADDING, GAP, RISE, MARGIN = 8, 14, 44, 16
WIDEST = 38


@dataclass(frozen=True)
class Box:
    """A node with its text, and the drawings of its children."""

    place: Place
    lines: list[str]
    counts: tuple[float, ...]
    action: int | None
    children: tuple["Box", ...] = ()

    @property
    def width(self) -> float:
        """Width of the box itself."""
        return max(max(map(len, self.lines)) * LETTER + 2 * PADDING, 70.0)

    @property
    def height(self) -> float:
        """Height of the box, a bar of counts included."""
        return len(self.lines) * LINE + 2 * PADDING + (8 if sum(self.counts) > 0 else 0)

    @cached_property
    def span(self) -> float:
        """Width of the whole subtree."""
        below = sum(child.span for child in self.children) + GAP * (len(self.children) - 1)
        return max(self.width, below)


def to_svg(tree: PolicyTree, note: str = "") -> str:
    """Draw a policy: node numbers, rules, class distributions, visits, a colour an action."""
    root = _boxes(tree)
    tops = _tops(root)
    explained = legend(tree)
    bottom = max(tops[depth] + height for depth, height in _heights(root).items())
    notes = [f"each limited to [{LOWEST}, {HIGHEST}]:", *explained] if explained else []
    width = max(root.span, max((len(line) for line in notes), default=0) * LETTER) + 2 * MARGIN
    height = bottom + MARGIN + (len(notes) * LINE + MARGIN if notes else 0)
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:.0f} {height:.0f}" '
        f'width="{width:.0f}" height="{height:.0f}" font-family="monospace" font-size="11" '
        'role="img">',
        f"<title>{escape(_title(tree))}</title>",
        *([f"<desc>{escape(note)}</desc>"] if note else []),
        *_draw(root, (width - root.span) / 2, tops),
        *(
            _text(MARGIN, bottom + MARGIN + LINE * (n + 1), line, "start")
            for n, line in enumerate(notes)
        ),
        "</svg>",
    ]
    return "\n".join(lines) + "\n"


def _boxes(tree: PolicyTree) -> Box:
    style = TextStyle(tree.state_names)

    def leaf(node: Leaf, place: Place) -> Box:
        name = _shortened(visible(tree.action_names[node.action]))
        return Box(place, [f"node {place.number}", name, *_counted(node)], node.counts, node.action)

    def split(node: Split, place: Place, left: Box, right: Box) -> Box:
        rule = worded(tree, node.rule, "normalised", style)
        lines = [f"node {place.number}", *wrapped(rule), *_counted(node)]
        return Box(place, lines, node.counts, None, (left, right))

    return traverse(tree, leaf, split)


def wrapped(rule: str) -> list[str]:
    """Break a rule before its signs into lines of a fair width.

    >>> wrapped("0.5 x' + 0.25 y' <= 1")
    ["0.5 x' + 0.25 y' <= 1"]
    """
    lines = [""]
    for piece in re.split(r" (?=[+-] |[<>]= )", rule):
        joined = f"{lines[-1]} {piece}".strip()
        if lines[-1] and len(joined) > WIDEST:
            lines.append(piece)
        else:
            lines[-1] = joined
    return [_shortened(line) for line in lines]


def _shortened(text: str) -> str:
    return text if len(text) <= 2 * WIDEST else f"{text[: 2 * WIDEST - 1]}…"


def _counted(node: Leaf | Split) -> list[str]:
    visits = sum(node.counts)
    return [distribution(node.counts), f"{visits:,.10g} visits"] if node.counts else []


def _title(tree: PolicyTree) -> str:
    task = f" for {visible(tree.task)}" if tree.task else ""
    return f"A policy of {tree.n_rules} rule{'' if tree.n_rules == 1 else 's'}{task}"


def _heights(box: Box) -> dict[int, float]:
    """Return the height of the tallest box at each depth."""
    tallest = {box.place.depth: box.height}
    for child in box.children:
        for depth, height in _heights(child).items():
            tallest[depth] = max(height, tallest.get(depth, 0.0))
    return tallest


def _tops(root: Box) -> list[float]:
    heights = _heights(root)
    tops = [float(MARGIN)]
    for depth in range(len(heights)):
        tops.append(tops[-1] + heights[depth] + RISE)
    return tops


def _draw(box: Box, left: float, tops: list[float]) -> list[str]:
    """Draw a subtree whose left edge is given."""
    centre, top = left + box.span / 2, tops[box.place.depth]
    drawn: list[str] = []
    inner = sum(child.span for child in box.children) + GAP * (len(box.children) - 1)
    edge = left + (box.span - inner) / 2
    for child, word in zip(box.children, ("yes", "no"), strict=False):
        middle, below = edge + child.span / 2, tops[child.place.depth]
        start = top + box.height
        line = f"M{centre:.1f} {start:.1f}L{middle:.1f} {below:.1f}"
        drawn.append(f'<path d="{line}" stroke="#666" fill="none"/>')
        side, aside = ("end", -7) if word == "yes" else ("start", 7)
        drawn.append(_text((centre + middle) / 2 + aside, (start + below) / 2, word, side))
        drawn += _draw(child, edge, tops)
        edge += child.span + GAP
    return drawn + _drawn_box(box, centre, top)


def _drawn_box(box: Box, centre: float, top: float) -> list[str]:
    x = centre - box.width / 2
    fill = "#fff" if box.action is None else colour(box.action)
    drawn = [
        f'<g id="node-{box.place.number}">',
        f'<rect x="{x:.1f}" y="{top:.1f}" width="{box.width:.1f}" height="{box.height:.1f}" '
        f'rx="6" fill="{fill}" stroke="#333"/>',
    ]
    for number, line in enumerate(box.lines):
        weight = "bold" if box.action is not None and number == 1 else ""
        drawn.append(_text(centre, top + PADDING + LINE * (number + 0.8), line, "middle", weight))
    total, start = sum(box.counts), x + PADDING
    for action, count in enumerate(box.counts):
        if count > 0:
            width = (box.width - 2 * PADDING) * count / total
            drawn.append(
                f'<rect x="{start:.1f}" y="{top + box.height - 12:.1f}" width="{width:.1f}" '
                f'height="6" fill="{colour(action)}" stroke="#333" stroke-width="0.5"/>'
            )
            start += width
    return [*drawn, "</g>"]


def _text(x: float, y: float, text: str, anchor: str, weight: str = "") -> str:
    bold = f' font-weight="{weight}"' if weight else ""
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}"{bold}>{escape(text)}</text>'
