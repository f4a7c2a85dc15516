"""Reward against size: points, their fronts, what is better than what, and outside which noise."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

import numpy as np

OURS = ("glasstree", "imitation")
CEILINGS = ("oracle", "network")
FLOOR = "random"
EPISODES = 1000
SURE = 0.95
FOLDS_APART = 1 / 9  # test samples for each training sample of a fold: folds share the latter
Axis = Literal["complexity", "occurrences"]
AXES: dict[Axis, str] = {"complexity": "printed symbols", "occurrences": "variable occurrences"}


@dataclass(frozen=True)
class Point:
    """A policy, or the mean of a contender's policies of one size over its seeds.

    error: the standard error by the episodes that were played; parts: what was measured, by seed;
    older: whether earlier code measured it.
    """

    rival: str
    size: int
    data: str
    worth: float
    occurrences: float
    seed: int | None = None
    error: float = 0.0
    complexity: float = np.nan
    text: str = ""
    folds: tuple[float, ...] = ()
    older: bool = False
    parts: "tuple[Point, ...]" = ()

    @property
    def ours(self) -> bool:
        """Whether it is glasstree's."""
        return self.rival in OURS

    @property
    def ceiling(self) -> bool:
        """Whether it is a black box, there to show what can be had."""
        return self.rival in CEILINGS

    @property
    def key(self) -> tuple[str, int, str]:
        """Who it is, how large and with which data."""
        return self.rival, self.size, self.data

    def on(self, axis: Axis) -> float:
        """Return its size on an axis."""
        return float(getattr(self, axis))


