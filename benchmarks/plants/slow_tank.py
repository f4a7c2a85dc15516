"""A plant of one's own, of 100 microseconds a step, and a controller for it."""

from time import perf_counter

import gymnasium
import numpy as np

STEP_SECONDS = 100e-6
ACTIONS = (-0.06, 0.0, 0.06)  # metres a step: drain, wait, fill


class SlowTank(gymnasium.Env):
    """Hold the level of a leaking tank at a target that moves once."""

    observation_space = gymnasium.spaces.Box(0.0, 2.0, (3,), dtype=np.float64)
    action_space = gymnasium.spaces.Discrete(3)

    def reset(self, seed=None, options=None):
        super().reset(seed=seed)
        self.level, self.target = self.np_random.uniform(0.2, 1.8, 2)
        self.leak, self.time = self.np_random.uniform(0.0, 0.03), 0
        return self._seen(), {}

    def step(self, action):
        until = perf_counter() + STEP_SECONDS
        before = self.level
        self.level = min(max(self.level + ACTIONS[action] - self.leak, 0.0), 2.0)
        self.drift, self.time = self.level - before, self.time + 1
        if self.time == 50:
            self.target = self.np_random.uniform(0.2, 1.8)
        reward = -abs(self.level - self.target) - 0.01 * (action != 1)
        while perf_counter() < until:
            pass
        return self._seen(), reward, False, False, {}

    def _seen(self):
        return np.array([self.level, self.target, self.leak])


gymnasium.register("mine/SlowTank-v0", entry_point=SlowTank, max_episode_steps=100)


def hold(states):
    """Fill below the target, drain above it, wait between."""
    error = states[:, 0] - states[:, 2] - states[:, 1]
    return np.where(error < -0.03, 2, np.where(error > 0.03, 0, 1))
