"""Compiled simulators against Gymnasium and PyBullet, step by step."""

import math
import platform

import numpy as np
import pytest

from glasstree.tasks import Task, get_task
from glasstree.tasks.arms.manipulator import ManipulatorEnv

EPISODES = 100
CLOSE = 1e-9
HORIZON = 120  # chaos makes 1e-9 of a rounding error in about a second
TWINS = ("cartpole", "carfollowing", "mountaincar", "lunarlander", "acrobot", "psm5", "psm10")


def numpy_uses_libm() -> bool:
    """Tell whether NumPy's cosine is the compiled one, so that chaotic episodes stay together."""
    angles = np.random.default_rng(0).uniform(-4.0, 4.0, 2000)
    return all(np.cos(angle) == math.cos(angle) for angle in angles)


def play_both(task: Task, environment, seed: int) -> tuple[np.ndarray, np.ndarray]:
    """Play one episode in both: rows of what is seen, reward, terminated, truncated."""
    simulator, limit = task.simulator, task.step_limit
    starts, noise = simulator.draw(np.array([seed]), limit)
    state, parameters = starts[0], simulator.parameters
    actions = np.random.default_rng(seed).integers(task.n_actions, size=limit).tolist()
    ours, theirs = np.zeros((2, limit + 1, task.n_variables + 3))
    simulator.observe(state, parameters, ours[0, :-3])
    theirs[0, :-3], _ = environment.reset(seed=seed)
    for time, action in enumerate(actions, 1):
        reward, ended = simulator.step(state, action, noise[0, time - 1], parameters)
        simulator.observe(state, parameters, ours[time, :-3])
        ours[time, -3:] = reward, ended, time == limit
        theirs[time, :-3], *theirs[time, -3:], _ = environment.step(action)
        if theirs[time, -2:].any():
            return ours, theirs
    raise AssertionError("the environment did not end")


@pytest.mark.parametrize("name", TWINS)
def test_simulator_equals_gymnasium(name):
    if name == "acrobot" and not numpy_uses_libm():
        pytest.skip("this NumPy rounds cosines in its own way, and the arm is chaotic")
    if name == "lunarlander" and platform.machine() not in ("x86_64", "AMD64"):
        pytest.skip("Box2D rounds otherwise on this processor, and contacts are chaotic")
    task = get_task(name)
    environment = task.environment()
    for seed in range(EPISODES):
        ours, theirs = play_both(task, environment, seed)
        np.testing.assert_allclose(ours, theirs, rtol=0.0, atol=CLOSE)


@pytest.mark.parametrize(("links", "torque", "mass"), [(5, 1000.0, 10.0), (10, 2000.0, 20.0)])
def test_manipulator_equals_pybullet(links, torque, mass):
    pytest.importorskip("pybullet")
    ours = ManipulatorEnv(links, torque, mass=mass)
    theirs = ManipulatorEnv(links, torque, mass=mass, engine="bullet")
    for seed in range(EPISODES):
        actions = np.random.default_rng(seed).integers(3, size=500).tolist()
        state, _ = ours.reset(seed=seed)
        theirs.reset(seed=seed)
        seen, expected = np.zeros((2, 500, 2 * links + 2))
        for time, action in enumerate(actions):
            if time % HORIZON == 0:
                theirs.engine.reset(state)
            state, *seen[time, -2:], _, _ = ours.step(action)
            seen[time, :-2] = state
            expected[time, :-2], *expected[time, -2:], _, _ = theirs.step(action)
            if seen[time, -1]:
                break
        np.testing.assert_allclose(seen, expected, rtol=0.0, atol=CLOSE)
    theirs.close()


def test_several_motors_equal_pybullet():
    pytest.importorskip("pybullet")
    options = {"links": 3, "torque": 40.0, "mass": 2.0, "height": 2.5, "motors": (0, 2)}
    ours, theirs = ManipulatorEnv(**options), ManipulatorEnv(**options, engine="bullet")
    ours.reset(seed=1)
    theirs.reset(seed=1)
    generator = np.random.default_rng(0)
    for _ in range(120):
        action = int(generator.integers(9))
        state, expected = ours.step(action)[0], theirs.step(action)[0]
        np.testing.assert_allclose(state, expected, rtol=0.0, atol=CLOSE)
    theirs.close()
