"""What must hold, computed from the stored results and said as it comes out."""

from typing import Any

import numpy as np

from .front import Point, best_rival, half_as_long, means, unbeaten

Figures = dict[str, Any]


def checks(cells: dict[str, list[Figures]], points: dict[str, list[Point]]) -> list[str]:
    """Return one line a check: whether it holds, and by which figures."""
    return [
        *(on_the_front(name, found) for name, found in points.items()),
        shorter(points.get("lunarlander", [])),
        steps(cells.get("cartpole", [])),
        reached(cells.get("lunarlander", []), ("oblique", 3), 230, "dense obliquetree of depth 3"),
        reached(cells.get("lunarlander", []), ("viper", 32), 90, "VIPER with 32 leaves"),
    ]


def on_the_front(name: str, points: list[Point]) -> str:
    """Tell whether no rival has at least the reward of one of ours with fewer occurrences."""
    claim = f"{name}: no rival has at least the reward of glasstree's with fewer occurrences"
    if not any(point.ours for point in points) or best_rival(points) is None:
        return f"{claim}: not measured"
    found = [max(unbeaten(kind), key=worth, default=None) for kind in (means(points), points)]
    average, single = (
        "none" if point is None else f"{point.worth:,.1f} with {point.occurrences:.1f}"
        for point in found
    )
    return (
        f"{claim}: {verdict(found[0] is not None)} for means over seeds ({average}), "
        f"{verdict(found[1] is not None)} for single policies ({single})"
    )


def shorter(points: list[Point]) -> str:
    """Tell whether ours is as good as the best rival with at most half its occurrences."""
    claim = "lunarlander: glasstree has the best rival's reward with at most half its occurrences"
    words = []
    for what, kind in (("means over seeds", means(points)), ("single policies", points)):
        rival, ours = best_rival(kind), half_as_long(kind)
        if rival is None or not any(point.ours for point in kind):
            return f"{claim}: not measured"
        least = max((point for point in kind if point.ours), key=worth)
        mine = ours or least
        words.append(
            f"{verdict(ours is not None)} for {what} ({mine.worth:.1f} with "
            f"{mine.occurrences:.1f} against {rival.worth:.1f} with {rival.occurrences:.1f}, "
            f"{rival.rival})"
        )
    return f"{claim}: {', '.join(words)}"


def steps(cells: list[Figures]) -> str:
    """Tell whether CART balances for all of 500 steps."""
    claim = "cartpole: CART balances for 500 of 500 steps"
    found = [cell["long_steps"] for cell in cells if cell["rival"] == "cart"]
    if not found:
        return f"{claim}: not measured"
    return f"{claim}: {verdict(max(found) == 500)} (at best {max(found):.1f})"


def reached(cells: list[Figures], who: tuple[str, int], least: float, name: str) -> str:
    """Tell whether a rival does as well with aggregation as it is known to."""
    claim = f"lunarlander: {name} reaches {least:.0f} with aggregation"
    found = [
        cell["reward"]
        for cell in cells
        if (cell["rival"], cell["size"], cell["data"]) == (*who, "aggregated")
    ]
    if not found:
        return f"{claim}: not measured"
    average = float(np.mean(found))
    return f"{claim}: {verdict(average >= least)} (mean {average:.1f}, best {max(found):.1f})"


def verdict(holds: bool) -> str:
    """Say whether a claim holds."""
    return "holds" if holds else "**does not hold**"


def worth(point: Point) -> float:
    """Order points by what they are worth."""
    return point.worth
