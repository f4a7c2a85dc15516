"""Plainer and richer trees: each change does what it says, and nothing else."""

import numpy as np
import pytest

from glasstree.closedloop.front import plainer, richer
from glasstree.policy import Leaf, PolicyTree, Rule, Scaling, Split
from toys import lamp_tree, small_tree

GRID = np.random.default_rng(0).uniform([0.0, 5.0], [40.0, 45.0], (2000, 2))


def line(weights: list[float], bias: float, width: float | None = None) -> PolicyTree:
    tree = small_tree()
    rule = Rule(np.eye(2, dtype=int), weights, bias, width, raw=True)
    return tree.with_root(Split(rule, Leaf(0), Leaf(1)))


@pytest.mark.parametrize("keep_left", [True, False])
def test_a_split_goes_and_one_of_its_sides_stays(keep_left: bool) -> None:
    tree = small_tree()
    assert isinstance(tree.root, Split)
    side = tree.root.left if keep_left else tree.root.right
    assert plainer.without_split(tree, 0, keep_left).root == side


def test_splits_whose_sides_act_alike_are_merged() -> None:
    tree = lamp_tree()
    same = tree.with_root(Split(tree.root.rule, Leaf(1), Leaf(1)))  # type: ignore[union-attr]
    assert plainer.merged(same).root == Leaf(1)


def test_a_line_over_normalised_variables_becomes_the_same_line_over_raw_ones() -> None:
    rule = Rule([[1, 0], [0, 1]], [0.5, -1.0], 0.4)
    tree = small_tree().with_root(Split(rule, Leaf(0), Leaf(1)))
    raw = plainer.lined(tree, 0, GRID)
    assert raw is not None and raw.splits()[0].rule.raw
    assert (raw.actions(GRID) == tree.actions(GRID)).all()


def test_a_power_law_becomes_a_line_that_decides_nearly_alike() -> None:
    rule = Rule([[1, 0], [0, 2]], [1.0, -0.5], -0.4)
    tree = small_tree().with_root(Split(rule, Leaf(0), Leaf(1)))
    raw = plainer.lined(tree, 0, GRID)
    assert raw is not None and raw.complexity < tree.complexity
    assert (raw.actions(GRID) == tree.actions(GRID)).mean() > 0.97


def test_a_power_law_that_no_state_comes_to_stays() -> None:
    rule = Rule([[1, 0], [0, 2]], [1.0, -0.5], -0.4)
    tree = small_tree().with_root(Split(rule, Leaf(0), Leaf(1)))
    assert plainer.lined(tree, 0, GRID[:0]) is None


def test_every_shorter_tree_is_less_complex() -> None:
    rule = Rule([[1, 1], [0, 3]], [1.0, -0.5], -0.4, width=0.3)
    tree = small_tree().with_root(Split(rule, Leaf(0), Leaf(1)))
    found = list(plainer.shorter(tree, GRID))
    assert len(found) == 7  # two terms, two factors, one power, two sides of the modulus
    lower = [other.complexity < tree.complexity for other in found]
    assert sum(lower) >= 6


def test_one_side_of_a_modulus_stays() -> None:
    tree = line([1.0, 0.5], -30.0, 5.0)
    sides = [t for t in plainer.shorter(tree, GRID) if t.splits()[0].rule.width is None]
    both = np.all([side.actions(GRID) == 0 for side in sides[-2:]], axis=0)
    assert ((tree.actions(GRID) == 0) == both).all()


@pytest.mark.parametrize("bias", [500.0, -500.0])
def test_a_side_of_a_modulus_that_no_state_passes_goes(bias: float) -> None:
    sums = GRID @ [1.0, 0.5]
    middle = float(np.median(sums))
    width = abs(bias - middle)
    tree = line([1.0, 0.5], -bias, width)
    short = plainer.without_idle_sides(tree, GRID)
    assert short.splits()[0].rule.width is None
    assert (short.actions(GRID) == tree.actions(GRID)).all()
    assert set(tree.actions(GRID).tolist()) == {0, 1}
    both = line([1.0, 0.5], -middle, 5.0)
    assert plainer.without_idle_sides(both, GRID) == both


