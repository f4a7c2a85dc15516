"""Many environments in step for Stable-Baselines3: compiled where the task has a simulator."""

from typing import Any

import gymnasium
import numpy as np
from stable_baselines3.common.vec_env import DummyVecEnv, VecEnv

from glasstree.oracles.training.options import LARGEST_SEED
from glasstree.policy.arrays import Ints
from glasstree.tasks.base import Task
from glasstree.tasks.checked import Checked


class SimulatorVecEnv(VecEnv):  # type: ignore[misc]
    """A batch of a compiled simulator's episodes, each restarted when it ends."""

    def __init__(self, task: Task, count: int, seed: int) -> None:
        assert task.simulator is not None
        spaces = task.environment()
        super().__init__(count, spaces.observation_space, gymnasium.spaces.Discrete(task.n_actions))
        self.task, self.simulator = task, task.simulator
        self.generator = np.random.default_rng(seed)
        self.observations = np.empty((count, task.n_variables))
        self.rewards, self.terminated = np.empty(count), np.empty(count, dtype=np.bool_)
        self.times = np.zeros(count, dtype=np.int64)
        self.totals = np.zeros(count)

    def reset(self) -> Any:
        """Start every episode anew."""
        seeds: Ints = self.generator.integers(LARGEST_SEED, size=(self.num_envs,))
        self.states, self.noise = self.simulator.draw(seeds, self.task.step_limit)
        self.times[:] = 0
        self.totals[:] = 0.0
        self.simulator.observe_all(self.states, self.observations)
        return self.observations.astype(np.float32)

    def step_async(self, actions: Any) -> None:
        """Take the actions."""
        self.chosen = np.ascontiguousarray(actions, dtype=np.int64)

    def step_wait(self) -> tuple[Any, Any, Any, list[dict[str, Any]]]:
        """Advance all, and restart those that ended."""
        self.simulator.advance(
            *(np.arange(self.num_envs), self.chosen, self.times, self.states, self.noise),
            *(self.observations, self.rewards, self.terminated),
        )
        self.times += 1
        self.totals += self.rewards
        done = self.terminated | (self.times >= self.task.step_limit)
        infos: list[dict[str, Any]] = [{} for _ in range(self.num_envs)]
        for row in np.flatnonzero(done).tolist():
            infos[row] = self._restart(row)
        return self.observations.astype(np.float32), self.rewards.astype(np.float32), done, infos

    def _restart(self, row: int) -> dict[str, Any]:
        info = {
            "terminal_observation": self.observations[row].astype(np.float32),
            "TimeLimit.truncated": not self.terminated[row],
            "episode": {"r": float(self.totals[row]), "l": int(self.times[row]), "t": 0.0},
        }
        seeds: Ints = self.generator.integers(LARGEST_SEED, size=(1,))
        states, noise = self.simulator.draw(seeds, self.task.step_limit)
        self.states[row], self.noise[row] = states[0], noise[0]
        self.times[row], self.totals[row] = 0, 0.0
        self.simulator.observe_all(states, self.observations[row : row + 1])
        return info

    def close(self) -> None:
        """There is nothing to close."""

    def get_attr(self, attr_name: str, indices: Any = None) -> list[Any]:
        """Return what Stable-Baselines3 asks about."""
        return [getattr(self, attr_name, None)] * self.num_envs

    def set_attr(self, attr_name: str, value: Any, indices: Any = None) -> None:
        """Set an attribute of the batch."""
        setattr(self, attr_name, value)

    def env_method(self, method_name: str, *args: Any, indices: Any = None, **kwargs: Any) -> Any:
        """Refuse: rows are not separate environments."""
        raise NotImplementedError(method_name)

    def env_is_wrapped(self, wrapper_class: Any, indices: Any = None) -> list[bool]:
        """Say that episodes are watched, and nothing else."""
        return [wrapper_class.__name__ == "Monitor"] * self.num_envs


def vector_environment(task: Task, count: int, seed: int) -> Any:
    """Return count environments of a task in step."""
    if task.simulator is not None:
        return SimulatorVecEnv(task, count, seed)
    from stable_baselines3.common.monitor import Monitor

    environments = DummyVecEnv(
        [lambda: Monitor(Checked(task.environment, task.n_variables))] * count
    )
    environments.seed(seed)
    return environments
