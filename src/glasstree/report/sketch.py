"""A tree drawn by Matplotlib, so that it can be a PNG too."""

from typing import Any

from matplotlib.figure import Figure
from matplotlib.patches import FancyBboxPatch, Rectangle

from glasstree.formats.shared.palette import colour, ink
from glasstree.formats.shared.traversal import Place, traverse
from glasstree.formats.svg import wrapped
from glasstree.formats.text import TextStyle
from glasstree.policy import Leaf, PolicyTree, Split
from glasstree.policy.notation import readable
from glasstree.report.charts import label

WIDE, TALL = 2.7, 1.35
MOST_LETTERS = 34
Drawn = tuple[float, int]


def size_of(tree: PolicyTree) -> tuple[float, float]:
    """Return the inches that a tree needs."""
    return max(4.0, WIDE * len(tree.leaves()) * 0.75), TALL * (tree.depth + 1) + 0.2


def tree(figure: Figure, policy: PolicyTree) -> None:
    """Draw a tree: rules, actions, and the states of each action that came to a node."""
    axes = figure.add_subplot()
    axes.set_axis_off()
    style = TextStyle(policy.state_names)
    places: list[float] = []

    def leaf(node: Leaf, place: Place) -> Drawn:
        places.append(float(len(places)))
        at = places[-1]
        lines = [label(policy.action_names[node.action])]
        _box(axes, at, place, lines, node, colour(node.action))
        return at, place.depth

    def split(node: Split, place: Place, left: Drawn, right: Drawn) -> Drawn:
        at = (left[0] + right[0]) / 2
        total = sum(policy.root.counts) or 1.0
        for (end, depth), child, word in ((left, node.left, "yes"), (right, node.right, "no")):
            share = sum(child.counts) / total
            axes.plot(
                [at, end], [-place.depth, -depth], color="#aaaaaa", lw=1 + 9 * share, zorder=0
            )
            axes.text((at + end) / 2, -(place.depth + depth) / 2, word, ha="center", fontsize=7)
        rule = wrapped(readable(node.rule, policy.scaling, "normalised", style))
        lines = [label(line[:MOST_LETTERS]) for line in rule]
        _box(axes, at, place, lines, node, "#ffffff")
        return at, place.depth

    traverse(policy, leaf, split)
    axes.set_xlim(-0.75, max(len(places) - 0.25, 0.75))
    axes.set_ylim(-policy.depth - 0.5, 0.5)


def _box(
    axes: Any, x: float, place: Place, lines: list[str], node: Leaf | Split, fill: str
) -> None:
    counts = ", ".join(f"{count:,.0f}" for count in node.counts)
    text = "\n".join([*lines, *([f"[{counts}]"] if counts else [])])
    half, high = (0.62, 0.34) if isinstance(node, Split) else (0.36, 0.24)
    y = -float(place.depth)
    patch = FancyBboxPatch(
        (x - half, y - high),
        *(2 * half, 2 * high),
        boxstyle="round,pad=0,rounding_size=0.06",
        facecolor=fill,
        edgecolor="#555555",
    )
    axes.add_patch(patch)
    axes.text(x, y + 0.03, text, ha="center", va="center", fontsize=6.5, color=ink(fill))
    total, at = sum(node.counts), x - half + 0.05
    for action, count in enumerate(node.counts):
        if total and count:
            width = (2 * half - 0.1) * count / total
            bar = Rectangle((at, y - high + 0.03), width, 0.06, facecolor=colour(action))
            bar.set_edgecolor("#555555")
            bar.set_linewidth(0.4)
            axes.add_patch(bar)
            at += width
