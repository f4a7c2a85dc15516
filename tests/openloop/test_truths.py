"""Variables that are 0 or 1 are read as words, and never stand to a power."""

import numpy as np
import pytest

from glasstree.formats import to_text
from glasstree.openloop.truths import plain_truths
from glasstree.policy import Leaf, PolicyTree, Rule, Scaling, Split

NAMES, UNITS = ("leg", "speed"), ("0/1", "m/s")


def tree_of(rule: Rule) -> PolicyTree:
    root = Split(rule, Leaf(0), Leaf(1))
    return PolicyTree(root, Scaling([0.0, -1.0], [1.0, 3.0]), NAMES, ("fly", "rest"), UNITS)


@pytest.mark.parametrize(
    ("rule", "words"),
    [
        (Rule([[1, 0]], [1.0], -1.5), "if not leg:"),
        (Rule([[1, 0]], [-1.0], 1.5), "if leg:"),
        (Rule([[3, 0]], [1.0], -4.0), "if not leg:"),
        (Rule([[1, 0]], [1.0], -0.5, raw=True), "if not leg:"),
        (Rule([[1, 0]], [1.0], -9.0), "if leg <= 8:"),
        (Rule([[0, 1]], [1.0], -1.5), "if speed <= 1:"),
        (Rule([[1, 0], [0, 1]], [1.0, 1.0], -3.0), "leg"),
    ],
)
def test_a_rule_about_a_truth_is_a_word(rule: Rule, words: str) -> None:
    assert words in to_text(tree_of(rule), "original")


@pytest.mark.parametrize(
    "exponents", [[[3, 0]], [[-2, 1]], [[2, 1], [3, -1]], [[2, 0], [3, 0], [0, 1]], [[1, 2]]]
)
@pytest.mark.parametrize("width", [None, 0.5])
def test_powers_of_truths_become_lines_and_decide_the_same(
    exponents: list[list[int]], width: float | None
) -> None:
    generator = np.random.default_rng(0)
    weights = generator.normal(size=len(exponents))
    tree = tree_of(Rule(exponents, weights, -weights.sum() * 1.3, width))
    plain = plain_truths(tree)
    rule = plain.splits()[0].rule
    assert set(rule.exponents[:, 0].tolist()) <= {0, 1}
    states = np.column_stack([generator.integers(0, 2, 500), generator.uniform(-1, 3, 500)])
    values = plain.values(rule, states)
    np.testing.assert_allclose(values, tree.values(tree.splits()[0].rule, states), atol=1e-12)


def test_other_variables_keep_their_powers() -> None:
    tree = tree_of(Rule([[0, 3]], [1.0], -1.5))
    assert plain_truths(tree).splits()[0].rule.exponents.tolist() == [[0, 3]]
