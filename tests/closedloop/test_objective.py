"""What counts is the objective, in its own units; a loss is judged by its standard error."""

from dataclasses import replace

import numpy as np
import pytest

from glasstree.closedloop import FrontOptions, ReoptimisationOptions
from glasstree.closedloop.front.rounding import rounded
from glasstree.closedloop.front.tuning import Games
from glasstree.closedloop.objective import as_good, clearly_better, worth
from glasstree.closedloop.options import Objective
from glasstree.episodes import Purpose, episode_seeds
from glasstree.policy import PolicyTree, Rule
from glasstree.tasks.base import Outcomes, Task
from toys import LAMP_TASK, STEPS, lamp_tree

EPISODES = episode_seeds(Purpose.TRAIN, 0, 20)


def needs_both_terms() -> PolicyTree:
    """A rule for the lamp that is right, and wrong without any of its terms."""
    tree = lamp_tree()
    rule = Rule([[1], [2]], [0.5, 0.2], 0.4 - 0.5 * 1.5 - 0.2 * 2.5)
    return tree.with_root(replace(tree.root, rule=rule))


def needs_its_digits() -> PolicyTree:
    """A rule for the lamp that is right, and wrong with one digit less."""
    tree = lamp_tree()
    return tree.with_root(replace(tree.root, rule=Rule([[1], [2]], [1.0, -0.96], 0.0, raw=True)))


def games(task: Task, objective: Objective) -> Games:
    """Play for an objective."""
    search = ReoptimisationOptions(objective=objective)
    return Games(task, FrontOptions(rounding_episodes=20), search, seed=0)


def nobody_succeeds(ends: Outcomes) -> np.ndarray:
    """Count no episode as a success."""
    return np.zeros_like(ends.terminated)


def test_an_episode_is_worth_its_reward_or_its_success_less_the_price_of_size() -> None:
    rewards = ReoptimisationOptions(parsimony=3.0)
    assert worth(needs_both_terms(), LAMP_TASK, EPISODES, rewards).tolist() == [STEPS - 6.0] * 20
    successes = ReoptimisationOptions(objective="success", parsimony=0.25)
    assert worth(needs_both_terms(), LAMP_TASK, EPISODES, successes).tolist() == [0.5] * 20


def test_an_episode_that_fails_is_worth_less() -> None:
    search = ReoptimisationOptions(failure_cost=7.0)
    assert worth(needs_both_terms(), LAMP_TASK, EPISODES, search).tolist() == [STEPS] * 20
    task = replace(LAMP_TASK, success=nobody_succeeds)
    assert worth(needs_both_terms(), task, EPISODES, search).tolist() == [STEPS - 7.0] * 20
    unknown = replace(LAMP_TASK, success=None)
    assert worth(needs_both_terms(), unknown, EPISODES, search).tolist() == [STEPS] * 20


def test_rounding_judges_by_reward_where_that_is_the_objective() -> None:
    assert rounded(needs_its_digits(), games(LAMP_TASK, "reward")) == needs_its_digits()


def test_rounding_judges_by_success_where_that_is_the_objective() -> None:
    task = replace(LAMP_TASK, success=nobody_succeeds)
    shortest = rounded(needs_its_digits(), games(task, "success"))
    assert shortest.splits()[0].rule == Rule([[1], [2]], [1.0, -1.0], 0.0, raw=True)
    assert rounded(needs_its_digits(), games(LAMP_TASK, "success")) == needs_its_digits()


@pytest.mark.parametrize(("loss", "good"), [(0.0, True), (0.4, True), (0.6, False)])
def test_a_loss_may_be_half_a_standard_error(loss: float, good: bool) -> None:
    noise = np.tile([-1.0, 1.0], 50)
    new = noise - loss * noise.std() / np.sqrt(len(noise))
    assert as_good(new, np.zeros(100), tolerance=0.5) is good
    assert clearly_better(np.zeros(100), new, errors=0.5) is not good