def marks(cells: Iterable[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return cells with every front taken apart: a mark for each of its policies.

    The kind of data of a mark is "front", so that it is no contender of one size. What the fronts
    of a table's folds have within so many symbols is a contender of that size.
    """
    found = []
    for cell in cells:
        found += [{**cell, **one} for one in cell.get("within", ())]
        if "front" not in cell:
            found.append(cell)
            continue
        common = {name: cell[name] for name in ("task", "seed", "code", "seconds") if name in cell}
        for one in cell["front"]:
            own = {"rival": OURS[0], "size": one["complexity"], "data": "front"}
            found.append({**common, **own, **one})
        imitation = {"rival": OURS[1], "size": 0, "data": "aggregated", **cell["imitation"]}
        found.append({**common, **imitation})
    return found


def policies(cells: Iterable[dict[str, Any]], worth: str = "reward") -> list[Point]:
    """Return each measured policy as a point; those of a floor or a trace are none."""
    return [
        Point(
            *(c["rival"], c["size"], c["data"], c[worth], c["occurrences"], c["seed"]),
            error=c.get("sd", 0.0) / np.sqrt(EPISODES),
            complexity=c.get("complexity", np.nan),
            text=c.get("text", ""),
            folds=tuple(c.get("folds", ())),
            older=bool(c.get("older")),
        )
        for c in marks(cells)
        if "failed" not in c and "occurrences" in c and np.isfinite(c[worth])
    ]


def means(points: Iterable[Point]) -> list[Point]:
    """Return one point for each contender, size and kind of data: the mean over the seeds.

    For a front: one for each complexity on it, the mean of what is picked with at most so many
    symbols, seed by seed. A mean never mixes cells of this code and of earlier code: earlier ones
    count where there are no others.
    """
    groups: dict[tuple[str, int, str], list[Point]] = {}
    fronts = []
    for point in points:
        if point.data == "front":
            fronts.append(point)
        else:
            groups.setdefault(point.key, []).append(point)
    plain = [mean(unmixed(group)) for group in groups.values()]
    return [*plain, *picked(unmixed(fronts))]


def unmixed(points: list[Point]) -> list[Point]:
    """Return the points of this code, or all where there are none."""
    return [point for point in points if not point.older] or points


def picked(points: list[Point]) -> list[Point]:
    """Return the means of what a front of each seed has for at most so many symbols."""
    seeds = sorted({point.seed for point in points})  # type: ignore[type-var]
    fronts = {seed: [point for point in points if point.seed == seed] for seed in seeds}
    found = []
    for size in sorted({point.size for point in points}):
        chosen = [pick(front, size) for front in fronts.values()]
        if all(chosen):
            found.append(replace(mean([one for one in chosen if one]), size=size))
    return found


def pick(front: Iterable[Point], most: float) -> Point | None:
    """Return the policy of a front that is picked for at most so many symbols: its longest.

    A front is ordered by choosing episodes, so that nothing is picked by final ones.
    """
    short = [point for point in front if point.complexity <= most]
    return max(short, key=lambda point: point.complexity, default=None)


def mean(group: Sequence[Point]) -> Point:
    """Return the mean of points."""
    first = group[0]
    return Point(
        *first.key,
        float(np.mean([point.worth for point in group])),
        float(np.mean([point.occurrences for point in group])),
        error=float(np.hypot.reduce([point.error for point in group])) / len(group),
        complexity=float(np.mean([point.complexity for point in group])),
        older=first.older,
        parts=tuple(group),
    )


def front(points: Sequence[Point], axis: Axis = "complexity") -> list[Point]:
    """Return the points that no other beats: none is as good and shorter, or better.

    >>> small, good, poor = (Point("a", 1, "plain", w, n) for w, n in ((1, 2), (3, 5), (2, 6)))
    >>> [point.worth for point in front([good, poor, small], "occurrences")]
    [1, 3]
    """
    best = -np.inf
    found = []
    known = [point for point in points if np.isfinite(point.on(axis))]
    for point in sorted(known, key=lambda point: (point.on(axis), -point.worth)):
        if point.worth > best:
            found.append(point)
            best = point.worth
    return found


def unbeaten(points: Sequence[Point], axis: Axis = "complexity") -> list[Point]:
    """Return glasstree's points that no rival equals and is shorter, or beats and is as short.

    >>> ours, rival = Point("glasstree", 1, "own", 3, 5), Point("cart", 1, "plain", 3, 4)
    >>> unbeaten([ours, rival], "occurrences")
    []
    """
    rivals = rivals_of(points)
    return [
        ours
        for ours in points
        if ours.ours and not any(beats(rival, ours, axis) for rival in rivals)
    ]


def rivals_of(points: Iterable[Point]) -> list[Point]:
    """Return the points of rivals; black boxes are none."""
    return [point for point in points if not point.ours and not point.ceiling]


def beats(rival: Point, ours: Point, axis: Axis = "complexity") -> bool:
    """Tell whether a point is as good and shorter, or better and as short."""
    if rival.on(axis) == ours.on(axis):
        return rival.worth > ours.worth
    return rival.worth >= ours.worth and rival.on(axis) < ours.on(axis)


def best_rival(points: Sequence[Point], axis: Axis = "complexity") -> Point | None:
    """Return the rival's point of the highest worth, the shortest of equals."""
    return max(rivals_of(points), key=lambda point: (point.worth, -point.on(axis)), default=None)


def half_as_long(points: Sequence[Point], axis: Axis = "complexity") -> Point | None:
    """Return our best point at least as good as the best rival's, at most half as long."""
    rival = best_rival(points, axis)
    if rival is None:
        return None
    found = [
        point
        for point in points
        if point.ours and point.worth >= rival.worth and 2 * point.on(axis) <= rival.on(axis)
    ]
    return max(found, key=lambda point: point.worth, default=None)


@dataclass(frozen=True)
class Gap:
    """How much more one contender has than another, seed by seed, with its 95 % interval."""

    value: float
    half: float

    @property
    def sure(self) -> bool:
        """Whether it is outside the noise."""
        return abs(self.value) > self.half


def gap(first: Sequence[Point], second: Sequence[Point]) -> Gap:
    """Return the mean difference of pairs of points, and half its interval.

    Pairs share a seed, and with it their unseen episodes. A single pair has the noise of its
    episodes; folds of a table, which share training samples, have the corrected one of Nadeau and
    Bengio.

    >>> ones, twos = ([Point("a", 1, "b", w, 1) for w in ws] for ws in ((3, 4), (1, 2)))
    >>> gap(ones, twos)
    Gap(value=2.0, half=0.0)
    """
    from scipy.stats import t as student

    if all(point.folds for point in (*first, *second)):
        folds = [np.subtract(one.folds, two.folds) for one, two in zip(first, second, strict=True)]
        differences = np.concatenate(folds)
        shared = FOLDS_APART
    else:
        differences = np.array([a.worth - b.worth for a, b in zip(first, second, strict=True)])
        shared = 0.0
    count = len(differences)
    if count == 1:
        return Gap(float(differences[0]), 1.96 * float(np.hypot(first[0].error, second[0].error)))
    reach = float(student.ppf((1 + SURE) / 2, count - 1))
    error = float(differences.std(ddof=1)) * np.sqrt(1 / count + shared)
    return Gap(float(differences.mean()), reach * error)


def paired(first: Point | None, second: Point | None) -> Gap | None:
    """Return how much more a mean has than another over the seeds of both, if there are any."""
    if first is None or second is None:
        return None
    seeds = {part.seed: part for part in second.parts}
    pairs = [(part, seeds[part.seed]) for part in first.parts if part.seed in seeds]
    return gap(*zip(*pairs, strict=True)) if pairs else None  # type: ignore[arg-type]
