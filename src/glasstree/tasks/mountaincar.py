"""MountainCar: rock a car up a hill within 200 steps (Gymnasium's MountainCar-v0)."""

import math

import numpy as np

from glasstree.compiled import kernel
from glasstree.policy.arrays import Floats
from glasstree.tasks.base import OBSERVE, STEP, Environment, Simulator, Task, reached

LEFT_END, RIGHT_END = -1.2, 0.6
SPEED_LIMIT = 0.07
GOAL = 0.5
FORCE = 0.001
GRAVITY = 0.0025


def start(generator: np.random.Generator) -> Floats:
    """Draw the first state as Gymnasium does."""
    return np.array([generator.uniform(low=-0.6, high=-0.4), 0.0])


@kernel(STEP)
def step(state: Floats, action: int, noise: Floats, parameters: Floats) -> tuple[float, bool]:
    """Advance by one time step."""
    x, v = state[0], state[1]
    v += (action - 1) * FORCE + math.cos(3 * x) * (-GRAVITY)
    v = min(max(v, -SPEED_LIMIT), SPEED_LIMIT)
    x = min(max(x + v, LEFT_END), RIGHT_END)
    if x == LEFT_END and v < 0.0:
        v = 0.0
    state[0], state[1] = x, v
    return -1.0, x >= GOAL and v >= 0.0


@kernel(OBSERVE)
def observe(state: Floats, parameters: Floats, observation: Floats) -> None:
    """Observe in single precision, as Gymnasium does."""
    observation[0], observation[1] = np.float32(state[0]), np.float32(state[1])


TASK = Task(
    name="mountaincar",
    title="rock a car up a hill within 200 steps",
    environment=Environment("MountainCar-v0", step_limit=200),
    state_names=("x", "v"),
    units=("", ""),
    action_names=("left", "none", "right"),
    success=reached,
    simulator=Simulator(start, step, observe),
    rules=3,
    search_steps=80_000_000,
)
