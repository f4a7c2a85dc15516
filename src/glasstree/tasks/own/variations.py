"""Variations of a plant that policies are tuned over: arguments that differ between episodes."""

from collections.abc import Mapping, Sequence
from itertools import product
from math import prod
from typing import Any

import numpy as np

from glasstree.errors import TaskError

MOST = 100  # variations: each is an environment that stays open
PURPOSE = 8  # apart from the seed alone, with which the environment draws


def variations_of(vary: Mapping[str, Sequence[Any]] | None) -> tuple[dict[str, Any], ...]:
    """Return every combination of the values of some arguments.

    >>> variations_of({"pump": [1, 2], "leak": [0]})
    ({'pump': 1, 'leak': 0}, {'pump': 2, 'leak': 0})
    """
    if not vary:
        return ()
    return tuple(dict(zip(vary, values, strict=True)) for values in product(*vary.values()))


def checked_variations(vary: Mapping[str, Any]) -> dict[str, list[Any]]:
    """Return variations as files keep them: one list of values for each argument."""
    kept: dict[str, list[Any]] = {}
    for name, values in vary.items():
        if isinstance(values, str | Mapping | int | float) or not np.size(values):
            raise TaskError(f"{name} needs a list of values to vary over, got {values!r}")
        given = np.atleast_1d(values) if isinstance(values, np.ndarray) else list(values)
        kept[str(name)] = [one.item() if isinstance(one, np.generic) else one for one in given]
    count = prod(map(len, kept.values()))
    if count > MOST:
        raise TaskError(f"at most {MOST} variations can be trained on, got {count:,}; take fewer")
    return kept


def variation_at(seed: int | None, count: int) -> int:
    """Return which of so many variations an episode meets.

    Of so many episodes in a row, each meets another one, in an order that chance decides.

    >>> sorted(variation_at(seed, 3) for seed in range(6, 9))
    [0, 1, 2]
    """
    block, place = divmod(seed or 0, count)
    return int(np.random.default_rng([block, PURPOSE]).permutation(count)[place])


def in_words(vary: Mapping[str, Sequence[Any]]) -> str:
    """Say what varies.

    >>> in_words({"pump": [0.5, 1.0], "map": ["4x4", "8x8"]})
    'pump 0.5, 1 and map 4x4, 8x8'
    """
    texts = [f"{name} {', '.join(map(_shown, values))}" for name, values in vary.items()]
    return " and ".join(texts)


def _shown(value: Any) -> str:
    number = isinstance(value, int | float) and not isinstance(value, bool)
    return f"{value:g}" if number else str(value)
