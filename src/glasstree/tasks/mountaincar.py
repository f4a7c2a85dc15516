"""MountainCar: rock a car up a hill within 200 steps (Gymnasium's MountainCar-v0)."""

import math

import numpy as np

from glasstree.compiled import kernel
from glasstree.policy.arrays import Floats
from glasstree.tasks.base import Environment, Task, reached
from glasstree.tasks.intervals import (
    Interval,
    add,
    clip,
    cosine,
    exactly,
    observe_box,
    times,
)
from glasstree.tasks.twins import ENCLOSE, OBSERVE, STEP, Enclosure, Simulator

# all as in Gymnasium
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


@kernel(ENCLOSE)
def enclose(
    low: Floats, high: Floats, action: int, parameters: Floats, next_low: Floats, next_high: Floats
) -> int:
    """Enclose one time step of a box, what the wall stops by itself; parameters: force, gravity."""
    x, v = Interval(low[0], high[0]), Interval(low[1], high[1])
    slope = times(-parameters[1], cosine(times(3.0, x)))
    v = add(v, add(exactly((action - 1) * parameters[0]), slope))
    v = clip(v, -SPEED_LIMIT, SPEED_LIMIT)
    x = clip(add(x, v), LEFT_END, RIGHT_END)
    next_low[0, 0], next_high[0, 0], next_low[0, 1], next_high[0, 1] = x.low, x.high, v.low, v.high
    if x.low > LEFT_END or v.low >= 0.0:
        return 1
    stopped = 0 if x.high == LEFT_END else 1
    next_low[stopped, 0], next_high[stopped, 0] = LEFT_END, LEFT_END
    next_low[stopped, 1], next_high[stopped, 1] = 0.0, max(v.high, 0.0)
    return stopped + 1


TASK = Task(
    name="mountaincar",
    title="rock a car up a hill within 200 steps",
    environment=Environment("MountainCar-v0", step_limit=200),
    state_names=("x", "v"),
    units=("", ""),
    action_names=("left", "none", "right"),
    success=reached,
    simulator=Simulator(start, step, observe),
    enclosure=Enclosure(
        low=np.array([-0.6, 0.0]),
        high=np.array([-0.4, 0.0]),
        step=enclose,
        observe=observe_box,
        parameters=np.array([FORCE, GRAVITY]),
    ),
    rules=3,
    search_steps=320_000_000,
)
