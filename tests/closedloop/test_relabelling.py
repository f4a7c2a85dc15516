"""A leaf is relabelled where that is worth more, also if no rule is spared by it."""

from glasstree.closedloop import ReengineeringOptions, ReoptimisationOptions, reengineer
from glasstree.episodes import evaluate
from glasstree.policy import Leaf, Split
from toys import LAMP_TASK, lamp_tree

BUDGET = ReengineeringOptions(states=500, episodes=50, choosing_episodes=100)


def test_two_leaves_that_act_alike_learn_to_differ() -> None:
    lamp = lamp_tree()
    alike = lamp.with_root(Split(lamp.splits()[0].rule, Leaf(0), Leaf(0)))
    assert evaluate(alike, LAMP_TASK, episodes=100).success_rate == 0.0
    mended = reengineer(alike, LAMP_TASK, BUDGET, ReoptimisationOptions(), seed=0)
    assert evaluate(mended, LAMP_TASK, episodes=100).success_rate == 1.0
