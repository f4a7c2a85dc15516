"""Reward against size, one panel a task, with the fronts of glasstree and of all rivals."""

import io
from collections.abc import Sequence
from pathlib import Path

import matplotlib
import numpy as np

matplotlib.use("Agg")
from matplotlib import pyplot
from matplotlib.ticker import ScalarFormatter

from glasstree.policy.arrays import Floats
from glasstree.policy.document import write_atomically
from glasstree.report.figures import STYLE

from .front import Point, front, means

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
    "gplearn": ("X", "#888800"),
    "network": ("_", "#777777"),
    "oracle": ("_", "#777777"),
}
COLUMNS = 3
POOR, POOREST, ALIKE = 0.35, 0.1, 0.1


def draw(
    panels: dict[str, Sequence[Point]], titles: dict[str, str], worth: str, path: Path
) -> None:
    """Draw panels of policies and write an SVG file."""
    with matplotlib.rc_context({**STYLE, "svg.hashsalt": "glasstree"}):
        rows = -(-(len(panels) + 1) // COLUMNS)
        figure, axes = pyplot.subplots(rows, COLUMNS, figsize=(11, 3.2 * rows), squeeze=False)
        places = axes.ravel()
        for place, (name, points) in zip(places, panels.items(), strict=False):
            panel(place, points)
            place.set(title=name, xlabel="variable occurrences", ylabel=worth)
        for place in places[len(panels) :]:
            place.axis("off")
        legend(places[-1], titles)
        figure.tight_layout()
        buffer = io.BytesIO()
        figure.savefig(buffer, format="svg", metadata={"Date": None})
        pyplot.close(figure)
    write_atomically(path, buffer.getvalue())


def panel(axes, points: Sequence[Point]) -> None:
    """Draw single policies faintly, means over seeds on top, and the fronts of the means."""
    averages = means(points)
    seen = [point for point in averages if not point.ceiling]
    longest = max((point.occurrences for point in seen), default=1.0)
    for point in points:
        if not point.ceiling:
            mark, colour = MARKS[point.rival]
            axes.plot(point.occurrences, point.worth, mark, color=colour, alpha=0.2, ms=3)
    for ours, colour in ((False, "#999999"), (True, OURS)):
        line = front([point for point in seen if point.ours is ours])
        where = [*(point.occurrences for point in line), longest]
        heights = [point.worth for point in (*line, *line[-1:])]
        axes.step(where[: len(heights)], heights, where="post", color=colour, lw=1)
    for point in averages:
        mark, colour = MARKS[point.rival]
        if point.ceiling:
            style = "--" if point.rival == "network" else ":"
            axes.axhline(point.worth, color=colour, ls=style, lw=0.8)
        else:
            size = 11 if point.ours else 6
            hollow = "none" if point.data == "plain" else colour
            axes.plot(point.occurrences, point.worth, mark, color=colour, mfc=hollow, ms=size)
    if any(point.occurrences > 0 for point in seen):
        axes.set_xscale("log")
        axes.xaxis.set_major_formatter(ScalarFormatter())
    if averages:
        axes.set_ylim(*limits(np.array([point.worth for point in averages])))


def limits(worths: Floats) -> tuple[float, float]:
    """Return the edges of a panel: the better two thirds, or more where those are all alike."""
    high, poorest = worths.max(), np.quantile(worths, POOREST)
    low = np.quantile(worths, POOR)
    low = poorest if high - low < ALIKE * (high - poorest) else low
    margin = 0.08 * (high - low) or 1.0
    return float(low - margin), float(high + margin)


def legend(axes, titles: dict[str, str]) -> None:
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
    axes.legend(loc="center", fontsize=9)
