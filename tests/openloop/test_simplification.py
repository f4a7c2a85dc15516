"""Simplified trees are shorter or rounder, and decide as the longer ones did."""

import numpy as np
import pytest
from sklearn.datasets import load_wine

from glasstree import NLDTClassifier
from glasstree.errors import OptionError
from glasstree.openloop import drop_exponents, round_numbers
from glasstree.policy.arrays import Floats
from glasstree.policy.formula import significant
from glasstree.policy.rule import Rule
from glasstree.policy.scaling import Scaling
from glasstree.policy.tree import Leaf, PolicyTree, Split
from openloop.openloop_data import hidden_rule, labelled

STATES = np.random.default_rng(0).uniform(1, 2, (3000, 3))


def policy(*rules: Rule) -> PolicyTree:
    """Return a chain of rules over three variables."""
    root: Leaf | Split = Leaf(0)
    for number, rule in enumerate(reversed(rules)):
        root = Split(rule, root, Leaf(1 + number % 2))
    return PolicyTree(root, Scaling([1.0] * 3, [2.0] * 3), ("a", "b", "c"), ("0", "1", "2"))


def changed(one: PolicyTree, two: PolicyTree, states: Floats = STATES) -> float:
    """Return the share of decisions in which two trees differ."""
    return float((one.actions(states) != two.actions(states)).mean())


def test_terms_and_factors_that_do_not_matter_go() -> None:
    idle = policy(Rule([[1, 1, 0], [0, 0, 1]], [1.0, 0.0005], -2.0))
    short = drop_exponents(idle, STATES)
    assert short.splits()[0].rule.exponents.tolist() == [[1, 1, 0]]
    assert changed(idle, short) <= 0.001


@pytest.mark.parametrize("refit", [True, False])
def test_what_matters_stays(refit: bool) -> None:
    needed = policy(Rule([[1, 0, 0], [0, 1, 0]], [1.0, -1.0], 0.0))
    assert drop_exponents(needed, STATES, refit=refit) == needed


def test_refitted_weights_let_more_go() -> None:
    twins = STATES.copy()
    twins[:, 1] = twins[:, 0] + np.random.default_rng(1).normal(0, 1e-4, len(twins))
    doubled = policy(Rule([[1, 0, 0], [0, 1, 0], [0, 0, 1]], [0.5, 0.5, -1.0], 0.0))
    refitted, kept = (drop_exponents(doubled, twins, refit=refit) for refit in (True, False))
    assert refitted.splits()[0].rule.length == 2
    assert kept.splits()[0].rule.length == 3
    assert changed(doubled, refitted, twins) <= 0.001


def test_held_back_accuracy_can_be_the_judge() -> None:
    noisy = policy(Rule([[1, 0, 0], [0, 1, 0]], [1.0, 0.1], -1.65))
    truth = (STATES[:, 0] > 1.5).astype(np.int64)
    assert drop_exponents(noisy, STATES, tolerance=0.01).splits()[0].rule.length == 2
    short = drop_exponents(noisy, STATES, truth)
    assert short.splits()[0].rule.exponents.tolist() == [[1, 0, 0]]


def test_every_number_is_rounded_and_few_decisions_change() -> None:
    generator = np.random.default_rng(3)
    for _ in range(5):
        tree = policy(*(hidden_rule(generator, 3) for _ in range(3)))
        rounded = round_numbers(tree, STATES, tolerance=0.005)
        assert changed(tree, rounded) <= 0.005
        for split in rounded.splits():
            numbers = [*split.rule.weights, split.rule.bias, split.rule.width or 0.0]
            assert all(number == significant(number, 4) for number in numbers)


def test_more_digits_are_kept_where_decisions_need_them() -> None:
    fine = policy(Rule([[1, 0, 0]], [1.0], -1.4142135))
    assert round_numbers(fine, STATES, 2, tolerance=1.0).splits()[0].rule.bias == -1.4
    exact = round_numbers(fine, STATES, 2, tolerance=0.0)
    assert changed(fine, exact) == 0.0
    assert abs(exact.splits()[0].rule.bias + 1.4142135) < 0.001


def test_a_senseless_number_of_digits_is_refused() -> None:
    with pytest.raises(OptionError, match="digits must be in 1"):
        round_numbers(policy(Rule([[1, 0, 0]], [1.0], -1.5)), STATES, 0)


def test_the_classifier_rounds_and_drops() -> None:
    X, y = load_wine(return_X_y=True)
    plain = NLDTClassifier(random_state=0).fit(X, y)
    short = NLDTClassifier(random_state=0, drop=True, digits=2, changed=0.01).fit(X, y)
    assert short.tree_.rule_length <= plain.tree_.rule_length
    assert short.score(X, y) >= plain.score(X, y) - 0.02
    for split in short.tree_.splits():
        assert all(weight == significant(weight, 4) for weight in split.rule.weights)


def test_a_rule_that_every_state_passes_on_one_side_is_left_alone() -> None:
    generator = np.random.default_rng(5)
    states, _ = labelled(hidden_rule(generator, 3), 50, generator)
    tree = policy(Rule([[1, 0, 0]], [1.0], -9.0))
    assert changed(round_numbers(drop_exponents(tree, states), states), tree, states) == 0.0


RAW_STATES = STATES * [1.0, 1000.0, 0.001] - [1.5, 0.0, 0.0015]


@pytest.mark.parametrize("refit", [True, False])
@pytest.mark.parametrize("width", [None, 0.2])
def test_raw_rules_stay_raw_and_lose_what_does_not_matter(refit: bool, width: float | None) -> None:
    rule = Rule([[1, 0, 0], [0, 1, 0], [0, 0, 1]], [1.0, 1e-7, 500.0], 0.0, width, raw=True)
    short = drop_exponents(policy(rule), RAW_STATES, refit=refit)
    (found,) = (split.rule for split in short.splits())
    assert found.raw and found.modulus == (width is not None)
    assert found.exponents.tolist() == [[1, 0, 0], [0, 0, 1]]
    assert changed(policy(rule), short, RAW_STATES) <= 0.001


def test_numbers_of_raw_rules_are_rounded_in_original_units() -> None:
    rule = Rule([[1, 0, 0], [0, 1, 0]], [1.00213, 0.00100137], -1.50211, raw=True)
    tree = policy(rule, Rule([[1, 0, 0]], [1.0], -1.5))
    round_one = round_numbers(tree, RAW_STATES, digits=1, tolerance=0.01)
    first, second = (split.rule for split in round_one.splits())
    assert first.raw and not second.raw
    assert first.weights.tolist() == [1.0, 0.001]
    assert changed(tree, round_one, RAW_STATES) <= 0.01
