"""How contenders, sizes and figures are called on the page."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from ..front import Gap, Point
from ..rivals import RIVALS

Figures = dict[str, Any]
OLDER = "†"  # beside what earlier code measured
TITLES = {
    "glasstree": "glasstree",
    "imitation": "glasstree, before its closed loop",
    **{name: rival.title for name, rival in RIVALS.items()},
    "oracle": "the oracle",
    "random": "random actions",
    "trace": "glasstree, over time",
}
UNITS = {
    **dict.fromkeys(TITLES, ""),
    "glasstree": "depth",
    **{name: rival.unit for name, rival in RIVALS.items()},
}
DEPTHS = (1, 2, 3)  # of glasstree's trees on tables
CHOSEN = {0: "size by left-out samples", 9: "best of its front"}
SILENT = ("front", "folds", "own", "none", "reward")  # kinds of data that need no word


def title(point: Point) -> str:
    """Name a point: contender, size, data; a dagger where earlier code measured it."""
    size = "" if point.data == "front" else sized(point.rival, point.size)
    data = "" if point.data in SILENT or point.ours else f"{point.data} data"
    inside = ", ".join(word for word in (size, data) if word)
    name = TITLES[point.rival] + (f" ({inside})" if inside else "")
    return name + (f" {OLDER}" if point.older else "")


def sized(rival: str, size: int) -> str:
    """Say a size in the contender's terms."""
    unit = UNITS[rival]
    if rival == "glasstree" and size in CHOSEN:
        return CHOSEN[size]
    if rival == "glasstree" and size not in DEPTHS:
        return f"best of its front within {size} symbols"
    return f"{unit}{size}" if unit.endswith("-") else f"{unit} {size}" if unit and size else ""


def number(value: float) -> str:
    """Write a reward."""
    return f"{value:,.2f}" if abs(value) < 1000 else f"{value:,.1f}"


def percent(value: float) -> str:
    """Write an accuracy."""
    return f"{100 * value:.2f} %"


def symbols(value: float) -> str:
    """Write a mean number of symbols or occurrences."""
    return f"{value:,.1f}" if np.isfinite(value) else "-"


def interval(gap: Gap, worth: str) -> str:
    """Write a difference with its interval."""
    if worth == "accuracy":
        return f"{100 * gap.value:+.2f} ± {100 * gap.half:.2f}"
    return f"{gap.value:+,.2f} ± {gap.half:,.2f}"


def count(value: float) -> str:
    """Write steps: thousands and millions by their names."""
    for size, name in ((1e9, "G"), (1e6, "M"), (1e3, "k")):
        if value >= size:
            return f"{value / size:.3g} {name}"
    return f"{value:.0f}"


def table(head: Sequence[str], lines: Sequence[Sequence[str]]) -> str:
    """Return a Markdown table."""
    return "\n".join("| " + " | ".join(row) + " |" for row in (head, ["---"] * len(head), *lines))


def mean(cells: Sequence[Figures], name: str) -> float:
    """Return the mean of a figure over the cells that have it."""
    known = [cell[name] for cell in cells if cell.get(name) is not None]
    return float(np.mean(known)) if known else np.nan
