"""Many episodes side by side: compiled where there is a simulator, Gymnasium's loop elsewhere."""

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, Protocol

import numpy as np

from glasstree.compiled import (
    function,
    integer,
    integers,
    kernel,
    nothing,
    reals,
    reals2,
    reals3,
    truths,
)
from glasstree.policy.arrays import Bools, Floats, Ints
from glasstree.rollout.chunks import failure, not_finite
from glasstree.tasks.base import OBSERVE, STEP, Simulator, Task


class Batch(Protocol):
    """Episodes that advance together; rows are episodes."""

    def reset(self, seeds: Ints) -> Floats:
        """Start one episode a seed and return the first observations."""
        ...

    def step(self, rows: Ints, actions: Ints) -> tuple[Floats, Floats, Bools, Bools]:
        """Advance some rows: their observations, rewards, terminated, truncated."""
        ...


@kernel(
    nothing(
        *(function(STEP), function(OBSERVE), reals, integers, integers, integer),
        *(reals2, reals3, reals2, reals, truths),
    )
)
def advance(
    step: Any,
    observe: Any,
    parameters: Floats,
    rows: Ints,
    actions: Ints,
    time: int,
    states: Floats,
    noise: Floats,
    observations: Floats,
    rewards: Floats,
    terminated: Bools,
) -> None:
    """Advance the given rows by one step."""
    for i in range(len(rows)):
        row = rows[i]
        rewards[i], terminated[i] = step(states[row], actions[i], noise[row, time], parameters)
        observe(states[row], parameters, observations[i])


class CompiledBatch:
    """Episodes of a compiled simulator."""

    def __init__(self, simulator: Simulator, width: int, step_limit: int) -> None:
        self.simulator = simulator
        self.width = width
        self.step_limit = step_limit

    def reset(self, seeds: Ints) -> Floats:
        """Start one episode a seed and return the first observations."""
        self.states, self.noise = self.simulator.draw(seeds, self.step_limit)
        self.time = 0
        observations = np.empty((len(seeds), self.width))
        for state, observation in zip(self.states, observations, strict=True):
            self.simulator.observe(state, self.simulator.parameters, observation)
        return observations

    def step(self, rows: Ints, actions: Ints) -> tuple[Floats, Floats, Bools, Bools]:
        """Advance some rows by one step."""
        observations = np.empty((len(rows), self.width))
        rewards = np.empty(len(rows))
        terminated = np.empty(len(rows), dtype=np.bool_)
        simulator = self.simulator
        advance(
            *(simulator.step, simulator.observe, simulator.parameters, rows, actions, self.time),
            *(self.states, self.noise, observations, rewards, terminated),
        )
        self.time += 1
        truncated = np.full(len(rows), self.time >= self.step_limit)
        return observations, rewards, terminated, truncated


class GymnasiumBatch:
    """Episodes of Gymnasium environments, one environment a row; more are made as needed."""

    def __init__(self, task: Task, environments: list[Any]) -> None:
        self.task, self.factory = task, task.environment
        self.environments = environments

    def reset(self, seeds: Ints) -> Floats:
        """Start one episode a seed and return the first observations."""
        self.seeds: list[int] = seeds.tolist()
        self.rows = np.arange(len(seeds))
        while len(self.environments) < len(seeds):
            self.environments.append(self.factory())
        pairs = zip(self.environments, self.seeds, strict=False)
        return self._table(
            [self._guarded(seed, partial(env.reset, seed=seed))[0] for env, seed in pairs]
        )

    def step(self, rows: Ints, actions: Ints) -> tuple[Floats, Floats, Bools, Bools]:
        """Advance some rows by one step."""
        self.rows = rows
        results = [
            self._guarded(self.seeds[row], self.environments[row].step, action)
            for row, action in zip(rows.tolist(), actions.tolist(), strict=True)
        ]
        observations, rewards, terminated, truncated, _ = zip(*results, strict=True)
        gained = np.array(rewards, dtype=np.float64)
        self._check(gained, "a reward")
        return (
            self._table(observations),
            gained,
            np.array(terminated, dtype=np.bool_),
            np.array(truncated, dtype=np.bool_),
        )

    def _table(self, observations: Sequence[Any]) -> Floats:
        rows = [np.asarray(seen, dtype=np.float64).ravel() for seen in observations]
        table = np.array(rows)
        self._check(table.sum(axis=1), "an observation")
        return table

    def _check(self, values: Floats, what: str) -> None:
        if not np.isfinite(values).all():
            row = int(np.flatnonzero(~np.isfinite(values))[0])
            raise not_finite(self.factory, what, self.seeds[int(self.rows[row])])

    def _guarded(self, seed: int, call: Callable[..., Any], *words: Any) -> Any:
        try:
            return call(*words)
        except Exception as error:
            raise failure(self.factory, error, seed) from error
