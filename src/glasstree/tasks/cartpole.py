"""CartPole: balance a pole on a cart for 200 steps (Gymnasium's CartPole-v1)."""

import numpy as np

from glasstree.compiled import kernel, real, reals, tuple_of
from glasstree.policy.arrays import Floats
from glasstree.tasks.base import Environment, Task, survived
from glasstree.tasks.intervals import (
    Interval,
    add,
    cosine,
    divide,
    exactly,
    interval,
    multiply,
    observe_box,
    power,
    sine,
    subtract,
    times,
)
from glasstree.tasks.twins import ENCLOSE, OBSERVE, STEP, Enclosure, Simulator

# all as in Gymnasium
GRAVITY = 9.8
POLE_MASS = 0.1
TOTAL_MASS = POLE_MASS + 1.0
HALF_LENGTH = 0.5
POLE_MOMENT = POLE_MASS * HALF_LENGTH
FORCE = 10.0
TIME_STEP = 0.02
ANGLE_LIMIT = 12 * 2 * np.pi / 360
TRACK_LIMIT = 2.4
START = 0.05
THIRDS = (np.nextafter(4.0 / 3.0, 0.0), np.nextafter(4.0 / 3.0, 2.0))  # 4 / 3 lies between


def start(generator: np.random.Generator) -> Floats:
    """Draw the first state as Gymnasium does."""
    return generator.uniform(low=-START, high=START, size=(4,))


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


@kernel(tuple_of((interval, interval))(interval, interval, real, reals))
def enclosed_accelerations(
    theta: Interval, omega: Interval, force: float, parameters: Floats
) -> tuple[Interval, Interval]:
    """Enclose the accelerations of cart and pole."""
    cosines, sines = cosine(theta), sine(theta)
    swing = multiply(times(POLE_MOMENT, power(omega, 2)), sines)
    pull = divide(add(exactly(force), swing), exactly(TOTAL_MASS))
    share = divide(times(POLE_MASS, power(cosines, 2)), exactly(TOTAL_MASS))
    inertia = times(HALF_LENGTH, subtract(Interval(THIRDS[0], THIRDS[1]), share))
    turn = divide(subtract(times(parameters[0], sines), multiply(cosines, pull)), inertia)
    back = divide(multiply(times(POLE_MOMENT, turn), cosines), exactly(TOTAL_MASS))
    return subtract(pull, back), turn


@kernel(ENCLOSE)
def enclose(
    low: Floats, high: Floats, action: int, parameters: Floats, next_low: Floats, next_high: Floats
) -> int:
    """Enclose one time step of a box; parameters are gravity, force and time step."""
    x, v = Interval(low[0], high[0]), Interval(low[1], high[1])
    theta, omega = Interval(low[2], high[2]), Interval(low[3], high[3])
    force = parameters[1] if action == 1 else -parameters[1]
    push, turn = enclosed_accelerations(theta, omega, force, parameters)
    time = parameters[2]
    following = (
        add(x, times(time, v)),
        add(v, times(time, push)),
        add(theta, times(time, omega)),
        add(omega, times(time, turn)),
    )
    for variable in range(4):
        next_low[0, variable] = following[variable].low
        next_high[0, variable] = following[variable].high
    return 1


TASK = Task(
    name="cartpole",
    title="balance a pole on a cart for 200 steps",
    environment=Environment("CartPole-v1", step_limit=200),
    state_names=("x", "v", "theta", "omega"),
    units=("m", "m/s", "rad", "rad/s"),
    action_names=("left", "right"),
    success=survived,
    simulator=Simulator(start, step, observe),
    enclosure=Enclosure(
        low=np.full(4, -START),
        high=np.full(4, START),
        step=enclose,
        observe=observe_box,
        parameters=np.array([GRAVITY, FORCE, TIME_STEP]),
    ),
    rules=1,
    search_steps=60_000_000,
    training_steps=1000,
)
