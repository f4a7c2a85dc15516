"""Observations of every kind as vectors: numbers with readable names, in a fixed order.

A Discrete space is one whole number, one of two values a 0/1 variable; boxes are read row by row;
parts of dictionaries and tuples follow each other, and texts are left out.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from math import prod
from typing import Any

import gymnasium
import numpy as np

from glasstree.errors import TaskError
from glasstree.policy.arrays import MOST_VARIABLES, Floats
from glasstree.policy.sources.plant import TRUTH

spaces = gymnasium.spaces
NUMBERS = "biuf"


@dataclass(frozen=True)
class Layout:
    """How an observation becomes a vector: the names and units of its numbers, and the way there.

    batch turns (n, variables) vectors back into the observations that a model was trained on.
    """

    names: tuple[str, ...]
    units: tuple[str, ...]
    vector: Callable[[Any], Floats]
    batch: Callable[[Floats], Any]


def layout_of(space: Any, name: str = "") -> Layout:
    """Return the layout of a space, or say why it has none.

    >>> layout_of(spaces.Dict(speed=spaces.Box(0, 9, ()), lidar=spaces.Box(0, 9, (2,)))).names
    ('speed', 'lidar[0]', 'lidar[1]')
    """
    if isinstance(space, spaces.Dict):
        inside = [(key, f"{name}.{key}" if name else str(key)) for key in space.spaces]
        parts = {key: layout_of(space[key], own) for key, own in inside if _counts(space[key])}
        return _together(list(parts), list(parts.values()), dict)
    if isinstance(space, spaces.Tuple):
        keys = [key for key, part in enumerate(space.spaces) if _counts(part)]
        parts = {key: layout_of(space[key], f"{name}.{key}" if name else f"x{key}") for key in keys}
        return _together(keys, list(parts.values()), lambda found: tuple(found.values()))
    if isinstance(space, spaces.Box | spaces.MultiBinary | spaces.MultiDiscrete | spaces.Discrete):
        return _numbers(space, name)
    raise TaskError(
        f"{name or 'the state'} is observed as {type(space).__name__}, which is no fixed number of "
        "values; wrap the environment in one that observes a Box, Discrete, Dict or Tuple"
    )


def _counts(space: Any) -> bool:
    """Tell whether a part of an observation is anything but a text, such as MiniGrid's mission."""
    return not isinstance(space, spaces.Text) and getattr(space.dtype, "kind", "") != "U"


def _numbers(space: Any, name: str) -> Layout:
    shape = tuple(space.shape or ())
    count = prod(shape)
    if count > MOST_VARIABLES:
        raise TaskError(
            f"{name or 'the state'} is observed as {count:,} numbers of shape {shape}; a tree "
            f"takes at most {MOST_VARIABLES:,}, so wrap the environment in one with fewer"
        )
    names = _names(name, shape, alone="state" if isinstance(space, spaces.Discrete) else "x0")
    truths = _truths(space, shape)

    def vector(observation: Any) -> Floats:
        seen = np.asarray(observation)
        if seen.size != count or seen.dtype.kind not in NUMBERS:
            raise ValueError(
                f"{seen.dtype} and shape {seen.shape} instead of {count} real numbers"
                + (f" for {name}" if name else "")
            )
        return seen.reshape(-1).astype(np.float64)

    def batch(states: Floats) -> Any:
        return states.reshape(len(states), *shape).astype(space.dtype)

    return Layout(names, tuple(TRUTH if truth else "" for truth in truths), vector, batch)


def _names(name: str, shape: tuple[int, ...], alone: str) -> tuple[str, ...]:
    """Name the numbers of an array: x0 and x1 where there is no name, else name[0] or name[2,3]."""
    if prod(shape) == 1:
        return (name or alone,)
    if not name and len(shape) == 1:
        return tuple(f"x{number}" for number in range(shape[0]))
    places = np.ndindex(shape)
    return tuple(f"{name or 'x'}[{','.join(map(str, place))}]" for place in places)