def test_two_coefficients_become_one_number() -> None:
    even = plainer.even(line([1.0, -0.8], 3.0), 0)
    assert even is not None
    assert np.abs(even.splits()[0].rule.weights).tolist() == [1.0, 1.0]
    assert even.complexity == line([1.0, -0.8], 3.0).complexity - 2
    assert plainer.even(line([1.0, -1.0], 3.0), 0) is None


def test_the_terms_that_share_a_coefficient_stand_alone() -> None:
    names, scaling = tuple("abcd"), Scaling(np.zeros(4), np.ones(4))
    rule = Rule(np.eye(4, dtype=int), [1.0, 0.3, 0.13, -0.12], -0.5, raw=True)
    tree = PolicyTree(Split(rule, Leaf(0), Leaf(1)), scaling, names, ("off", "on"))
    even = plainer.even(tree, 0)
    assert even is not None
    weights = even.splits()[0].rule.weights.tolist()
    assert sorted(map(abs, weights))[:2] == [1.0, 1.0] and max(weights) > 7.0
    assert even.complexity == tree.complexity - 2


def test_a_twin_has_the_unit_and_the_coefficient_of_a_variable() -> None:
    names, scaling = tuple("abcd"), Scaling(np.zeros(4), np.ones(4))
    rule = Rule(np.eye(4, dtype=int)[:2], [1.0, 0.3], -0.5, raw=True)
    root = Split(rule, Leaf(0), Leaf(1))
    tree = PolicyTree(root, scaling, names, ("off", "on"), units=("m", "s", "s", "kg"))
    states = np.random.default_rng(0).uniform(size=(50, 4))
    generator = np.random.default_rng(0)
    found = [richer.with_twin(tree, 0, states, generator) for _ in range(10)]
    assert {t.splits()[0].rule.exponents.any(axis=0).tolist()[2] for t in found if t} == {True}
    weights = [t.splits()[0].rule.weights.tolist() for t in found if t is not None]
    assert {tuple(map(abs, w[:2])) for w in weights} == {(1.0, 1.0)}
    assert {w[0] * w[1] for w in weights} == {1.0, -1.0}
    assert {t.complexity for t in found if t is not None} == {tree.complexity + 2}
    still = states.copy()
    still[:, 2] = 0.0
    assert richer.with_twin(tree, 0, still, generator) is None


def test_a_new_term_changes_no_decision_yet() -> None:
    generator = np.random.default_rng(0)
    tree = line([1.0, 0.5], -30.0)
    found = [richer.with_term(tree, 0, GRID, generator) for _ in range(40)]
    longer = [other for other in found if other is not None]
    assert longer and all(t.splits()[0].rule.n_terms == 3 for t in longer)
    assert all((t.actions(GRID) == tree.actions(GRID)).all() for t in longer)


def test_a_leaf_is_divided_where_the_oracle_wants_something_else() -> None:
    wanted = np.where(GRID[:, 0] > 30.0, 2, 0)
    tree = small_tree().with_root(Leaf(0))
    better = [
        richer.with_split(tree, GRID, wanted, np.random.default_rng(seed)) for seed in range(10)
    ]
    agreement = [np.mean(t.actions(GRID) == wanted) for t in better if t is not None]
    assert len(agreement) == 10
    assert max(agreement) > 0.97 and min(agreement) > 0.72


def test_nothing_is_divided_where_tree_and_oracle_agree() -> None:
    tree = small_tree()
    generator = np.random.default_rng(0)
    assert richer.with_split(tree, GRID, tree.actions(GRID), generator) is None


def test_another_action_is_another_action() -> None:
    generator = np.random.default_rng(1)
    tree = small_tree()
    changed = richer.relabelled(tree, generator)
    assert changed.leaves() != tree.leaves()


