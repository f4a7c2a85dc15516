"""Re-engineering removes what control never visits and changes no decision on its way."""

import numpy as np

from glasstree.closedloop import reengineer
from glasstree.closedloop.reengineering import recount, visited_states
from glasstree.policy import Leaf, PolicyTree, Rule, Scaling, Split
from glasstree.rollout import evaluate
from toys import LAMP_TASK, constant_tree, lamp_tree


def with_dead_branch() -> PolicyTree:
    """The lamp's rule behind another one that no light ever takes to the right."""
    lamp = lamp_tree()
    never = Rule([[1]], [1.0], -2.25)
    return lamp.with_root(Split(never, lamp.root, Split(never, Leaf(1), Leaf(0))))


def test_what_is_never_visited_goes() -> None:
    slim = reengineer(with_dead_branch(), LAMP_TASK, seed=0, states=500)
    assert slim.n_rules == 1
    assert evaluate(slim, LAMP_TASK, episodes=200).success_rate == 1.0


def test_what_is_visited_stays() -> None:
    slim = reengineer(lamp_tree(), LAMP_TASK, seed=0, states=500)
    assert [split.rule for split in slim.splits()] == [split.rule for split in lamp_tree().splits()]


def test_branches_below_a_share_go_too() -> None:
    assert reengineer(lamp_tree(), LAMP_TASK, 0, states=500, min_share=0.9).n_rules == 0


def test_a_policy_without_rules_stays_as_it_is() -> None:
    assert reengineer(constant_tree(1), LAMP_TASK, seed=0, states=100).n_rules == 0


def test_recounting_counts_actions_at_every_node() -> None:
    states = np.array([[-1.0], [1.0], [1.0]])
    counted = recount(lamp_tree(), states, np.array([0, 1, 0]))
    assert isinstance(counted.root, Split)
    assert counted.root.counts == (2.0, 1.0)
    assert [leaf.counts for leaf in counted.leaves()] == [(1.0, 0.0), (1.0, 1.0)]


def test_a_leaf_that_nobody_visits_keeps_its_action() -> None:
    tree = PolicyTree(Leaf(1), Scaling([0.0], [1.0]), ("light",), ("off", "on"))
    assert recount(tree, np.empty((0, 1)), np.empty(0, dtype=np.int64)).leaves()[0].action == 1


def test_visited_states_are_whole_episodes_and_enough() -> None:
    states = visited_states(lamp_tree(), LAMP_TASK, seed=0, states=700)
    assert len(states) >= 700
    assert len(states) % 20 == 0
    assert set(states.ravel()) == {-1.0, 1.0}
