"""What a contender is: something that learns a policy whose size can be counted."""

from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from typing import Protocol

import numpy as np

from glasstree.data import Dataset
from glasstree.policy.arrays import Floats, Ints
from glasstree.tasks import Task

ARMS = ("psm5", "psm10")
CONTINUOUS = ("Pendulum-v1", "MountainCarContinuous-v0", "LunarLanderContinuous-v3")
IMITATED, REWARDED, WRITTEN = ("plain", "aggregated"), ("reward",), ("none",)


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

    def text(self, task: Task, /) -> str:
        """Print it with the names of a task."""
        ...


@dataclass(frozen=True)
class Learnt:
    """A policy that was found by playing, and the steps of the environment that it took."""

    policy: Sized
    steps: int


Fit = Callable[[Dataset, int, int], Sized]
FitValues = Callable[[Dataset, Floats, int, int], Sized]
Learn = Callable[[Task, int, int], Learnt]


@dataclass(frozen=True)
class Rival:
    """A way to a policy of a size; sizes are swept, fewer of them on costly tasks.

    fit(data, size, seed) imitates labelled states; fit_values(data, values, size, seed) the
    oracle's values; learn(task, size, seed) plays. tasks: where it can be had, by default wherever
    actions are numbers. weighted: its data are resampled by the oracle's value gaps; weighs: its
    fit knows weights of samples; rounds: more of them, or fewer with as many states in all where a
    fit is slow. packages: what it imports when it is used.
    """

    name: str
    title: str
    unit: str
    sizes: tuple[int, ...]
    arm_sizes: tuple[int, ...]
    lander_sizes: tuple[int, ...]
    fit: Fit | None = None
    fit_values: FitValues | None = None
    learn: Learn | None = None
    tasks: tuple[str, ...] | None = None
    data: tuple[str, ...] = IMITATED
    weighted: bool = False
    weighs: bool = True
    rounds: int | None = None
    packages: tuple[str, ...] = ()

    def sizes_for(self, task: str) -> tuple[int, ...]:
        """Return the sizes for a task; none where it cannot be had."""
        if task not in self.tasks if self.tasks is not None else task in CONTINUOUS:
            return ()
        if task == "lunarlander":
            return self.lander_sizes
        return self.arm_sizes if task in ARMS else self.sizes

    def unpack(self) -> None:
        """Import what it needs, so that the seconds of no fit hold it."""
        for name in self.packages:
            import_module(name)

    @property
    def module(self) -> str:
        """The name of the module that does it."""
        doer = self.fit or self.fit_values or self.learn
        return str(getattr(doer, "func", doer).__module__)


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
