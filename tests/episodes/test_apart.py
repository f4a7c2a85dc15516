"""Episodes keep to themselves: their seeds, their environments, their last rewards."""

from dataclasses import replace
from itertools import product
from typing import Any

import gymnasium
import pytest

from glasstree.episodes import Purpose, episode_seeds, evaluate
from glasstree.episodes.scoring import play_all
from glasstree.tasks import Task
from toys import LAMP_TASK, SLOW_LAMP_TASK, LampEnv, lamp_tree

DARK = "glasstree-tests/DarkLamp-v0"


class DarkLampEnv(LampEnv):
    """LampEnv that ends at once."""

    def step(self, action: int) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        """End."""
        seen, *_ = super().step(action)
        return seen, 0.0, True, False, {}


if DARK not in gymnasium.registry:
    gymnasium.register(DARK, entry_point=DarkLampEnv)


def test_neighbouring_runs_and_purposes_share_no_episode() -> None:
    seeds = [episode_seeds(p, seed, 2).tolist() for p, seed in product(Purpose, range(20))]
    assert len({seed for pair in seeds for seed in pair}) == 2 * 20 * len(Purpose)


def test_an_environment_is_not_lent_in_the_place_of_another() -> None:
    dark = replace(SLOW_LAMP_TASK, environment=replace(SLOW_LAMP_TASK.environment, id=DARK))
    for task, reward in ((SLOW_LAMP_TASK, 20.0), (dark, 0.0), (SLOW_LAMP_TASK, 20.0)):
        assert evaluate(lamp_tree(), task, episodes=3).mean_reward == reward


@pytest.mark.parametrize("task", [LAMP_TASK, SLOW_LAMP_TASK], ids=["compiled", "gymnasium"])
def test_the_last_reward_is_that_of_the_last_step(task: Task) -> None:
    ends = play_all(lamp_tree(-0.9), task, episode_seeds(Purpose.FINAL, 0, 12))
    assert ends.rewards.max() > 1.0
    assert ends.last_rewards.tolist() == [0.0] * 12
    right = play_all(lamp_tree(), task, episode_seeds(Purpose.FINAL, 0, 2))
    assert right.last_rewards.tolist() == [1.0, 1.0]
