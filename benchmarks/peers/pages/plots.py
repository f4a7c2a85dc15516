"""Reward against size, one panel a task, with the fronts of glasstree and of all rivals."""

import io
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import matplotlib
import numpy as np

matplotlib.use("Agg")
from matplotlib import pyplot
from matplotlib.ticker import StrMethodFormatter

from glasstree.policy.arrays import Floats
from glasstree.policy.document import write_atomically
from glasstree.report.figures import STYLE

from ..front import AXES, Axis, Point, front, means
from .costs import traces

OURS = "#d55e00"
MARKS = {
    "glasstree": ("*", OURS),
    "imitation": ("P", "#e69f00"),
    "cart": ("s", "#0072b2"),
    "viper": ("D", "#56b4e9"),
    "oblique": ("o", "#009e73"),
    "oblique3": ("v", "#66c2a5"),
    "streed": ("^", "#332288"),
    "figs": ("p", "#cc79a7"),
    "soft": ("<", "#117733"),
    "crisp": (">", "#44aa99"),
    "gplearn": ("X", "#888800"),
    "gpvalues": ("x", "#888800"),
    "dtpo": ("h", "#aa4499"),
    "evolved": ("8", "#882255"),
    "qevolved": ("+", "#882255"),
    "ars": ("d", "#4477aa"),
    "written": ("H", "#000000"),
    "network": ("_", "#777777"),
    "oracle": ("_", "#777777"),
}
COLUMNS = 3
WORDS = {"seconds": "seconds of the processor", "steps": "steps of the environment"}
WRITTEN = "written"  # costs nothing to fit, so that it is a line
FEW, POOR, POOREST, ALIKE = 4, 0.35, 0.1, 0.1


def draw(
    panels: dict[str, Sequence[Point]],
    titles: dict[str, str],
    worth: str,
    path: Path,
    axis: Axis = "complexity",
) -> None:
    """Draw panels of policies over a kind of size and write an SVG file."""

    def fill(place: Any, name: str) -> None:
        panel(place, panels[name], axis)
        place.set(title=name, xlabel=AXES[axis], ylabel=worth)

    written(list(panels), fill, titles, path)


def draw_costs(
    control: dict[str, list[dict[str, Any]]], titles: dict[str, str], cost: str, path: Path
) -> None:
    """Draw reward over seconds, or steps, of all fits, glasstree as a curve, as an SVG file."""

    def fill(place: Any, name: str) -> None:
        cost_panel(place, control[name], cost)
        place.set(title=name, xlabel=WORDS[cost], ylabel="mean reward")

    written(list(control), fill, titles, path)


