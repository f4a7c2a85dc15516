"""Reward against size: who is on the front, and the claims that are computed from it."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

OURS = ("glasstree", "imitation")
CEILINGS = ("oracle", "network")
EPISODES = 1000


@dataclass(frozen=True)
class Point:
    """A policy, or the mean of a contender's policies of one size over its seeds.

    error: the standard error by the episodes that were played.
    """

    rival: str
    size: int
    data: str
    worth: float
    occurrences: float
    seed: int | None = None
    error: float = 0.0

    @property
    def ours(self) -> bool:
        """Whether it is glasstree's."""
        return self.rival in OURS

    @property
    def ceiling(self) -> bool:
        """Whether it is a black box, there to show what can be had."""
        return self.rival in CEILINGS


def policies(cells: Iterable[dict[str, Any]], worth: str = "reward") -> list[Point]:
    """Return each measured policy as a point."""
    return [
        Point(
            *(c["rival"], c["size"], c["data"], c[worth], c["occurrences"], c["seed"]),
            error=c.get("sd", 0.0) / np.sqrt(EPISODES),
        )
        for c in cells
        if "failed" not in c and np.isfinite(c[worth])
    ]


def means(points: Iterable[Point]) -> list[Point]:
    """Return one point for each contender, size and kind of data: the mean over the seeds."""
    groups: dict[tuple[str, int, str], list[Point]] = {}
    for point in points:
        groups.setdefault((point.rival, point.size, point.data), []).append(point)
    return [
        Point(
            *key,
            float(np.mean([point.worth for point in group])),
            float(np.mean([point.occurrences for point in group])),
            error=float(np.hypot.reduce([point.error for point in group])) / len(group),
        )
        for key, group in groups.items()
    ]


def front(points: Sequence[Point]) -> list[Point]:
    """Return the points that no other beats: none is as good with fewer occurrences, or better.

    >>> small, good, poor = (Point("a", 1, "plain", w, n) for w, n in ((1, 2), (3, 5), (2, 6)))
    >>> [point.worth for point in front([good, poor, small])]
    [1, 3]
    """
    best = -np.inf
    found = []
    for point in sorted(points, key=lambda point: (point.occurrences, -point.worth)):
        if point.worth > best:
            found.append(point)
            best = point.worth
    return found


def unbeaten(points: Sequence[Point]) -> list[Point]:
    """Return glasstree's points that no rival equals with fewer occurrences, or beats with as many.

    >>> ours, rival = Point("glasstree", 1, "own", 3, 5), Point("cart", 1, "plain", 3, 4)
    >>> unbeaten([ours, rival])
    []
    """
    rivals = [point for point in points if not point.ours and not point.ceiling]
    return [
        ours for ours in points if ours.ours and not any(beats(rival, ours) for rival in rivals)
    ]


def beats(rival: Point, ours: Point) -> bool:
    """Tell whether a point is as good and shorter, or better and as short."""
    if rival.occurrences == ours.occurrences:
        return rival.worth > ours.worth
    return rival.worth >= ours.worth and rival.occurrences < ours.occurrences


def tied(rival: Point, ours: Point) -> bool:
    """Tell whether two means are at most two standard errors of their difference apart."""
    return bool(abs(rival.worth - ours.worth) <= 2 * np.hypot(rival.error, ours.error))


def best_rival(points: Sequence[Point]) -> Point | None:
    """Return the rival's point of the highest worth; a black box is none."""
    rivals = [point for point in points if not point.ours and not point.ceiling]
    return max(rivals, key=lambda point: (point.worth, -point.occurrences), default=None)


def half_as_long(points: Sequence[Point]) -> Point | None:
    """Return our best point at least as good as the best rival's, at most half as long."""
    rival = best_rival(points)
    if rival is None:
        return None
    found = [
        point
        for point in points
        if point.ours and point.worth >= rival.worth and 2 * point.occurrences <= rival.occurrences
    ]
    return max(found, key=lambda point: point.worth, default=None)
