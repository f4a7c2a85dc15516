"""Where every part of a drawn tree stands; whoever draws it, draws this."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from glasstree.formats.shared.names import visible
from glasstree.formats.shared.traversal import Place, traverse
from glasstree.formats.shared.wording import worded
from glasstree.formats.text import TextStyle
from glasstree.policy import Leaf, PolicyTree, Split
from glasstree.policy.formula import Units

# all in pixels, for a monospaced font of FONT
FONT, LETTER, LINE = 12, 7.3, 16
PADDING, GAP, RISE, MARGIN = 9, 16, 54, 12
BAR = 6  # height of the counts
NARROWEST = 50
WIDEST, MOST = 40, 64  # letters of a line before it breaks, and at most
UNKNOWN_SHARE = 0.1  # of the states, in branches whose states were not counted
RAISED = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")


@dataclass(frozen=True)
class Box:
    """A node with its text; x is the middle, y the top; action is None in a split."""

    number: int
    x: float
    y: float
    width: float
    height: float
    lines: list[str]
    foot: str
    counts: tuple[float, ...]
    action: int | None

    def bars(self) -> list[tuple[int, float, float]]:
        """Return the action, left end and width of the bar of each action that was counted."""
        total, left, found = sum(self.counts), self.x - self.width / 2 + PADDING, []
        for action, count in enumerate(self.counts):
            if count > 0:
                width = (self.width - 2 * PADDING) * count / total
                found.append((action, left, width))
                left += width
        return found


@dataclass(frozen=True)
class Branch:
    """The line to a box, the word at it, and the share of all states that go there."""

    to: int
    start: tuple[float, float]
    end: tuple[float, float]
    word: str
    share: float


@dataclass(frozen=True)
class Layout:
    """All boxes in preorder, and the branches between them."""

    width: float
    height: float
    boxes: list[Box]
    branches: list[Branch]


@dataclass(frozen=True)
class Part:
    """A subtree that has no place yet."""

    place: Place
    lines: list[str]
    foot: str
    node: Leaf | Split
    children: tuple["Part", ...] = ()

    @cached_property
    def width(self) -> float:
        """Width of its own box."""
        return max(max(map(len, [*self.lines, self.foot])) * LETTER + 2 * PADDING, NARROWEST)

    @cached_property
    def height(self) -> float:
        """Height of its own box, a bar of counts included."""
        return (len(self.lines) + bool(self.foot)) * LINE + 2 * PADDING + BAR

    @cached_property
    def below(self) -> float:
        """Width of its children side by side."""
        return sum(child.span for child in self.children) + GAP * (len(self.children) - 1)

    @cached_property
    def span(self) -> float:
        """Width of all of it."""
        return max(self.width, self.below)

    @cached_property
    def heights(self) -> list[float]:
        """Height of the tallest box of each level."""
        deeper = [child.heights for child in self.children]
        levels = max(map(len, deeper), default=0)
        return [self.height, *(max(h[n] for h in deeper if n < len(h)) for n in range(levels))]


def laid_out(
    tree: PolicyTree,
    names: Sequence[str] | None = None,
    units: Units = "normalised",
    compact: bool = False,
) -> Layout:
    """Place every node of a tree; a compact drawing names rules by their numbers alone."""
    root = _parts(tree, TextStyle(tuple(names or tree.state_names)), units, compact)
    tops = [float(MARGIN)]
    for height in root.heights:
        tops.append(tops[-1] + height + RISE)
    total = sum(tree.root.counts)
    boxes: list[Box] = []
    branches: list[Branch] = []

    def put(part: Part, left: float) -> None:
        x, y, node = left + part.span / 2, tops[part.place.depth], part.node
        action = node.action if isinstance(node, Leaf) else None
        words = (part.lines, part.foot, node.counts, action)
        boxes.append(Box(part.place.number, x, y, part.width, part.height, *words))
        edge = left + (part.span - part.below) / 2
        for child, word in zip(part.children, ("yes", "no"), strict=False):
            share = sum(child.node.counts) / total if total else UNKNOWN_SHARE
            ends = ((x, y + part.height), (edge + child.span / 2, tops[child.place.depth]))
            branches.append(Branch(child.place.number, *ends, word, share))
            put(child, edge)
            edge += child.span + GAP

    put(root, MARGIN)
    return Layout(root.span + 2 * MARGIN, tops[-1] - RISE + MARGIN, boxes, branches)


def _parts(tree: PolicyTree, style: TextStyle, units: Units, compact: bool) -> Part:
    def foot(node: Leaf | Split, place: Place) -> str:
        visits = f", {sum(node.counts):,.10g} visits" if node.counts else ""
        return "" if compact else f"node {place.number}{visits}"

    def leaf(node: Leaf, place: Place) -> Part:
        return Part(place, [_cut(visible(tree.action_names[node.action]))], foot(node, place), node)

    def split(node: Split, place: Place, left: Part, right: Part) -> Part:
        rule = [f"rule {place.number}"]
        if not compact:
            rule = lines_of(worded(tree, node.rule, units, style))
        return Part(place, list(map(_cut, rule)), foot(node, place), node, (left, right))

    return traverse(tree, leaf, split)


def _cut(text: str) -> str:
    return text if len(text) <= MOST else f"{text[: MOST - 1]}…"


def lines_of(rule: str) -> list[str]:
    """Break a rule between terms, and long fractions before their line, with signs of print.

    >>> lines_of("0.5 (x + 1)^2 <= 1")
    ['0.5 (x + 1)² ≤ 1']
    """
    lines = [""]
    for piece in _pieces(rule):
        joined = f"{lines[-1]} {piece}".strip()
        if lines[-1] and len(joined) > WIDEST:
            lines.append(piece)
        else:
            lines[-1] = joined
    printed = [line.replace("<=", "≤").replace(">=", "≥") for line in lines]
    return [re.sub(r"\^(\d+)", lambda found: found[1].translate(RAISED), x) for x in printed]


def _pieces(rule: str) -> list[str]:
    """Cut a rule where it may break: before signs, and before fraction bars of long terms."""
    pieces, depth = [""], 0
    for word in re.split(r" (?=[+-] |[<>]= )|(?<=[^ ])(?=/\()", rule):
        slash = word.startswith("/")
        if depth > 0 or (slash and len(pieces[-1]) + len(word) <= WIDEST):
            pieces[-1] += word if slash else f" {word}"
        else:
            pieces.append(word)
        depth += word.count("(") - word.count(")")
    return [piece.strip() for piece in pieces if piece]
