"""Numbers are as short as the reward allows, in the units in which they are read."""

from dataclasses import replace

import numpy as np
import pytest

from closedloop.front.lamps import games, raw_lamp
from glasstree.closedloop.front.rounding import rounded, with_digits
from glasstree.closedloop.front.tuning import Games
from glasstree.formats import to_text
from glasstree.policy import Leaf, PolicyTree, Rule, Scaling, Split
from toys import constant_tree, lamp_tree, small_tree


def lamp(*numbers: float, width: float | None = None) -> PolicyTree:
    """A rule w1 light + w2 light^2 + b for the lamp, where light^2 is always one."""
    first, second, bias = numbers
    rule = Rule([[1], [2]], [first, second], bias, width, raw=True)
    return lamp_tree().with_root(Split(rule, Leaf(0), Leaf(1)))


def numbers_of(tree: PolicyTree) -> list[float]:
    rule = tree.splits()[0].rule
    return [*rule.weights.tolist(), rule.bias]


def test_a_bias_that_nobody_needs_is_zero() -> None:
    assert numbers_of(rounded(raw_lamp(-0.34567), games())) == [1.0, 0.0]


def test_a_number_is_as_short_as_the_reward_allows() -> None:
    # the last two must add up to more than -1: -0.6 and -0.4 do not, -0.55 alone does
    assert numbers_of(rounded(lamp(1.0, -0.55123, -0.40123), games())) == [1.0, -0.55, 0.0]
    # the first two to more than 0: 1 and -1 do not, 1.05 and -1.03 do, and then 1.1 and -1
    assert numbers_of(rounded(lamp(1.04567, -1.03123, 0.0), games())) == [1.1, -1.0, 0.0]


@pytest.mark.parametrize(
    ("second", "short"), [(-0.94321, -0.9), (-0.96321, -0.96), (-0.99612, -0.996)]
)
def test_a_digit_that_matters_stays(second: float, short: float) -> None:
    assert numbers_of(rounded(lamp(1.0, second, 0.0), games())) == [1.0, short, 0.0]


def test_a_width_is_rounded_too() -> None:
    # |light + 1| <= width: right from 0 to less than 2
    tree = raw_lamp(1.0)
    banded = tree.with_root(Split(Rule([[1]], [1.0], 1.0, 1.96123, raw=True), Leaf(0), Leaf(1)))
    rule = rounded(banded, games()).splits()[0].rule
    assert (rule.bias, rule.width) == (1.0, 1.96)


def test_a_tolerance_forgives_losses_and_none_forgives_none() -> None:
    class Noisy(Games):
        """Each digit less costs a tenth of the spread of an episode."""

        def scores(self, tree: PolicyTree, seeds: np.ndarray) -> tuple[np.ndarray, int]:
            lost = 0.1 * (numbers_of(tree)[1] != -0.25)
            noise = np.where(np.arange(len(seeds)) % 2, 1.0, -1.0) if lost else 0.0
            return np.zeros(len(seeds)) - lost + noise, 1

    def second(tolerance: float) -> float:
        options = replace(games().options, tolerance=tolerance, rounding_episodes=100)
        playing = Noisy(games().task, options, games().search, 0)
        return numbers_of(rounded(lamp(1.0, -0.25, 0.0), playing))[1]

    # a loss of 0.1 with an error of 0.1: one standard error
    assert (second(0.0), second(0.9), second(1.1)) == (-0.25, -0.25, -0.2)


def test_what_is_printed_has_these_digits_in_power_laws_as_well() -> None:
    rule = Rule([[2, 0], [0, 1]], [0.77312, -0.51234], -0.41234)
    tree = PolicyTree(
        Split(rule, Leaf(0), Leaf(1)),
        Scaling([-1.2345, 0.6789], [3.4567, 7.8912]),
        ("x", "y"),
        ("stop", "go"),
    )
    short = with_digits(tree, 3)
    assert short is not None
    assert short.scaling.span.tolist() == [4.691, 7.212]
    text = to_text(short).split("In original units")[1].splitlines()
    assert any("x + 5.93" in line for line in text)
    states = np.random.default_rng(0).uniform(tree.scaling.minimum, tree.scaling.maximum, (999, 2))
    assert (short.actions(states) == tree.actions(states)).mean() > 0.98


def test_a_policy_without_numbers_stays() -> None:
    assert rounded(constant_tree(), games()) == constant_tree()


def test_enough_digits_change_no_decision_of_a_law_or_of_a_line_inside_a_modulus() -> None:
    tree = small_tree()
    again = with_digits(tree, 7)
    assert again is not None
    states = np.random.default_rng(0).uniform([0.0, 5.0], [40.0, 45.0], (999, 2))
    assert (again.actions(states) == tree.actions(states)).all()