def _truths(space: Any, shape: tuple[int, ...]) -> list[bool]:
    """Tell which numbers are 0 or 1."""
    if isinstance(space, spaces.Box):
        whole = space.dtype.kind in "biu"
        return (whole & (space.low == 0) & (space.high == 1)).reshape(-1).tolist()
    if isinstance(space, spaces.MultiBinary):
        return [True] * prod(shape)
    sizes = np.atleast_1d(space.nvec if isinstance(space, spaces.MultiDiscrete) else space.n)
    starts = np.atleast_1d(np.asarray(space.start))
    return ((sizes == 2) & (starts == 0)).reshape(-1).tolist()


def _together(
    keys: Sequence[Any], parts: Sequence[Layout], gather: Callable[[dict[Any, Any]], Any]
) -> Layout:
    names = tuple(name for part in parts for name in part.names)
    if not names:
        raise TaskError("nothing but texts is observed; wrap the environment in one with numbers")
    if len(names) > MOST_VARIABLES:
        raise TaskError(
            f"the state is observed as {len(names):,} numbers; a tree takes at most "
            f"{MOST_VARIABLES:,}, so wrap the environment in one with fewer"
        )
    ends = np.cumsum([len(part.names) for part in parts])

    def vector(observation: Any) -> Floats:
        try:
            seen = [observation[key] for key in keys]
        except (KeyError, IndexError, TypeError):
            wanted = ", ".join(map(str, keys))
            raise ValueError(f"{type(observation).__name__} without all of {wanted}") from None
        return np.concatenate([part.vector(one) for part, one in zip(parts, seen, strict=True)])

    def batch(states: Floats) -> Any:
        pieces = np.split(states, ends[:-1], axis=1)
        found = [part.batch(piece) for part, piece in zip(parts, pieces, strict=True)]
        return gather(dict(zip(keys, found, strict=True)))

    units = tuple(unit for part in parts for unit in part.units)
    return Layout(names, units, vector, batch)


def with_values(layout: Layout, values: Mapping[str, Sequence[str]]) -> Layout:
    """Return a layout with one 0/1 variable for each value of a variable whose values have names.

    >>> colour = layout_of(spaces.Dict(row=spaces.Discrete(5), colour=spaces.Discrete(3)))
    >>> with_values(colour, {"colour": ["red", "blue", "green"]}).names
    ('row', 'colour is red', 'colour is blue', 'colour is green')
    """
    unknown = [name for name in values if name not in layout.names]
    if unknown:
        raise TaskError(
            f"metadata['values'] tells what values of {unknown[0]!r} are called, but observed are "
            f"{', '.join(layout.names)}"
        )
    called = [values.get(name) for name in layout.names]
    widths = [1 if names is None else len(names) for names in called]
    firsts = np.cumsum([0, *widths[:-1]])

    def vector(observation: Any) -> Floats:
        seen = layout.vector(observation)
        found = np.zeros(sum(widths))
        for name, names, value, first in zip(layout.names, called, seen, firsts, strict=True):
            if names is None:
                found[first] = value
            elif value in range(len(names)):
                found[first + int(value)] = 1.0
            else:
                raise ValueError(f"{name} = {value:g}, which metadata['values'] has no name for")
        return found

    def batch(states: Floats) -> Any:
        parts = zip(called, firsts, widths, strict=True)
        columns = [
            states[:, a] if names is None else states[:, a : a + n].argmax(axis=1)
            for names, a, n in parts
        ]
        return layout.batch(np.column_stack(columns).astype(np.float64))

    names, units = [], []
    for name, unit, words in zip(layout.names, layout.units, called, strict=True):
        names += [name] if words is None else [f"{name} is {word}" for word in words]
        units += [unit] if words is None else [TRUTH] * len(words)
    return Layout(tuple(names), tuple(units), vector, batch)
