"""Re-engineering removes what control never visits, and relabels where episodes earn more."""

from dataclasses import replace

import numpy as np
import pytest

from glasstree.closedloop import ReengineeringOptions, ReoptimisationOptions, reengineer
from glasstree.closedloop.reengineering import recount, visited_states
from glasstree.compiled import kernel
from glasstree.episodes import evaluate
from glasstree.policy import Leaf, PolicyTree, Rule, Split
from glasstree.policy.arrays import Floats
from glasstree.tasks.base import Task
from glasstree.tasks.twins import STEP
from toys import LAMP_TASK, SLOW_LAMP_TASK, constant_tree, lamp_tree

QUICK = ReengineeringOptions(states=500, episodes=50, choosing_episodes=100)
UNLABELLED = replace(QUICK, episodes=0)
SEARCH = ReoptimisationOptions()


@kernel(STEP)
def always_right(
    state: Floats, action: int, noise: Floats, parameters: Floats
) -> tuple[float, bool]:
    """Light up again, whatever the answer."""
    state[0] = 1.0 if noise[0] < 0.5 else -1.0
    return 1.0, False


def with_dead_branch() -> PolicyTree:
    """The lamp's rule behind another one that no light ever takes to the right."""
    lamp = lamp_tree()
    never = Rule([[1]], [1.0], -2.25)
    return lamp.with_root(Split(never, lamp.root, Split(never, Leaf(1), Leaf(0))))


def test_what_is_never_visited_goes() -> None:
    slim = reengineer(with_dead_branch(), LAMP_TASK, UNLABELLED, SEARCH, seed=0)
    assert slim.n_rules == 1
    assert evaluate(slim, LAMP_TASK, episodes=200).success_rate == 1.0


def test_what_is_visited_stays() -> None:
    slim = reengineer(lamp_tree(), LAMP_TASK, QUICK, SEARCH, seed=0)
    assert [split.rule for split in slim.splits()] == [split.rule for split in lamp_tree().splits()]


def test_branches_below_a_share_go_too() -> None:
    rare = replace(UNLABELLED, min_share=0.9)
    assert reengineer(lamp_tree(), LAMP_TASK, rare, SEARCH, seed=0).n_rules == 0


def test_a_policy_without_rules_stays_as_it_is() -> None:
    assert reengineer(constant_tree(1), LAMP_TASK, QUICK, SEARCH, seed=0).n_rules == 0


def test_recounting_counts_actions_at_every_node() -> None:
    counted = recount(lamp_tree(), np.array([[-1.0], [1.0], [1.0]]))
    assert isinstance(counted.root, Split)
    assert counted.root.counts == (1.0, 2.0)
    assert [leaf.counts for leaf in counted.leaves()] == [(1.0, 0.0), (0.0, 2.0)]


def mislabelled() -> PolicyTree:
    """Two rules for the lamp, one of whose three visited leaves answers wrongly."""
    lamp = lamp_tree()
    dim = Rule([[1]], [1.0], -1.25)
    return lamp.with_root(Split(lamp.root.rule, Split(dim, Leaf(1), Leaf(0)), Leaf(1)))


@pytest.mark.parametrize("task", [LAMP_TASK, SLOW_LAMP_TASK], ids=["compiled", "gymnasium"])
def test_a_leaf_gets_the_action_that_episodes_earn_more_by(task: Task) -> None:
    assert evaluate(mislabelled(), task, episodes=100).success_rate == 0.0
    mended = reengineer(mislabelled(), task, QUICK, SEARCH, seed=0)
    assert evaluate(mended, task, episodes=100).success_rate == 1.0
    assert mended.n_rules == 1
    assert [leaf.counts for leaf in mended.leaves()] == [
        (sum(leaf.counts), 0.0) if leaf.action == 0 else (0.0, sum(leaf.counts))
        for leaf in mended.leaves()
    ]


def test_both_leaves_of_a_rule_may_change() -> None:
    lamp = lamp_tree()
    swapped = lamp.with_root(Split(lamp.root.rule, Leaf(1), Leaf(0)))
    mended = reengineer(swapped, LAMP_TASK, QUICK, SEARCH, seed=0)
    assert evaluate(mended, LAMP_TASK, episodes=100).success_rate == 1.0


def test_without_episodes_leaves_keep_their_actions() -> None:
    kept = reengineer(mislabelled(), LAMP_TASK, UNLABELLED, SEARCH, seed=0)
    assert evaluate(kept, LAMP_TASK, episodes=100).success_rate == 0.0


def test_a_relabelling_that_only_spares_a_rule_may_not_cost_episodes() -> None:
    shown = reengineer(lamp_tree(), LAMP_TASK, replace(QUICK, tolerance=0.5), SEARCH, seed=0)
    assert shown.n_rules == 1
    generous = replace(QUICK, tolerance=1e6, clearly=1e6)
    assert reengineer(lamp_tree(), LAMP_TASK, generous, SEARCH, seed=0).n_rules == 0


def test_rules_go_where_their_leaves_may_act_alike() -> None:
    indifferent = replace(LAMP_TASK, simulator=replace(LAMP_TASK.simulator, step=always_right))
    slim = reengineer(lamp_tree(), indifferent, QUICK, SEARCH, seed=0)
    assert slim.n_rules == 0


def test_visited_states_are_whole_episodes_and_enough() -> None:
    states = visited_states(lamp_tree(), LAMP_TASK, seed=0, states=700)
    assert len(states) >= 700
    assert len(states) % 20 == 0
    assert set(states.ravel()) == {-1.0, 1.0}