def written(
    names: Sequence[str], fill: Callable[[Any, str], None], titles: dict[str, str], path: Path
) -> None:
    """Draw one panel a name and the legend, and write an SVG file."""
    with matplotlib.rc_context({**STYLE, "svg.hashsalt": "glasstree"}):
        rows = -(-(len(names) + 1) // COLUMNS)
        figure, axes = pyplot.subplots(rows, COLUMNS, figsize=(11, 3.2 * rows), squeeze=False)
        places = axes.ravel()
        for place, name in zip(places, names, strict=False):
            fill(place, name)
        for place in places[len(names) :]:
            place.axis("off")
        legend(places[-1], titles)
        figure.tight_layout()
        buffer = io.BytesIO()
        figure.savefig(buffer, format="svg", metadata={"Date": None})
        pyplot.close(figure)
    write_atomically(path, buffer.getvalue())


def panel(axes: Any, points: Sequence[Point], axis: Axis) -> None:
    """Draw single policies faintly, means over seeds on top, and the fronts of the means."""
    averages = [point for point in means(points) if np.isfinite(point.on(axis))]
    seen = [point for point in averages if not point.ceiling]
    longest = max((point.on(axis) for point in seen), default=1.0)
    for point in points:
        if not point.ceiling and np.isfinite(point.on(axis)):
            mark, colour = MARKS[point.rival]
            axes.plot(point.on(axis), point.worth, mark, color=colour, alpha=0.2, ms=3)
    for ours, colour in ((False, "#999999"), (True, OURS)):
        line = front([point for point in seen if point.ours is ours], axis)
        where = [*(point.on(axis) for point in line), longest]
        heights = [point.worth for point in (*line, *line[-1:])]
        axes.step(where[: len(heights)], heights, where="post", color=colour, lw=1)
    for point in averages:
        mark, colour = MARKS[point.rival]
        if point.ceiling:
            style = "--" if point.rival == "network" else ":"
            axes.axhline(point.worth, color=colour, ls=style, lw=0.8)
        else:
            size = 9 if point.ours else 6
            hollow = "none" if point.data == "plain" else colour
            axes.plot(point.on(axis), point.worth, mark, color=colour, mfc=hollow, ms=size)
    if any(point.on(axis) > 0 for point in seen):
        logarithmic(axes)
    if averages:
        axes.set_ylim(*limits(np.array([point.worth for point in averages])))


def cost_panel(axes: Any, cells: Sequence[dict[str, Any]], cost: str) -> None:
    """Draw each contender's fits, and what glasstree's run has on its way; people's as a line.

    Where no run was traced, glasstree's is drawn as it ends.
    """
    groups: dict[Any, list[tuple[float, float]]] = {}
    traced = traces(cells)
    for cell in cells:
        if cell["rival"] == WRITTEN:
            axes.axhline(cell["reward"], color=MARKS[WRITTEN][1], ls="-.", lw=0.6)
        elif cell.get(cost) and "reward" in cell and cell["rival"] in MARKS:
            key = cell["rival"], cell["size"], cell["data"]
            groups.setdefault(key, []).append((cell[cost], cell["reward"]))
        elif "front" in cell and not traced:
            key = cell["rival"], cell["size"], cell["data"]
            groups.setdefault(key, []).append((cell[cost], cell["front"][-1]["reward"]))
    found = {key: np.mean(group, axis=0) for key, group in groups.items()}
    for (rival, _, data), (place, height) in found.items():
        mark, colour = MARKS[rival]
        axes.plot(place, height, mark, color=colour, mfc="none" if data == "plain" else colour)
    heights = [height for _, height in found.values()]
    heights += {cell["seed"]: cell["reward"] for cell in cells if cell["rival"] == WRITTEN}.values()
    for moments in traced:
        where = [one[cost] for one in moments]
        axes.plot(where, [one["reward"] for one in moments], "*-", color=OURS, ms=9)
        heights += [one["reward"] for one in moments]
    if heights:
        logarithmic(axes)
        axes.set_ylim(*limits(np.array(heights)))


def logarithmic(axes: Any) -> None:
    """Let the lower axis grow by factors, with numbers between those of ten if it is short."""
    axes.set_xscale("log")
    axes.xaxis.set_major_formatter(StrMethodFormatter("{x:g}"))
    low, high = axes.get_xlim()
    if high < 10 * low:
        axes.xaxis.set_minor_formatter(StrMethodFormatter("{x:g}"))


def limits(worths: Floats) -> tuple[float, float]:
    """Return the edges of a panel: the better two thirds, or more if those are alike or few."""
    high, low = worths.max(), worths.min()
    if len(worths) > FEW:
        low, poorest = np.quantile(worths, POOR), np.quantile(worths, POOREST)
        low = poorest if high - low < ALIKE * (high - poorest) else low
    margin = 0.08 * (high - low) or 1.0
    return float(low - margin), float(high + margin)


def legend(axes: Any, titles: dict[str, str]) -> None:
    """Say in an empty panel which mark is whose."""
    for name, (mark, colour) in MARKS.items():
        if name == "oracle":
            axes.plot([], [], ":", color=colour, label="the oracle")
        elif name == "network":
            axes.plot([], [], "--", color=colour, label=f"{titles[name]}, plain and aggregated")
        else:
            axes.plot([], [], mark, color=colour, label=titles[name])
    axes.plot([], [], "o", color="black", mfc="none", label="hollow: plain data")
    axes.axis("off")
    axes.legend(loc="center", fontsize=7)
