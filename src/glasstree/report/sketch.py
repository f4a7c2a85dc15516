"""A drawn tree painted by Matplotlib, so that it can be a PNG too."""

from typing import Any

from matplotlib.figure import Figure
from matplotlib.patches import FancyBboxPatch, Rectangle

from glasstree.formats.shared.drawing import BAR, LINE, PADDING, Box, laid_out
from glasstree.formats.shared.palette import colour, ink
from glasstree.policy import PolicyTree
from glasstree.report.charts import label

PIXELS = 100  # of a drawing, in an inch
LETTERS = 72 * 12 / PIXELS  # points of a letter of 12 pixels


def size_of(tree: PolicyTree) -> tuple[float, float]:
    """Return the inches that a tree needs."""
    layout = laid_out(tree)
    return layout.width / PIXELS, layout.height / PIXELS


def tree(figure: Figure, policy: PolicyTree) -> None:
    """Draw a tree: rules, actions, and the states of each action that came to a node."""
    layout = laid_out(policy)
    figure.set_layout_engine("none")
    axes = figure.add_axes((0.0, 0.0, 1.0, 1.0))
    axes.set_axis_off()
    axes.set(xlim=(0, layout.width), ylim=(layout.height, 0))
    text: dict[str, Any] = {"family": "monospace", "fontsize": LETTERS, "va": "center"}
    for branch in layout.branches:
        ends = zip(branch.start, branch.end, strict=True)
        axes.plot(*ends, color="#bbbbbb", lw=1 + 9 * branch.share, zorder=0)
        x, y = branch.end
        aside, side = (-12, "right") if branch.word == "yes" else (12, "left")
        axes.text(x + aside, y - 12, branch.word, ha=side, **text)
    for box in layout.boxes:
        fill = "#ffffff" if box.action is None else colour(box.action)
        for patch in _patches(box, fill):
            axes.add_patch(patch)
        for number, line in enumerate([*box.lines, box.foot]):
            y = box.y + PADDING + LINE * (number + 0.5)
            axes.text(box.x, y, label(line), ha="center", color=ink(fill), **text)


def _patches(box: Box, fill: str) -> list[FancyBboxPatch | Rectangle]:
    edge: dict[str, Any] = {"edgecolor": "#555555", "linewidth": 0.8}
    corner, bottom = (box.x - box.width / 2, box.y), box.y + box.height - 2 * BAR
    style = "round,pad=0,rounding_size=7"
    return [
        FancyBboxPatch(
            corner, box.width, box.height, boxstyle=style, mutation_aspect=1, facecolor=fill, **edge
        ),
        *(
            Rectangle((left, bottom), width, BAR, facecolor=colour(action), **edge)
            for action, left, width in box.bars()
        ),
    ]
