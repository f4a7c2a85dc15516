"""Many episodes side by side: compiled where there is a simulator, Gymnasium's loop elsewhere."""

from collections.abc import Callable, Iterable
from typing import Any, Protocol

import numpy as np

from glasstree.policy.arrays import Bools, Floats, Ints
from glasstree.tasks.base import Task
from glasstree.tasks.checked import Checked
from glasstree.tasks.twins import Simulator
from glasstree.timeout import Watch, watched


class Batch(Protocol):
    """Episodes that advance together; rows are episodes."""

    def reset(self, seeds: Ints) -> Floats:
        """Start one episode per seed and return the first observations."""
        ...

    def step(self, rows: Ints, actions: Ints) -> tuple[Floats, Floats, Bools, Bools]:
        """Advance some rows: their observations, rewards, terminated, truncated."""
        ...


class CompiledBatch:
    """Episodes of a compiled simulator."""

    def __init__(self, simulator: Simulator, n_variables: int, step_limit: int) -> None:
        self.simulator = simulator
        self.n_variables = n_variables
        self.step_limit = step_limit

    def reset(self, seeds: Ints) -> Floats:
        """Start one episode per seed and return the first observations."""
        self.states, self.noise = self.simulator.draw(seeds, self.step_limit)
        self.time = 0
        observations = np.empty((len(seeds), self.n_variables))
        self.simulator.observe_all(self.states, observations)
        return observations

    def step(self, rows: Ints, actions: Ints) -> tuple[Floats, Floats, Bools, Bools]:
        """Advance some rows by one step."""
        observations = np.empty((len(rows), self.n_variables))
        rewards = np.empty(len(rows))
        terminated = np.empty(len(rows), dtype=np.bool_)
        self.simulator.advance(
            *(rows, actions, np.full(len(rows), self.time), self.states, self.noise),
            *(observations, rewards, terminated),
        )
        self.time += 1
        truncated = np.full(len(rows), self.time >= self.step_limit)
        return observations, rewards, terminated, truncated


class GymnasiumBatch:
    """Episodes of Gymnasium environments, one environment per row; more are made as needed.

    Levels are what environments are given for numbers of actions, where these are continuous.
    """

    def __init__(
        self, task: Task, environments: list[Checked], levels: Floats | None = None
    ) -> None:
        self.task, self.environments, self.levels = task, environments, levels

    def reset(self, seeds: Ints) -> Floats:
        """Start one episode per seed and return the first observations."""
        while len(self.environments) < len(seeds):
            self.environments.append(Checked(self.task.environment, self.task.n_variables))
        pairs = zip(self.environments, seeds.tolist(), strict=False)
        return np.array([seen for seen, _ in self._answers(pairs, _reset)])

    def step(self, rows: Ints, actions: Ints) -> tuple[Floats, Floats, Bools, Bools]:
        """Advance some rows by one step."""
        environments = [self.environments[row] for row in rows.tolist()]
        vectors = actions if self.levels is None else self.levels[actions]
        given = vectors.tolist() if vectors.ndim == 1 else list(vectors)
        pairs = zip(environments, given, strict=True)
        observations, rewards, terminated, truncated, _ = zip(
            *self._answers(pairs, Checked.step), strict=True
        )
        ends = np.array(terminated), np.array(truncated)
        return np.array(observations), np.array(rewards), *ends

    def _answers(
        self, pairs: Iterable[tuple[Checked, int]], call: Callable[[Checked, int], Any]
    ) -> list[Any]:
        answers: list[Any] = []
        asked = list(pairs)

        def work(watch: Watch) -> None:
            for environment, given in asked:
                answers.append(call(environment, given))
                watch.beats += 1

        try:
            watched(work, self.task.environment.timeout)
        except TimeoutError as error:
            raise asked[len(answers)][0].failure(error) from error
        return answers


def _reset(environment: Checked, seed: int) -> Any:
    return environment.reset(seed=seed)
