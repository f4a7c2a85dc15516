"""One evaluation for all policies, with figures that are what they are called."""

import numpy as np
import pytest

import glasstree as gt
from glasstree.episodes import Purpose, evaluate
from glasstree.episodes.evaluation import Performance
from glasstree.errors import DataError, OptionError, TaskError
from glasstree.oracles import load_oracle
from glasstree.tasks.base import Outcomes
from toys import LAMP_TASK, SLOW_LAMP_TASK, constant_tree, lamp_oracle, lamp_tree, small_tree


def performance(rewards: np.ndarray) -> Performance:
    """Summarise episodes that ended with these rewards, the even ones by failure."""
    n = len(rewards)
    failed = np.arange(n) % 2 == 0
    return Performance.of(Outcomes(rewards, np.full(n, 7), failed, rewards), LAMP_TASK)


def test_figures_are_those_of_statistics() -> None:
    rewards = np.random.default_rng(0).normal(50.0, 4.0, 1050)
    found = performance(rewards)
    assert found.mean_reward == pytest.approx(rewards.mean())
    assert found.episode_sd == pytest.approx(rewards.std(ddof=1))
    batches = [rewards[i : i + 100].mean() for i in range(0, 1000, 100)]
    assert found.batch_sd == pytest.approx(np.std(batches, ddof=1))
    half = 1.96 * rewards.std(ddof=1) / np.sqrt(1050)
    assert found.ci95 == pytest.approx((rewards.mean() - half, rewards.mean() + half))
    assert (found.success_rate, found.episodes, found.mean_steps) == (0.5, 1050, 7.0)


def test_too_few_episodes_have_no_batch_deviation() -> None:
    assert performance(np.ones(150)).batch_sd is None
    assert performance(np.ones(1)).figures()["episode_sd"] == 0.0


def test_compiled_trees_score_as_the_same_tree_in_gymnasium() -> None:
    for tree in (lamp_tree(), lamp_tree(-0.5), constant_tree()):
        fast = evaluate(tree, LAMP_TASK, episodes=120, seed=3)
        slow = evaluate(tree, SLOW_LAMP_TASK, episodes=120, seed=3)
        assert fast.figures() == slow.figures()


def test_oracle_and_tree_meet_the_same_episodes() -> None:
    function = load_oracle(lamp_oracle)
    wrong = load_oracle(lambda states: 1 - lamp_oracle(states))
    assert evaluate(function, LAMP_TASK, episodes=50).success_rate == 1.0
    assert evaluate(wrong, LAMP_TASK, episodes=50).mean_reward == 0.0


def test_seed_and_purpose_choose_the_episodes() -> None:
    def rewards(seed: int, purpose: Purpose = Purpose.FINAL) -> list[float]:
        found = evaluate(constant_tree(), LAMP_TASK, episodes=60, seed=seed, purpose=purpose)
        return found.rewards.tolist()

    assert rewards(1) == rewards(1)
    assert rewards(1) != rewards(2)
    assert rewards(1) != rewards(1, Purpose.CHOOSE)


def test_more_episodes_begin_with_the_same_ones() -> None:
    few = evaluate(constant_tree(), LAMP_TASK, episodes=100).rewards
    many = evaluate(constant_tree(), LAMP_TASK, episodes=2100).rewards
    assert many[:100].tolist() == few.tolist()


def test_a_tree_of_another_task_is_refused() -> None:
    with pytest.raises(DataError, match="2 variables and 3 actions, but lamp has 1 and 2"):
        evaluate(small_tree(), LAMP_TASK)


@pytest.mark.parametrize("episodes", [0, -5])
def test_no_episodes_are_refused(episodes: int) -> None:
    with pytest.raises(OptionError, match="at least 1 episode"):
        evaluate(lamp_tree(), LAMP_TASK, episodes=episodes)


def test_an_unknown_task_suggests_the_nearest() -> None:
    with pytest.raises(TaskError, match="did you mean 'cartpole'"):
        gt.evaluate(lamp_tree(), "cartpol")


def test_what_is_no_policy_is_refused_with_the_way_out() -> None:
    with pytest.raises(DataError, match="got function; load_oracle makes one"):
        evaluate(lamp_oracle, LAMP_TASK, episodes=2)  # type: ignore[arg-type]
