"""Compiled episodes are Gymnasium's episodes, state by state."""

import numpy as np
import pytest

from glasstree.episodes import Purpose, episode_seeds, play
from glasstree.episodes.compiled import CompiledEpisodes
from glasstree.episodes.scoring import play_candidates
from glasstree.errors import OracleError
from glasstree.oracles import load_oracle
from glasstree.parallel import using_workers
from glasstree.policy.arrays import Floats, Ints, Policy
from glasstree.tasks import get_task
from toys import LAMP_TASK, SLOW_LAMP_TASK, STEPS, constant_tree, lamp_tree


class Leaning:
    """Balances badly: follows the pole's angle alone."""

    def actions(self, states: Floats, /) -> Ints:
        """Push to the side of the lean."""
        return (states[:, 2] > 0).astype(np.int64)


class Answers:
    """Returns whatever it was given."""

    def __init__(self, answer: object) -> None:
        self.answer = answer

    def actions(self, states: Floats, /) -> Ints:
        """Return the prepared answer."""
        return self.answer  # type: ignore[return-value]


@pytest.mark.parametrize("policy", [load_oracle("cartpole"), Leaning()])
def test_compiled_cartpole_is_gymnasiums_in_every_state_of_100_episodes(policy: Policy) -> None:
    task, seeds = get_task("cartpole"), episode_seeds(Purpose.FINAL, 5, 100)
    ends, records = play(policy, task, seeds, record=True)
    theirs, their_records = play(policy, task, seeds, record=True, compiled=False)
    assert records is not None
    assert their_records is not None
    assert np.array_equal(records.episodes, their_records.episodes)
    assert np.abs(records.states - their_records.states).max() <= 1e-9
    assert np.array_equal(records.actions, their_records.actions)
    for name in ("rewards", "steps", "terminated", "last_rewards"):
        assert np.array_equal(getattr(ends, name), getattr(theirs, name))


def test_the_two_policies_above_end_episodes_in_both_ways() -> None:
    task, seeds = get_task("cartpole"), episode_seeds(Purpose.FINAL, 5, 100)
    assert not play(load_oracle("cartpole"), task, seeds)[0].terminated.any()
    assert play(Leaning(), task, seeds)[0].terminated.all()


def test_episodes_do_not_depend_on_their_company() -> None:
    seeds = episode_seeds(Purpose.TRAIN, 1, 150)
    together = play(constant_tree(1), LAMP_TASK, seeds)[0].rewards
    alone = [play(constant_tree(1), LAMP_TASK, seeds[i : i + 1])[0].rewards[0] for i in range(150)]
    gymnasium = play(constant_tree(1), SLOW_LAMP_TASK, seeds)[0].rewards
    assert together.tolist() == alone == gymnasium.tolist()
    assert len(set(alone)) > 2


def test_records_stand_in_the_order_of_episodes() -> None:
    _, records = play(
        constant_tree(1), LAMP_TASK, episode_seeds(Purpose.TRAIN, 1, 100), record=True
    )
    assert records is not None
    assert (np.diff(records.episodes) >= 0).all()
    assert set(records.episodes) == set(range(100))


@pytest.mark.parametrize("task", [LAMP_TASK, SLOW_LAMP_TASK], ids=["compiled", "gymnasium"])
def test_the_right_rule_answers_all_lights(task: object) -> None:
    ends, _ = play(lamp_tree(), task, episode_seeds(Purpose.FINAL, 0, 50))  # type: ignore[arg-type]
    assert set(ends.rewards) == {float(STEPS)}
    assert not ends.terminated.any()


@pytest.mark.parametrize("workers", [1, 3])
def test_candidates_score_alike_whatever_the_workers_and_the_engine(workers: int) -> None:
    seeds = episode_seeds(Purpose.TRAIN, 0, 20)
    candidates = np.array([[1.0, bias, 0.0] for bias in (-0.5, -1.5, -2.5)])
    with using_workers(workers):
        ends = play_candidates(lamp_tree(), candidates, LAMP_TASK, seeds)
    slow = play_candidates(lamp_tree(), candidates, SLOW_LAMP_TASK, seeds)
    assert np.array_equal(ends.rewards, slow.rewards)
    assert ends.rewards.mean(axis=1).argmax() == 1
    one = CompiledEpisodes(LAMP_TASK, seeds).play(lamp_tree(-0.5), candidates[:1])
    assert np.array_equal(one.rewards[0], ends.rewards[0])


@pytest.mark.parametrize(
    "answer, words",
    [
        (np.array([0.5, 1.5]), "must return one integer action per state"),
        (np.array([0, 1, 1]), r"shape \(3,\) for 2 states"),
        (np.array([[0], [1]]), r"shape \(2, 1\) for 2 states"),
        (np.array([0, 2]), "chose action 2, but lamp has actions 0 to 1"),
        (np.array([-1, 1]), "chose action -1, but lamp has actions 0 to 1"),
        (None, "must return one integer action"),
    ],
)
def test_a_policy_that_misbehaves_is_named_at_once(answer: object, words: str) -> None:
    with pytest.raises(OracleError, match=words):
        play(Answers(answer), LAMP_TASK, episode_seeds(Purpose.FINAL, 0, 2))
