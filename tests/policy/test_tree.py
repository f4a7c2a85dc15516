"""A policy decides alike by every road: compiled batches, paths, and rules by hand."""

import pickle
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from glasstree.errors import DataError
from glasstree.policy import Leaf, Node, PolicyTree, Rule, Scaling, Split
from glasstree.policy.tree import walk
from strategies import states_of, trees
from toys import constant_tree, small_tree


def by_hand(node: Node, state: list[float], normalised: list[float]) -> int:
    """Follow the rules of one state with Rule.value alone."""
    while isinstance(node, Split):
        read = state if node.rule.raw else normalised
        node = node.left if node.rule.value([read])[0] <= 0.0 else node.right
    return node.action


@np.errstate(all="ignore")
@given(st.data())
def test_batch_path_and_rules_agree_in_every_state(data: st.DataObject) -> None:
    tree = data.draw(trees())
    states = data.draw(states_of(tree.scaling))
    normalised = tree.scaling.normalise(states)
    for state, row, action in zip(states, normalised, tree.actions(states), strict=True):
        steps, leaf = tree.path(state)
        assert leaf.action == action == by_hand(tree.root, state.tolist(), row.tolist())
        assert len(steps) <= tree.depth
        for step in steps:
            rule = step.split.rule
            same = rule.value([state if rule.raw else row])[0]
            assert step.value == same or np.isnan([step.value, same]).all()
            assert step.margin == abs(step.value) or np.isnan(same)
            assert step.goes_left == (step.value <= 0.0)


@given(trees())
def test_parameters_make_the_same_tree_again(tree: PolicyTree) -> None:
    assert tree.with_parameters(tree.parameters()) == tree


@given(st.data())
def test_new_parameters_reach_every_rule(data: st.DataObject) -> None:
    tree = data.draw(trees())
    shifted = tree.with_parameters(tree.parameters() + 1.0)
    for before, after in zip(tree.splits(), shifted.splits(), strict=True):
        assert after.rule.weights == pytest.approx(before.rule.weights + 1.0)
        assert after.rule.bias == before.rule.bias + 1.0
        assert after.rule.modulus == before.rule.modulus


@given(trees())
def test_complexity_figures_count_what_they_say(tree: PolicyTree) -> None:
    splits = [node for _, node in walk(tree.root) if isinstance(node, Split)]
    assert tree.n_rules == len(splits) == len(tree.leaves()) - 1
    lengths = [np.count_nonzero(split.rule.exponents) for split in splits]
    assert tree.rule_length == (sum(lengths) / len(lengths) if lengths else 0.0)
    assert tree.n_terms == sum(len(split.rule.weights) for split in splits)


@given(st.data())
def test_a_policy_survives_pickling_after_use(data: st.DataObject) -> None:
    tree = data.draw(trees())
    states = data.draw(states_of(tree.scaling))
    expected = tree.actions(states)
    copy = pickle.loads(pickle.dumps(tree))
    assert copy == tree
    assert copy.actions(states).tolist() == expected.tolist()


def test_a_known_path_shows_rules_and_margins() -> None:
    steps, leaf = small_tree().path([30.0, 45.0])
    assert [step.goes_left for step in steps] == [False, True]
    assert steps[0].value == pytest.approx(0.75 * 2.0 - 0.5 * 1.75 / 4.0 - 0.5)
    assert steps[1].margin == 0.0
    assert leaf.action == 1


def test_the_boundary_goes_left() -> None:
    tree = PolicyTree(
        Split(Rule([[1]], [1.0], -1.5), Leaf(0), Leaf(1)), Scaling([0.0], [2.0]), ("x",), ("l", "r")
    )
    assert tree.actions([[1.0], [1.0 + 1e-12]]).tolist() == [0, 1]


def test_shared_subtrees_are_two_places() -> None:
    same = Split(Rule([[1]], [1.0], -1.5), Leaf(0), Leaf(1))
    root = Split(Rule([[1]], [1.0], -1.75), same, same)
    tree = PolicyTree(root, Scaling([0.0], [1.0]), ("x",), ("l", "r"))
    assert tree.n_rules == 3
    assert tree.actions([[0.4], [0.6], [0.9]]).tolist() == [0, 1, 1]
    assert tree.with_parameters(tree.parameters()) == tree


def test_a_policy_without_rules_always_acts_alike() -> None:
    tree = constant_tree(1)
    assert tree.actions([[0.0], [9.0]]).tolist() == [1, 1]
    assert (tree.n_rules, tree.rule_length, tree.depth) == (0, 0.0, 0)
    assert tree.path([0.0]) == ([], Leaf(1))


def test_no_states_give_no_actions(tree: PolicyTree) -> None:
    assert tree.actions(np.empty((0, 2))).shape == (0,)


@pytest.mark.parametrize("bad", [np.nan, np.inf, -np.inf])
def test_states_that_are_not_finite_are_refused_by_place(tree: PolicyTree, bad: float) -> None:
    with pytest.raises(DataError, match=r"state 1 has -?(nan|inf) in column 0; remove or replace"):
        tree.actions([[1.0, 2.0], [bad, 2.0]])


@pytest.mark.parametrize("states", [[[1.0]], [[1.0, 2.0, 3.0]], [1.0, 2.0], 3.0, [[[1.0, 2.0]]]])
def test_states_of_another_width_are_refused(tree: PolicyTree, states: object) -> None:
    with pytest.raises(DataError, match=r"this policy expects \(n, 2\)"):
        tree.actions(states)  # type: ignore[arg-type]


@pytest.mark.parametrize("states", [[["a", "b"]], [[None, 1.0]], [[1.0, 2.0], [1.0]]])
def test_states_that_are_no_numbers_are_refused(tree: PolicyTree, states: object) -> None:
    with pytest.raises(DataError):
        tree.actions(states)  # type: ignore[arg-type]


def test_a_path_takes_one_state_only(tree: PolicyTree) -> None:
    with pytest.raises(DataError, match="a single state has 2 numbers"):
        tree.path([[1.0, 2.0]])


@pytest.mark.parametrize(
    "change, words",
    [
        ({"state_names": ("speed",)}, "as many names"),
        ({"state_names": ("a", "a")}, "variable names must be unique"),
        ({"action_names": ("a", "", "b")}, "action names must be unique and not empty"),
        ({"action_names": ("a", "b\ud800", "c")}, "action names must be text"),
        ({"action_names": ("a", "b")}, "leaf action 2 has no name"),
        ({"root": Split(Rule([[1]], [1.0], 0.0), Leaf(0), Leaf(1))}, "does not have 2 variables"),
    ],
)
def test_parts_that_do_not_fit_are_refused(
    tree: PolicyTree, change: dict[str, object], words: str
) -> None:
    with pytest.raises(ValueError, match=words):
        replace(tree, **change)  # type: ignore[arg-type]


@given(trees())
def test_one_rule_is_put_in_the_place_of_another(tree: PolicyTree) -> None:
    for number, split in enumerate(tree.splits()):
        other = replace(split.rule, bias=split.rule.bias + 1.0)
        changed = tree.with_rule(number, other)
        rules = [place.rule for place in changed.splits()]
        assert rules.pop(number) is other
        kept = [place.rule for place in tree.splits()]
        kept.pop(number)
        assert all(a is b for a, b in zip(rules, kept, strict=True))
        assert [node.counts for _, node in walk(changed.root)] == [
            node.counts for _, node in walk(tree.root)
        ]
