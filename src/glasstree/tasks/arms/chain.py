"""Physics of a hanging chain of uniform rods in a plane, stepped by symplectic Euler.

Parameters: links, height to reach, torque over (mass x length^2), then the joint of each motor.
State: joint angles, then joint speeds; each joint is relative to the link before it.
An action in base 3 holds one digit a motor, the first motor's lowest: 0, 1, 2 for -tau, 0, +tau.
"""

import numpy as np

from glasstree.compiled import integer, kernel, nothing, real, reals, reals2, truth, tuple_of
from glasstree.policy.arrays import Floats
from glasstree.tasks.twins import OBSERVE, STEP

# told in docs/tasks.md
GRAVITY = 10.0
TIME_STEP = 1.0 / 240.0
SPEED_LIMIT = 100.0
GOAL_REWARD = 100.0
HEADER = 3


@kernel(nothing(reals2, reals))
def solve(matrix: Floats, vector: Floats) -> None:
    """Solve a symmetric positive system in place, by its lower triangle."""
    n = len(vector)
    for j in range(n):
        for k in range(j):
            scaled = matrix[j, k] * matrix[k, k]
            matrix[j, j] -= scaled * matrix[j, k]
            for i in range(j + 1, n):
                matrix[i, j] -= matrix[i, k] * scaled
        for i in range(j + 1, n):
            matrix[i, j] /= matrix[j, j]
    for i in range(n):
        for k in range(i):
            vector[i] -= matrix[i, k] * vector[k]
    for i in range(n - 1, -1, -1):
        vector[i] /= matrix[i, i]
        for k in range(i + 1, n):
            vector[i] -= matrix[k, i] * vector[k]


@kernel(nothing(reals, integer, reals, reals))
def accelerations(state: Floats, action: int, parameters: Floats, result: Floats) -> None:
    """Fill in the accelerations of the absolute angles of the links."""
    n = int(parameters[0])
    cosine, sine, speed = np.empty(n), np.empty(n), np.empty(n)
    angle, rate = 0.0, 0.0
    for i in range(n):
        angle += state[i]
        rate += state[n + i]
        cosine[i], sine[i], speed[i] = np.cos(angle), np.sin(angle), rate
    matrix = np.empty((n, n))
    for i in range(n):
        result[i] = -GRAVITY * (n - 0.5 - i) * sine[i]
    for i in range(n):
        matrix[i, i] = 1.0 / 3.0 + (n - 1 - i)
        for j in range(i):
            outer = n - 0.5 - i
            matrix[i, j] = outer * (cosine[i] * cosine[j] + sine[i] * sine[j])
            swing = outer * (sine[i] * cosine[j] - cosine[i] * sine[j])
            result[i] -= swing * speed[j] * speed[j]
            result[j] += swing * speed[i] * speed[i]
    for motor in range(len(parameters) - HEADER):
        joint = int(parameters[HEADER + motor])
        torque = (action % 3 - 1) * parameters[2]
        action //= 3
        result[joint] += torque
        if joint > 0:
            result[joint - 1] -= torque
    solve(matrix, result)


@kernel(real(reals, integer))
def tip_height(state: Floats, links: int) -> float:
    """Return the height of the tip over the base."""
    angle, height = 0.0, 0.0
    for i in range(links):
        angle += state[i]
        height -= np.cos(angle)
    return height


@kernel(tuple_of((real, truth))(real, real, integer))
def reward(tip: float, height: float, links: int) -> tuple[float, bool]:
    """Return the reward at a tip height, and whether that reaches the goal."""
    if tip >= height:
        return GOAL_REWARD, True
    return -1.0 - ((height + 1.0 - tip) / (links + height + 1.0)) ** 2, False


@kernel(STEP)
def step(state: Floats, action: int, noise: Floats, parameters: Floats) -> tuple[float, bool]:
    """Advance by one time step."""
    n = int(parameters[0])
    change = np.empty(n)
    accelerations(state, action, parameters, change)
    before = 0.0
    for i in range(n):
        speed = state[n + i] + TIME_STEP * (change[i] - before)
        before = change[i]
        state[n + i] = min(max(speed, -SPEED_LIMIT), SPEED_LIMIT)
        state[i] += TIME_STEP * state[n + i]
    return reward(tip_height(state, n), parameters[1], n)


@kernel(OBSERVE)
def observe(state: Floats, parameters: Floats, observation: Floats) -> None:
    """Observe angles and speeds as they are."""
    observation[:] = state
