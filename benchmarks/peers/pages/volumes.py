"""How much of the plane of reward and size a front covers, task by task and seed by seed."""

from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np

from ..front import AXES, FLOOR, Axis, Point, rivals_of

MOST: dict[Axis, int] = {"complexity": 200, "occurrences": 50}
Shares = dict[str, list[float]]


def hypervolume(points: Iterable[tuple[float, float]], low: float, high: float, most: int) -> float:
    """Return the share of the box that a front covers: size to `most`, reward from low to high.

    >>> hypervolume([(5, 1.0), (100, 2.0)], 0.0, 2.0, 200)
    0.7375
    """
    area, best, last = 0.0, low, 0.0
    for size, reward in sorted(points):
        if size > most:
            break
        area += (size - last) * (best - low)
        last, best = size, max(best, reward)
    area += (most - last) * (best - low)
    return area / (most * (high - low))


def volumes(points: Iterable[Point], floors: Mapping[int, float], axis: Axis) -> Shares:
    """Return the shares of glasstree, of each rival, and of all rivals together, seed by seed.

    floors: what random actions earn with each seed. A seed counts where all is measured.
    """
    found: Shares = {}
    known = [point for point in points if np.isfinite(point.on(axis)) and not point.ceiling]
    for seed, low in sorted(floors.items()):
        some = [point for point in known if point.seed == seed]
        ours = [point for point in some if point.rival == "glasstree"]
        rivals = rivals_of(some)
        high = max((point.worth for point in some), default=low)
        if not ours or not rivals or high <= low:
            continue
        groups: dict[str, list[Point]] = {"glasstree": ours, "together": rivals}
        for point in rivals:
            groups.setdefault(point.rival, []).append(point)
        for name, group in groups.items():
            pairs = ((point.on(axis), point.worth) for point in group)
            found.setdefault(name, []).append(hypervolume(pairs, low, high, MOST[axis]))
    return found


def floors_of(cells: Iterable[dict[str, Any]]) -> dict[int, float]:
    """Return the reward of random actions by seed."""
    return {c["seed"]: c["reward"] for c in cells if c["rival"] == FLOOR and "failed" not in c}


def rows(
    points: Mapping[str, list[Point]],
    floors: Mapping[str, Mapping[int, float]],
    axis: Axis,
    titles: Mapping[str, str],
) -> list[list[str]]:
    """Return a row a task: glasstree, all rivals together, the best rival alone."""
    lines = []
    for name, some in points.items():
        shares = volumes(some, floors.get(name, {}), axis)
        if not shares:
            continue
        alone = {
            key: share for key, share in shares.items() if key not in ("glasstree", "together")
        }
        best = max(alone, key=lambda key: float(np.mean(alone[key])))
        words = [said(shares["glasstree"]), said(shares["together"])]
        lines.append([name, *words, f"{titles[best]} {said(alone[best])}"])
    return lines


def head(axis: Axis) -> list[str]:
    """Return the titles of the columns."""
    return [
        f"task, {AXES[axis]} to {MOST[axis]}",
        *("glasstree", "all rivals together", "the best rival alone"),
    ]


def said(shares: list[float]) -> str:
    """Say a mean and, over several seeds, its deviation."""
    spread = f" ± {np.std(shares, ddof=1):.3f}" if len(shares) > 1 else ""
    return f"{np.mean(shares):.3f}{spread}"
