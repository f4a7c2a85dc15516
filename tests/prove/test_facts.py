"""What is told without being asked is true."""

import numpy as np
import pytest

from glasstree.policy import Leaf, PolicyTree, Rule, Scaling, Split
from glasstree.prove import facts_of, surroundings
from proof_policies import balancing, following, random_tree


def above(value: float, left, right) -> Split:
    """x <= value goes left."""
    return Split(Rule([[1]], [1.0], -value, raw=True), left, right)


def tree_of(root) -> PolicyTree:
    return PolicyTree(root, Scaling([0.0], [4.0]), ("x",), ("a", "b", "c"))


def test_leaves_and_rules_that_no_state_of_the_range_needs_are_told():
    tree = tree_of(above(2.0, above(3.0, Leaf(0), Leaf(1)), Leaf(2)))
    facts = facts_of(tree)
    assert facts.dead == (1,) and facts.idle == ((1, "left"),)
    assert "no state reaches leaf 1, counted from the left" in facts.sentences()
    assert facts_of(tree, ["x in [2.5, 4]"]).dead == (0, 1)


def test_every_leaf_that_a_state_reaches_is_alive():
    assert facts_of(tree_of(above(2.0, above(1.0, Leaf(0), Leaf(1)), Leaf(2)))).dead == ()


def test_directions_of_a_line():
    never = facts_of(following()).never
    assert ("gap", "accelerate", "brake") in never and ("gap", "brake", "accelerate") not in never
    assert {name for name, _, _ in never} == {"gap", "v_rel"}


@pytest.mark.parametrize("seed", range(15))
def test_no_pair_of_states_contradicts_a_direction(seed):
    generator = np.random.default_rng(seed)
    tree = random_tree(generator, 3, 3)
    facts = facts_of(tree)
    low, high = tree.scaling.minimum, tree.scaling.maximum
    states = generator.uniform(low, high, (20_000, 3))
    before = np.array(tree.action_names)[tree.actions(states)]
    for variable, name in enumerate(tree.state_names):
        more = states.copy()
        rest = high[variable] - more[:, variable]
        more[:, variable] += rest * generator.random(len(more))
        turned = set(zip(before, np.array(tree.action_names)[tree.actions(more)], strict=True))
        for variable_name, first, second in facts.never:
            assert variable_name != name or (first, second) not in turned
    assert not {leaf.action for leaf in ()}


@pytest.mark.parametrize("state", [[0.0, 0.0, 0.02, 0.1], [1.0, 0.0, -0.1, 0.3]])
def test_around_a_state_the_action_is_certain_up_to_the_nearest_other(state):
    tree = balancing()
    found = surroundings(tree, state)
    width = tree.scaling.span
    action = tree.actions([state])[0]
    assert found.action == tree.action_names[action]
    reach = found.share * width
    states = np.random.default_rng(0).uniform(-1.0, 1.0, (20_000, 4)) * reach + state
    assert (tree.actions(states) == action).all()
    other = np.array(list(found.nearest.values()))
    assert tree.actions(other[np.newaxis])[0] != action
    assert found.other_share == pytest.approx(np.abs((other - state) / width).max())
    assert found.share <= found.other_share < 1.05 * found.share + 1e-3