def test_no_node_of_a_grafted_tree_stands_in_two_places() -> None:
    tree, generator = line([1.0, 0.5], -30.0), np.random.default_rng(0)
    found = [richer.grafted(tree, tree, generator) for _ in range(20)]
    deep = [other for other in found if other is not None and other.n_rules > 1]
    assert deep
    for other in deep:
        nodes = plainer.nodes(other)
        assert len({id(node) for node in nodes}) == len(nodes)


def test_rules_over_other_ranges_are_not_grafted() -> None:
    tree = line([1.0, 0.5], -30.0)
    other = small_tree()
    elsewhere = PolicyTree(
        other.root, Scaling([1.0, 1.0], [2.0, 3.0]), other.state_names, other.action_names
    )
    generator = np.random.default_rng(0)
    assert richer.grafted(tree, elsewhere, generator) is None
    assert richer.grafted(tree, other, generator) is not None


def test_an_exchanged_variable_keeps_the_spread_of_its_term() -> None:
    states = GRID * [1.0, 100.0]
    tree = line([1.0, 0.0], -30.0)
    single = tree.with_rule(0, Rule([[1, 0]], [1.0], -30.0, raw=True))
    found = [richer.exchanged(single, 0, states, np.random.default_rng(s)) for s in range(10)]
    rules = [other.splits()[0].rule for other in found if other is not None]
    assert rules and all(rule.exponents.tolist() == [[0, 1]] for rule in rules)
    assert all(abs(abs(rule.weights[0]) - 0.01) < 0.002 for rule in rules)


def test_a_factor_comes_in_and_the_term_keeps_its_size() -> None:
    states = np.column_stack([GRID[:, 0] + 50.0, np.tile([0.0, 1.0], len(GRID))[: len(GRID)]])
    tree = line([1.0, 0.0], -30.0).with_rule(0, Rule([[1, 0]], [2.0], -30.0, raw=True))
    found = [richer.with_factor(tree, 0, states, np.random.default_rng(s)) for s in range(20)]
    rules = [other.splits()[0].rule for other in found if other is not None]
    assert {tuple(rule.exponents[0]) for rule in rules} == {(2, 0), (1, 1)}
    for rule in rules:
        before, after = 2.0 * states[:, 0], rule.weights[0] * rule.terms(states)[:, 0]
        assert np.isclose(before @ after, after @ after)
    switch = tree.with_rule(0, Rule([[0, 1]], [1.0], -0.5, raw=True))
    tried = [richer.with_factor(switch, 0, states, np.random.default_rng(s)) for s in range(20)]
    powers = {tuple(one.splits()[0].rule.exponents[0]) for one in tried if one is not None}
    assert powers == {(1, 1)}  # 0 and 1 have no powers


def test_one_variable_stands_alone_in_each_raw_rule() -> None:
    tree = line([2.0, -4.0], 8.0).over_raw_values()
    rule = tree.splits()[0].rule
    assert rule.weights.tolist() == [-1.0, 0.5] and rule.bias == 2.0
    assert rule.exponents.tolist() == [[0, 1], [1, 0]]


def test_raw_rules_are_shortened_by_means_in_original_units() -> None:
    states = np.array([[10.0, 2.0], [30.0, 4.0]])
    rule = Rule([[1, 1], [1, 0]], [0.5, 3.0], -7.0, 0.25, raw=True)
    first, *_, last = plainer.shorter_rules(rule, states)
    assert first == Rule([[1, 0]], [3.0], -7.0 + 0.5 * 70.0, 0.25, raw=True)
    assert last == Rule([[1, 1]], [0.5], -7.0 + 3.0 * 20.0, 0.25, raw=True)
    assert all(found.raw and found.width == 0.25 for found in plainer.shorter_rules(rule, states))


def test_a_factor_of_a_raw_rule_that_is_always_zero_can_go() -> None:
    rule = Rule([[1, 1]], [0.5], -7.0, raw=True)
    found = list(plainer.shorter_rules(rule, np.array([[0.0, 2.0], [0.0, 4.0]])))
    assert [one.exponents.tolist() for one in found] == [[[0, 1]], [[1, 0]]]
    assert all(one.raw for one in found)
