"""A plant of a user's, as a module that registers it: a tank whose level follows a target."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import gymnasium

MODULE = """
import gymnasium
import numpy as np

class Tank(gymnasium.Env):
    observation_space = gymnasium.spaces.Box(-10.0, 10.0, (2,))
    action_space = gymnasium.spaces.Discrete(3)

    def __init__(self, pump=0.5, leak=0.0):
        self.pump, self.leak = pump, leak

    def reset(self, seed=None, options=None):
        super().reset(seed=seed)
        self.level, self.target = self.np_random.uniform(0.0, 2.0, 2)
        return np.array([self.level, self.target]), {}

    def step(self, action):
        self.level += self.pump * (action - 1) - self.leak
        error = abs(self.level - self.target)
        return np.array([self.level, self.target]), 1.0 - error, False, False, {}

gymnasium.register("mine/Tank-v0", Tank, max_episode_steps=5)
gymnasium.register("mine/Endless-v0", Tank)

def hold(states):
    return np.digitize(states[:, 1] - states[:, 0], [-0.25, 0.25])
"""
# what a user may write once, with little effort for its run
SETTINGS = """
task = "mine/Tank-v0"
oracle = "tank_plant:hold"
state_names = ["level", "target"]
units = ["m", "m"]
actions = ["drain", "wait", "fill"]
success = "last reward > 0.5"
step_limit = 6

[env_kwargs]
pump = 0.75

[options]
data = "regular"
samples = 200
episodes = 10
rules = 2
closed_loop = {generations = 1, trial_generations = 1, trees = 1, population = 4, episodes = 2, racing_episodes = 3, choosing_episodes = 5}
reengineering = {trials = 1, episodes = 2, choosing_episodes = 2, states = 100}
front = {steps = 500, lines = 0, trial_generations = 1, generations = 1, longest = 1, population = 4, episodes = 2, racing_episodes = 3, choosing_episodes = 5, rounding_episodes = 5}
"""  # noqa: E501
NAME = "tank_plant"


@contextmanager
def tank_in(folder: Path) -> Iterator[Path]:
    """Write the module and its settings into a folder, and forget it all afterwards."""
    (folder / f"{NAME}.py").write_text(MODULE)
    (folder / "task.toml").write_text(SETTINGS)
    try:
        yield folder
    finally:
        sys.modules.pop(NAME, None)
        for name in ("mine/Tank-v0", "mine/Endless-v0"):
            gymnasium.registry.pop(name, None)
