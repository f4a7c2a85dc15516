"""Rules compute what the paper's Eq. 3 says, and say no to what is not a rule."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from glasstree.policy import Rule, Scaling
from glasstree.policy.rule import power
from strategies import rules


def test_a_rule_is_the_sum_of_its_terms_and_bias() -> None:
    rule = Rule([[1, 2], [-1, 0]], [0.5, -2.0], 0.25)
    x, y = 1.5, 2.0
    assert rule.value([[x, y]]) == pytest.approx([0.5 * x * y**2 - 2.0 / x + 0.25], rel=1e-15)


def test_a_modulus_measures_the_distance_from_a_band() -> None:
    rule = Rule([[1]], [1.0], -1.5, width=0.25)
    assert rule.value([[1.5], [1.75], [2.0]]).tolist() == [-0.25, 0.0, 0.25]


def test_the_sign_of_a_width_does_not_matter() -> None:
    assert Rule([[1]], [1.0], -1.5, width=-0.25) == Rule([[1]], [1.0], -1.5, width=0.25)


def test_length_counts_exponents_that_are_not_zero() -> None:
    rule = Rule([[1, 0, -2], [0, 0, 3]], [1.0, 1.0], 0.0)
    assert (rule.length, rule.n_terms) == (3, 2)


def test_a_rule_without_terms_is_its_bias() -> None:
    assert Rule(np.zeros((0, 3)), [], -0.5).value(np.ones((2, 3))).tolist() == [-0.5, -0.5]


@pytest.mark.parametrize("exponents, weights", [([1, 2], [1.0]), ([[1, 2]], [1.0, 2.0]), ([], [])])
def test_shapes_that_do_not_fit_are_refused(exponents: list[int], weights: list[float]) -> None:
    with pytest.raises(ValueError, match="one weight per term"):
        Rule(exponents, weights, 0.0)


@pytest.mark.parametrize("bad", [float("nan"), float("inf"), -float("inf")])
@pytest.mark.parametrize("place", ["weight", "bias", "width"])
def test_numbers_that_are_not_finite_are_refused(place: str, bad: float) -> None:
    values = {"weight": 1.0, "bias": 0.0, "width": 0.5, place: bad}
    with pytest.raises(ValueError, match="finite"):
        Rule([[1]], [values["weight"]], values["bias"], values["width"])


def test_a_rule_cannot_be_changed() -> None:
    rule = Rule([[1]], [1.0], 0.0)
    with pytest.raises(ValueError, match="read-only"):
        rule.weights[0] = 2.0


@given(rules(3))
def test_equal_rules_have_equal_hashes(rule: Rule) -> None:
    copy = Rule(rule.exponents, rule.weights, rule.bias, rule.width, rule.raw)
    assert copy == rule
    assert hash(copy) == hash(rule)
    assert rule != replace(rule, bias=rule.bias + 1.0)
    assert rule != replace(rule, exponents=abs(rule.exponents), raw=not rule.raw)


def test_a_raw_rule_reads_states_as_they_are_and_divides_by_none() -> None:
    rule, scaling = Rule([[2]], [1.0], -4.0, raw=True), Scaling([0.0], [1.0])
    states = np.array([[-3.0], [2.0]])
    assert rule.value(rule.variables(states, scaling)).tolist() == [5.0, 0.0]
    limited = replace(rule, raw=False).variables(states, scaling)
    assert limited.tolist() == [[0.5], [2.5]]
    with pytest.raises(ValueError, match="cannot divide"):
        Rule([[1, -1]], [1.0], 0.0, raw=True)


@given(st.floats(0.5, 2.5), st.integers(-3, 3))
def test_powers_by_products_are_powers(base: float, exponent: int) -> None:
    assert power(np.array([base]), exponent)[0] == pytest.approx(base**exponent, rel=1e-14)
