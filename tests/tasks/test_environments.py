"""Our own Gymnasium environments, their pictures, and what their rules say."""

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env

from glasstree.tasks import get_task, task_names
from glasstree.tasks.arms import chain
from glasstree.tasks.arms.manipulator import manipulator
from glasstree.tasks.base import Outcomes


@pytest.mark.parametrize("name", ["glasstree/CarFollowing-v0", "glasstree/Manipulator-v0"])
def test_environments_pass_the_checker(name):
    check_env(gymnasium.make(name, render_mode="rgb_array").unwrapped)


def test_bullet_environment_passes_the_checker():
    pytest.importorskip("pybullet")
    options = {"links": 2, "height": 1.0, "engine": "bullet", "render_mode": "rgb_array"}
    check_env(gymnasium.make("glasstree/Manipulator-v0", **options).unwrapped)


@pytest.mark.parametrize("name", task_names())
def test_every_task_draws_pictures_and_has_names(name):
    task = get_task(name)
    environment = task.environment(render_mode="rgb_array")
    first, _ = environment.reset(seed=0)
    picture = environment.render()
    for _ in range(8):
        environment.step(0)
    assert picture.ndim == 3 and picture.shape[2] == 3 and picture.dtype == np.uint8
    assert not np.array_equal(picture, environment.render())
    assert len(first) == task.n_variables == len(task.units)
    assert environment.action_space.n == task.n_actions
    environment.close()


def test_car_following_rewards_30_metres_most():
    environment = get_task("carfollowing").environment()
    environment.reset(seed=0)
    road = environment.unwrapped
    rewards = {}
    for gap in (10.0, 29.0, 30.0, 31.0, 60.0):
        road.front, road.rear, road.front_speed, road.rear_speed = gap, 0.0, 0.0, 0.0
        rewards[gap] = environment.step(0)[1]
    assert rewards[30.0] == 225.0 == max(rewards.values())
    assert rewards[10.0] == 75.0
    assert rewards[60.0] == pytest.approx(120.0 + 75.0 / np.e)


@pytest.mark.parametrize(
    ("gap", "ends"), [(0.0, True), (0.1, False), (150.0, False), (150.1, True)]
)
def test_car_following_ends_in_a_crash_or_out_of_sight(gap, ends):
    environment = get_task("carfollowing").environment()
    environment.reset(seed=0)
    environment.unwrapped.front = gap
    assert environment.step(0)[2] is ends


def test_hanging_arm_keeps_its_energy():
    parameters = manipulator(4).simulator.parameters
    state = np.array([0.3, -0.2, 0.1, 0.4, 0.0, 0.0, 0.0, 0.0])

    def height_of_centre(joints):
        angles = np.cumsum(joints[:4])
        ends = -np.cumsum(np.cos(angles))
        return (ends + 0.5 * np.cos(angles)).mean()

    lowest_at_rest = height_of_centre(np.zeros(4))
    highest = lowest_at_rest
    first = height_of_centre(state)
    for _ in range(2000):
        chain.step(state, 1, np.zeros(0), parameters)
        highest = max(highest, height_of_centre(state))
    assert highest <= first + 0.01
    assert height_of_centre(state) >= lowest_at_rest


def test_speed_of_a_joint_is_limited():
    parameters = manipulator(2, torque=1e7, height=1.9).simulator.parameters
    state = np.zeros(4)
    chain.step(state, 2, np.zeros(0), parameters)
    assert np.abs(state[2:]).max() == chain.SPEED_LIMIT


def test_goal_of_the_arm_is_its_height():
    assert chain.reward(2.0, 2.0, 5) == (100.0, True)
    reward, ended = chain.reward(-5.0, 2.0, 5)
    assert (reward, ended) == (-2.0, False)


def test_landing_counts_only_with_the_reward_for_rest():
    ends = Outcomes(
        rewards=np.array([250.0, -120.0, 130.0]),
        steps=np.array([200, 80, 1000]),
        terminated=np.array([True, True, False]),
        last_rewards=np.array([100.0, -100.0, 0.1]),
    )
    assert get_task("lunarlander").success(ends).tolist() == [True, False, False]
