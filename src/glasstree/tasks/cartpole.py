"""CartPole: balance a pole on a cart for 200 steps (Gymnasium's CartPole-v1)."""

import numpy as np

from glasstree.compiled import kernel
from glasstree.policy.arrays import Floats
from glasstree.tasks.base import OBSERVE, STEP, Environment, Simulator, Task, survived

GRAVITY = 9.8
POLE_MASS = 0.1
TOTAL_MASS = POLE_MASS + 1.0
HALF_LENGTH = 0.5
POLE_MOMENT = POLE_MASS * HALF_LENGTH
FORCE = 10.0
TIME_STEP = 0.02
ANGLE_LIMIT = 12 * 2 * np.pi / 360
TRACK_LIMIT = 2.4


def start(generator: np.random.Generator) -> Floats:
    """Draw the first state as Gymnasium does."""
    return generator.uniform(low=-0.05, high=0.05, size=(4,))


@kernel(STEP)
def step(state: Floats, action: int, noise: Floats, parameters: Floats) -> tuple[float, bool]:
    """Advance by one time step."""
    x, v, theta, omega = state[0], state[1], state[2], state[3]
    force = FORCE if action == 1 else -FORCE
    cosine, sine = np.cos(theta), np.sin(theta)
    pull = (force + POLE_MOMENT * np.square(omega) * sine) / TOTAL_MASS
    turn = (GRAVITY * sine - cosine * pull) / (
        HALF_LENGTH * (4.0 / 3.0 - POLE_MASS * np.square(cosine) / TOTAL_MASS)
    )
    push = pull - POLE_MOMENT * turn * cosine / TOTAL_MASS
    state[0] = x + TIME_STEP * v
    state[1] = v + TIME_STEP * push
    state[2] = theta + TIME_STEP * omega
    state[3] = omega + TIME_STEP * turn
    fallen = abs(state[0]) > TRACK_LIMIT or abs(state[2]) > ANGLE_LIMIT
    return 1.0, fallen


@kernel(OBSERVE)
def observe(state: Floats, parameters: Floats, observation: Floats) -> None:
    """Observe in single precision, as Gymnasium does."""
    for variable in range(4):
        observation[variable] = np.float32(state[variable])


TASK = Task(
    name="cartpole",
    title="balance a pole on a cart for 200 steps",
    environment=Environment("CartPole-v1", step_limit=200),
    state_names=("x", "v", "theta", "omega"),
    units=("m", "m/s", "rad", "rad/s"),
    action_names=("left", "right"),
    success=survived,
    simulator=Simulator(start, step, observe),
    rules=1,
    search_steps=5_000_000,
    training_steps=500,
)
