"""Compiled twins of environments: one that plays episodes, one that encloses them in boxes."""

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from glasstree.compiled import (
    function,
    integer,
    integers,
    kernel,
    nothing,
    real,
    reals,
    reals2,
    reals3,
    truth,
    truths,
    tuple_of,
)
from glasstree.policy.arrays import Bools, Floats, Ints

# step(state, action, noise, parameters) -> (reward, terminated), changing state in place
STEP = tuple_of((real, truth))(reals, integer, reals, reals)
# observe(state, parameters, observation), filling observation
OBSERVE = nothing(reals, reals, reals)
# enclose(low, high, action, parameters, next_low, next_high) -> how many boxes, at most PIECES, it
# has filled, which together hold all successors of a box
ENCLOSE = integer(reals, reals, integer, reals, reals2, reals2)
PIECES = 2
# observe_box(low, high, seen_low, seen_high), filling the box of all observations
OBSERVE_BOX = nothing(reals, reals, reals, reals)


@kernel(
    nothing(
        *(function(STEP), function(OBSERVE), reals, integers, integers, integers),
        *(reals2, reals3, reals2, reals, truths),
    )
)
def advance(
    step: Any,
    observe: Any,
    parameters: Floats,
    rows: Ints,
    actions: Ints,
    times: Ints,
    states: Floats,
    noise: Floats,
    observations: Floats,
    rewards: Floats,
    terminated: Bools,
) -> None:
    """Advance some rows of states by one step, each at its own time."""
    for i in range(len(rows)):
        row = rows[i]
        rewards[i], terminated[i] = step(states[row], actions[i], noise[row, times[i]], parameters)
        observe(states[row], parameters, observations[i])


@dataclass(frozen=True)
class Simulator:
    """A compiled twin of a Gymnasium environment.

    start draws the first state from a generator just as the environment's reset does, and
    noise draws (steps, width) numbers just as its steps would; step and observe are kernels
    with the signatures STEP and OBSERVE. Where actions are continuous, the levels that numbers of
    actions stand for follow the parameters, one after the other.
    """

    start: Callable[[np.random.Generator], Floats]
    step: Callable[..., Any]
    observe: Callable[..., Any]
    noise: Callable[[np.random.Generator, int], Floats] | None = None
    parameters: Floats = field(default_factory=lambda: np.zeros(0))

    def with_levels(self, levels: Floats) -> "Simulator":
        """Return a simulator whose actions are levels."""
        return replace(self, parameters=np.concatenate([self.parameters, levels.reshape(-1)]))

    def draw(self, seeds: Ints, steps: int) -> tuple[Floats, Floats]:
        """Return the first states (n, k) and the noise (n, steps, width) of n episodes."""
        starts, noises = [], []
        for seed in seeds.tolist():
            generator = np.random.default_rng(seed)
            starts.append(np.asarray(self.start(generator), dtype=np.float64))
            if self.noise is not None:
                noises.append(self.noise(generator, steps))
        noise = np.array(noises) if noises else np.zeros((len(seeds), steps, 0))
        return np.array(starts), noise

    def observe_all(self, states: Floats, observations: Floats) -> None:
        """Fill in what is observed in each state."""
        for state, observation in zip(states, observations, strict=True):
            self.observe(state, self.parameters, observation)

    def advance(self, *arrays: Any) -> None:
        """Advance episodes by one step, as the kernel `advance` does with arrays from rows on."""
        advance(self.step, self.observe, self.parameters, *arrays)


@dataclass(frozen=True)
class Enclosure:
    """An interval twin of a simulator, over boxes of what matters of its states.

    low and high hold every start; step encloses all that one step can lead to, whatever the noise;
    reduce turns (n, k) simulator states into (n, m) states of the boxes.
    """

    low: Floats
    high: Floats
    step: Callable[..., Any]
    observe: Callable[..., Any]
    parameters: Floats
    reduce: Callable[[Floats], Floats] = np.asarray
