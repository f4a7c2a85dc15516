"""Actions of every kind as choices that are counted from 0."""

from collections.abc import Sequence
from itertools import product
from math import prod
from typing import Any

import gymnasium
import numpy as np

from glasstree.errors import TaskError
from glasstree.policy.arrays import MOST_ACTIONS, Floats

spaces = gymnasium.spaces


def choices_of(name: str, space: Any) -> tuple[Any, ...] | None:
    """Return what an environment may be given, None where that is the number of the action itself.

    Continuous actions have no choices before levels are found: an empty tuple.

    >>> choices_of("lamps", spaces.MultiBinary(2))
    ((0, 0), (0, 1), (1, 0), (1, 1))
    """
    if isinstance(space, spaces.Discrete):
        _check_count(name, int(space.n))
        start = int(space.start)
        return tuple(range(start, start + int(space.n))) if start else None
    if isinstance(space, spaces.MultiDiscrete | spaces.MultiBinary):
        sizes = np.full(space.shape, 2) if isinstance(space, spaces.MultiBinary) else space.nvec
        starts = np.broadcast_to(getattr(space, "start", 0), sizes.shape).reshape(-1).tolist()
        counts = sizes.reshape(-1).tolist()
        _check_count(name, prod(counts))
        ranges = (range(low, low + n) for low, n in zip(starts, counts, strict=True))
        return tuple(product(*ranges))
    if isinstance(space, spaces.Box):
        if prod(space.shape) and np.isfinite([space.low, space.high]).all():
            return ()
        raise TaskError(
            f"{name} has continuous actions without limits ({space}); wrap it in "
            "gymnasium.wrappers.RescaleAction, or give its action space finite bounds"
        )
    raise TaskError(
        f"{name} has actions {space}; a tree chooses between those of a Discrete, MultiDiscrete, "
        "MultiBinary or Box space"
    )


def bounds_of(space: Any) -> tuple[tuple[float, ...], tuple[float, ...]]:
    """Return the least and the largest action of a box, one number a dimension."""
    low, high = (np.asarray(end, dtype=np.float64).reshape(-1) for end in (space.low, space.high))
    return tuple(low.tolist()), tuple(high.tolist())


def levels_of(
    name: str, levels: Sequence[Sequence[float]], bounds: Any
) -> tuple[tuple[float, ...], ...]:
    """Return given levels as choices, or say why they cannot be those of an environment."""
    if bounds is None:
        raise TaskError(f"{name} has no continuous actions, so that it needs no levels")
    found = tuple(tuple(float(value) for value in level) for level in levels)
    fits = all(len(level) == len(bounds[0]) for level in found)
    if len(found) < 1 or not fits or len(set(found)) != len(found):
        raise TaskError(f"{name} needs different levels of {len(bounds[0])} numbers, got {levels}")
    return found


def choice_names(choices: Sequence[Any]) -> tuple[str, ...]:
    """Name choices by their values.

    >>> choice_names([3, 4]), choice_names([(0, 1), (1, 1)]), choice_names([[0.25]])
    (('3', '4'), ('(0, 1)', '(1, 1)'), ('0.25',))
    """
    return tuple(_word(choice) for choice in choices)


def as_given(choices: Sequence[Any], space: Any) -> list[Any]:
    """Return choices as the environment takes them."""
    if isinstance(space, spaces.Discrete):
        return list(choices)
    return [np.array(choice, dtype=space.dtype).reshape(space.shape) for choice in choices]


def nearest(vectors: Floats, choices: Floats, spans: Floats) -> Any:
    """Return which of (k, d) choices each of (n, d) vectors is closest to, in shares of spans."""
    apart = (vectors[:, np.newaxis, :] - choices[np.newaxis]) / spans
    return np.square(apart).sum(axis=2).argmin(axis=1)


def _word(choice: Any) -> str:
    if isinstance(choice, int):
        return str(choice)
    numbers = [f"{value:g}" for value in choice]
    return numbers[0] if len(numbers) == 1 else f"({', '.join(numbers)})"


def _check_count(name: str, count: int) -> None:
    if count > MOST_ACTIONS:
        raise TaskError(
            f"{name} has {count:,} actions; a tree chooses between at most {MOST_ACTIONS:,}, so "
            "wrap the environment in one with fewer"
        )
