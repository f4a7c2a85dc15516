"""Acrobot: swing a two-link arm up with the motor between its links (Gymnasium's Acrobot-v1)."""

import numpy as np

from glasstree.compiled import kernel, real, tuple_of
from glasstree.policy.arrays import Floats
from glasstree.tasks.base import Environment, Task, reached
from glasstree.tasks.twins import OBSERVE, STEP, Simulator

# all as in Gymnasium; links and masses are 1
GRAVITY = 9.8
CENTRE = 0.5
TIME_STEP = 0.2
SPEED_LIMITS = (4 * np.pi, 9 * np.pi)
STAGES = np.array([0.0, TIME_STEP / 2, TIME_STEP / 2, TIME_STEP])
SHARES = np.array([1.0, 2.0, 2.0, 1.0])  # of the stages of Runge and Kutta, in sixths


def start(generator: np.random.Generator) -> Floats:
    """Draw the first state in single precision, as Gymnasium does, and what is seen of it.

    State: two angles, two speeds, then the cosine and sine of each angle.
    """
    state = generator.uniform(low=-0.1, high=0.1, size=(4,)).astype(np.float32)
    seen = [function(state[i]) for i in range(2) for function in (np.cos, np.sin)]
    return np.concatenate([state, seen]).astype(np.float64)


# Gymnasium squares by pow(x, 2), whose last bit may differ from that of x * x, and the arm is
# chaotic: an exponent that the compiler does not know keeps the call.
PARAMETERS = np.array([2.0])


@kernel(tuple_of((real, real))(real, real, real, real, real, real))
def accelerations(
    theta1: float, theta2: float, omega1: float, omega2: float, torque: float, two: float
) -> tuple[float, float]:
    """Return the accelerations of both angles (both links: mass, length and inertia 1)."""
    d1 = CENTRE**2 + (1.0 + CENTRE**2 + 2.0 * CENTRE * np.cos(theta2)) + 1.0 + 1.0
    d2 = CENTRE**2 + CENTRE * np.cos(theta2) + 1.0
    phi2 = CENTRE * GRAVITY * np.cos(theta1 + theta2 - np.pi / 2.0)
    phi1 = (
        -CENTRE * omega2**two * np.sin(theta2)
        - 2 * CENTRE * omega2 * omega1 * np.sin(theta2)
        + (CENTRE + 1.0) * GRAVITY * np.cos(theta1 - np.pi / 2)
        + phi2
    )
    pull = torque + d2 / d1 * phi1 - CENTRE * omega1**two * np.sin(theta2) - phi2
    turn2 = pull / (CENTRE**2 + 1.0 - d2**two / d1)
    return -(d2 * turn2 + phi1) / d1, turn2


@kernel(real(real))
def wrapped(angle: float) -> float:
    """Return an angle from -pi to pi."""
    while angle > np.pi:
        angle -= 2 * np.pi
    while angle < -np.pi:
        angle += 2 * np.pi
    return angle


@kernel(STEP)
def step(state: Floats, action: int, noise: Floats, parameters: Floats) -> tuple[float, bool]:
    """Advance by one Runge-Kutta step."""
    torque, two = action - 1.0, parameters[0]
    theta1, theta2, omega1, omega2 = state[0], state[1], state[2], state[3]
    v1 = v2 = a1 = a2 = 0.0
    for i in range(4):
        state[i] = 0.0
    for stage in range(4):
        ahead, share = STAGES[stage], SHARES[stage]
        x1, x2 = theta1 + ahead * v1, theta2 + ahead * v2
        v1, v2 = omega1 + ahead * a1, omega2 + ahead * a2
        a1, a2 = accelerations(x1, x2, v1, v2, torque, two)
        state[0] += share * v1
        state[1] += share * v2
        state[2] += share * a1
        state[3] += share * a2
    sixth = TIME_STEP / 6.0
    state[0] = wrapped(theta1 + sixth * state[0])
    state[1] = wrapped(theta2 + sixth * state[1])
    state[2] = min(max(omega1 + sixth * state[2], -SPEED_LIMITS[0]), SPEED_LIMITS[0])
    state[3] = min(max(omega2 + sixth * state[3], -SPEED_LIMITS[1]), SPEED_LIMITS[1])
    for i in range(2):
        state[4 + 2 * i], state[5 + 2 * i] = np.cos(state[i]), np.sin(state[i])
    up = -state[4] - np.cos(state[1] + state[0]) > 1.0
    return (0.0 if up else -1.0), up


@kernel(OBSERVE)
def observe(state: Floats, parameters: Floats, observation: Floats) -> None:
    """Observe in single precision, as Gymnasium does."""
    for i in range(4):
        observation[i] = np.float32(state[4 + i])
    observation[4], observation[5] = np.float32(state[2]), np.float32(state[3])


TASK = Task(
    name="acrobot",
    title="swing a two-link arm up with the motor between its links",
    environment=Environment("Acrobot-v1", step_limit=500),
    state_names=("cos1", "sin1", "cos2", "sin2", "omega1", "omega2"),
    units=("", "", "", "", "rad/s", "rad/s"),
    action_names=("-1", "0", "+1"),
    success=reached,
    simulator=Simulator(start, step, observe, parameters=PARAMETERS),
    rules=3,
    search_steps=800_000_000,
)
