"""What a contender is: something that learns a policy whose size can be counted."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from glasstree.data import Dataset
from glasstree.policy.arrays import Floats, Ints

ARMS = ("psm5", "psm10")


class Sized(Protocol):
    """A policy that tells its size.

    splits; occurrences: how often a variable stands in it; complexity: how many symbols are read
    when it is printed, counted as glasstree counts its own.
    """

    splits: int
    occurrences: int
    complexity: int

    def actions(self, states: Floats, /) -> Ints:
        """Return one action a state."""
        ...


Fit = Callable[[Dataset, int, int], Sized]


@dataclass(frozen=True)
class Rival:
    """fit(data, size, seed) makes a policy; sizes are swept, fewer of them on costly tasks.

    weighted: its data are resampled by the oracle's value gaps; weighs: its fit knows weights of
    samples; rounds: more of them, or fewer with as many states in all where a fit is slow.
    """

    name: str
    title: str
    fit: Fit
    unit: str
    sizes: tuple[int, ...]
    arm_sizes: tuple[int, ...]
    lander_sizes: tuple[int, ...]
    data: tuple[str, ...] = ("plain", "aggregated")
    weighted: bool = False
    weighs: bool = True
    rounds: int | None = None

    def sizes_for(self, task: str) -> tuple[int, ...]:
        """Return the sizes for a task."""
        if task == "lunarlander":
            return self.lander_sizes
        return self.arm_sizes if task in ARMS else self.sizes


def coded(data: Dataset) -> tuple[Ints, Ints]:
    """Return the actions that occur, and each state's action as its place among them."""
    present, codes = np.unique(data.actions, return_inverse=True)
    return present, codes


def spread(values: Floats, present: Ints, n_actions: int) -> Floats:
    """Put the values of the actions that occur among those of all actions."""
    every = np.zeros(n_actions)
    every[present] = values
    return every


def absent(present: Ints, n_actions: int) -> Floats:
    """Return an offset by which an action that does not occur is never chosen."""
    return np.where(np.isin(np.arange(n_actions), present), 0.0, -np.inf)
