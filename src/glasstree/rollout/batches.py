"""Many episodes side by side: compiled where there is a simulator, Gymnasium's loop elsewhere."""

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
from glasstree.errors import TaskError
from glasstree.policy.arrays import Bools, Floats, Ints
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
    """Episodes of Gymnasium environments, one environment a row."""

    def __init__(self, task: Task) -> None:
        self.task = task
        self.environments: list[Any] = []

    def reset(self, seeds: Ints) -> Floats:
        """Start one episode a seed and return the first observations."""
        while len(self.environments) < len(seeds):
            self.environments.append(self.task.environment())
        pairs = zip(self.environments, seeds.tolist(), strict=False)
        return np.array([self._row(env.reset(seed=seed)[0]) for env, seed in pairs])

    def step(self, rows: Ints, actions: Ints) -> tuple[Floats, Floats, Bools, Bools]:
        """Advance some rows by one step."""
        results = [
            self.environments[row].step(action)
            for row, action in zip(rows.tolist(), actions.tolist(), strict=True)
        ]
        rewards = np.array([result[1] for result in results], dtype=np.float64)
        if not np.isfinite(rewards).all():
            raise TaskError(f"environment {self.task.name!r} returned a reward that is not finite")
        return (
            np.array([self._row(result[0]) for result in results]),
            rewards,
            np.array([result[2] for result in results], dtype=np.bool_),
            np.array([result[3] for result in results], dtype=np.bool_),
        )

    def _row(self, observation: Any) -> Floats:
        return np.asarray(observation, dtype=np.float64).ravel()
