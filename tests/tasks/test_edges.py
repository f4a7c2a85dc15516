"""Edges that random episodes hardly reach: walls, limits, and what counts as success."""

import numpy as np
import pytest

from glasstree.episodes import evaluate
from glasstree.tasks import get_task
from glasstree.tasks.base import Outcomes, reached, survived
from toys import SLOW_LAMP_TASK, constant_tree, lamp_tree


@pytest.mark.parametrize(
    "state",
    [[-1.19, -0.05], [-1.2, 0.0], [-1.2, -0.01], [0.49, 0.07], [0.55, -0.07], [-0.9, 0.0699]],
)
@pytest.mark.parametrize("action", [0, 1, 2])
def test_the_ends_of_mountain_cars_valley_are_gymnasiums(state: list[float], action: int) -> None:
    task = get_task("mountaincar")
    assert task.simulator is not None
    ours = np.array(state)
    reward, ended = task.simulator.step(ours, action, np.zeros(0), task.simulator.parameters)
    environment = task.environment()
    environment.reset(seed=0)
    environment.unwrapped.state = np.array(state)  # type: ignore[attr-defined]
    _, theirs_reward, theirs_ended, _, _ = environment.step(action)
    assert ours == pytest.approx(environment.unwrapped.state)  # type: ignore[attr-defined]
    assert (reward, ended) == (theirs_reward, theirs_ended)


def test_success_is_the_limit_or_the_goal() -> None:
    ends = Outcomes(np.zeros(2), np.array([5, 3]), np.array([False, True]), np.zeros(2))
    assert survived(ends).tolist() == [True, False]
    assert reached(ends).tolist() == [False, True]
    assert evaluate(lamp_tree(), SLOW_LAMP_TASK, episodes=5).success_rate == 1.0
    assert evaluate(constant_tree(), SLOW_LAMP_TASK, episodes=5).success_rate == 0.0
