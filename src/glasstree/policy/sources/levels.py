"""Levels of continuous actions: the few vectors that leaves stand for, with names and units."""

import re
from collections.abc import Sequence
from typing import Any

import numpy as np

from glasstree.policy.arrays import Floats
from glasstree.policy.sources.plant import Plant

CONTROL = re.compile(r"(.*\S)\s*\[(.*)\]")  # a name and its unit


def level_names(
    levels: Sequence[Sequence[float]], controls: Sequence[str] | None = None
) -> tuple[str, ...]:
    """Call levels by their values, each number by the name and the unit of its control.

    >>> level_names([[-1.6], [2.0]], ["torque [N m]"])
    ('torque = -1.6 N m', 'torque = 2 N m')
    >>> level_names([[0.5, 0.0]]), level_names([[0.5]])
    (('(0.5, 0)',), ('0.5',))
    """
    words = []
    for level in levels:
        word = ", ".join(_values(level, controls))
        words.append(word if controls or len(level) == 1 else f"({word})")
    again = [words[:place].count(word) for place, word in enumerate(words)]
    return tuple(word + "'" * count for word, count in zip(words, again, strict=True))


def _values(level: Sequence[float], controls: Sequence[str] | None) -> list[str]:
    numbers = [f"{value:.6g}" for value in level]
    if not controls:
        return numbers
    parted = [CONTROL.fullmatch(control) for control in controls]
    names = [found[1] if found else name for found, name in zip(parted, controls, strict=True)]
    units = [f" {found[2]}" if found else "" for found in parted]
    return [f"{a} = {b}{c}" for a, b, c in zip(names, numbers, units, strict=True)]


def within(plant: Plant, values: Any) -> Floats:
    """Return (k, d) levels, none beyond the bounds of its control."""
    assert plant.levels is not None
    levels: Floats = np.array(values, dtype=np.float64).reshape(-1, len(plant.levels[0]))
    return levels if plant.bounds is None else np.clip(levels, *np.array(plant.bounds))


def level_spans(plant: Plant) -> Floats:
    """Return how far each control can go."""
    assert plant.levels is not None
    low, high = np.array(plant.bounds) if plant.bounds else _seen(np.array(plant.levels))
    return np.asarray(np.where(high > low, high - low, 1.0))


def _seen(levels: Floats) -> tuple[Floats, Floats]:
    return levels.min(axis=0), levels.max(axis=0)
