"""What the paper works out by hand, and other rules whose reading is known."""

import re
from typing import Any

import numpy as np
import pytest

from formats.export_policies import both, line, paper, random_tree
from glasstree.errors import OptionError
from glasstree.explain import read, reading_text
from glasstree.explain.roots import crossings
from glasstree.formats import to_text
from glasstree.formats.text import TextStyle, short
from glasstree.policy import Leaf, PolicyTree, Rule, Scaling, Split
from glasstree.policy.formula import formula
from glasstree.policy.notation import condition

SCALING = Scaling([-1.0, 0.0], [1.0, 10.0])


def policy(rule: Rule, scaling: Scaling = SCALING) -> PolicyTree:
    return PolicyTree(Split(rule, Leaf(0), Leaf(1)), scaling, ("x", "y"), ("stop", "go"))


def forms(rule: Rule, scaling: Scaling = SCALING) -> list[str]:
    return read(policy(rule, scaling)).rules[0].rearranged


def test_cartpole_as_in_the_paper() -> None:
    reading = read(paper("cartpole"))
    assert reading.used == ["x", "theta", "omega"] and reading.unused == ["v"]
    (rule,) = reading.rules
    assert rule.condition == "|-0.18 x'/theta'^2 - 0.63/omega'^2 + 0.67| <= 0.24"
    assert rule.rearranged == ["2.39 <= x'/theta'^2 + 3.5/omega'^2 <= 5.06"]
    assert rule.corners["x high", "theta high", "omega high"] == "right"
    assert rule.corners["x low", "theta low", "omega low"] == "left"


def test_five_links_as_in_the_paper() -> None:
    (rule,) = read(paper("psm5")).rules
    assert rule.rearranged == ["omega5' <= cbrt(-0.115/theta2'^3 + 1.885)"]
    assert (rule.left, rule.right) == ("+tau", "-tau")


def test_carfollowing_as_in_the_paper() -> None:
    far, near = read(paper("carfollowing")).rules
    close = {ends: side for ends, side in far.corners.items() if "gap low" in ends}
    assert set(close.values()) == {"left"}
    assert near.corners["gap low", "v_rel high"] == near.corners["gap low", "v_rel low"] == "right"


@pytest.mark.parametrize(
    ("rule", "expected"),
    [
        (Rule([[1, 0], [0, 1]], [0.5, -0.25], 0.0), ["x <= 0.1 y - 2"]),
        (Rule([[1, 0]], [1.0], -1.5), ["x <= 0"]),
        (Rule([[1, 0]], [-1.0], 1.5), ["x >= 0"]),
        (Rule([[2, 0]], [1.0], -2.25), ["x' <= 1.5", "x <= 0"]),
        (Rule([[-1, 0], [0, 1]], [1.0, -0.5], 0.0), ["y' >= 2/x'"]),
        (Rule([[-4, 1], [0, 2]], [-1.0, 0.5], 0.0), ["x' <= 1/root4(0.5 y')"]),
        (Rule([[-1, 0], [0, 2], [0, 1]], [-1.0, 1.0, 1.0], -4.0), ["y'^2 + y' - 1/x' <= 4"]),
        (Rule([[3, 0], [0, 2]], [-1.0, 1.0], -0.5), ["y' <= sqrt(x'^3 + 0.5)"]),
        (Rule([[1, 0], [0, 2]], [-0.5, -1.0], 2.0), ["x' >= -2 y'^2 + 4"]),
        (Rule([[2, 0], [0, 2], [0, 1]], [-0.5, 1.0, -1.0], 0.0), ["x'^2 + 2 y' - 2 y'^2 >= 0"]),
        (Rule([[1, 1]], [1.0], -2.0, 0.5), ["1.5 <= x' y' <= 2.5"]),
        (Rule([[1, 0]], [1.0], -1.5, 0.25), ["|x| <= 0.5", "-0.5 <= x <= 0.5"]),
        (
            Rule([[2, 0], [1, 0]], [1.0, -3.0], 2.1875),
            ["x'^2 - 3 x' <= -2.1875", "-0.5 <= x <= 0.5"],
        ),
        (
            Rule([[2, 0], [1, 0]], [-1.0, 3.0], -2.1875),
            ["x'^2 - 3 x' >= -2.1875", "x <= -0.5 or x >= 0.5"],
        ),
        (Rule([[1, 0]], [1.0], -9.0), ["x <= 15", "always"]),
        (Rule([[0, 0]], [1.0], -9.0), []),
        (Rule([[2, 0]], [1.0], 1.0), ["x'^2 <= -1", "never"]),
        (Rule([[1, 0], [0, 1]], [-1.0, 0.77], -30.04, raw=True), ["x >= 0.77 y - 30.04"]),
        (Rule([[1, 0], [0, 1]], [0.5, -0.25], 0.0, raw=True), ["x <= 0.5 y"]),
        (Rule([[0, 1], [1, 0]], [1.0, -0.448], 0.133, raw=True), ["x >= 2.23 y + 0.297"]),
        (Rule([[0, 1]], [1.0], -9.25, raw=True), []),
        (Rule([[0, 1]], [-1.0], 9.0, 0.5, raw=True), []),
        (Rule([[0, 1]], [2.0], 0.0, 0.5, raw=True), ["|y| <= 0.25"]),
        (Rule([[3, 0], [0, 2]], [1.0, 2.0], 0.0, raw=True), ["x <= cbrt(-2 y^2)"]),
        (Rule([[0, 2]], [1.0], -2.25, raw=True), ["-1.5 <= y <= 1.5"]),
        (Rule([[2, 0], [1, 0]], [-1.0, 9.0], -20.0, raw=True), ["x <= 4 or x >= 5"]),
        (Rule([[2, 0]], [1.0], 1.0, raw=True), ["never"]),
        (Rule([[1, 1], [0, 3]], [1.0, 1.0], -1.0, raw=True), []),
    ],
)
def test_rearranged(rule: Rule, expected: list[str]) -> None:
    assert forms(rule) == expected


def test_a_linear_rule_is_written_in_original_units() -> None:
    rule = Rule([[1, 0], [0, 1]], [0.6, 1.0], -2.45)
    assert "if x + 0.333 y <= 1.83:" in to_text(policy(rule), "original")


def test_a_plain_line_is_all_that_is_printed() -> None:
    tree = line()
    expected = (
        "if theta + 0.04 omega >= 0:    # node 0\n    right\nelse:\n    left\n"
        "\nunits: theta in rad, omega in rad/s\n"
    )
    assert to_text(tree) == to_text(tree, "original") == to_text(tree, "normalised") == expected


def test_raw_rules_are_the_same_in_both_units_and_have_no_limits() -> None:
    normalised, original = to_text(both()).split("In original units")
    for rule in ("if speed - 2.5 [left leg] <= 6:", "if 25.75 <= 0.5 speed^2 gear <= 34.75:"):
        assert rule in normalised and rule in original
    assert "limited first in nodes 0, 6: -5 <= speed <= 15, -5 <= [left leg] <= 5" in original
    assert "gear'       = 1 (constant in the data)" in normalised
    reading = read(both())
    assert reading.used == ["speed", "left leg", "gear"] and reading.unused == ["radio"]


def test_the_directions_of_a_raw_rule_are_those_of_the_printed_sum() -> None:
    (rule,) = read(line()).rules
    assert rule.directions["theta"] == "raises the sum, towards right"
    (curved,) = read(policy(Rule([[1, 2], [0, 2]], [1.0, 1.0], 0.0, raw=True))).rules
    assert curved.directions == {
        "x": "raises the sum, towards go",
        "y": "raises or lowers the sum",
    }
    (crossed,) = read(policy(Rule([[1, 1]], [1.0], 0.0, raw=True))).rules
    assert set(crossed.directions.values()) == {"raises or lowers the sum"}
    assert crossed.corners == {
        ("x low", "y low"): "left",
        ("x low", "y high"): "left",
        ("x high", "y low"): "left",
        ("x high", "y high"): "right",
    }


def test_a_constant_variable_plays_no_part() -> None:
    reading = read(policy(Rule([[1, 1]], [1.0], -1.5), Scaling([-1.0, 3.0], [1.0, 3.0])))
    assert reading.used == ["x"] and list(reading.rules[0].directions) == ["x"]


def test_directions() -> None:
    (rule,) = read(policy(Rule([[1, -1], [1, 1]], [1.0, 1.0], -2.0))).rules
    assert rule.directions == {
        "x": "raises the sum, towards go",
        "y": "raises or lowers the sum",
    }


def test_a_rule_that_never_changes_is_told() -> None:
    (rule,) = read(policy(Rule([[1, 1]], [1.0], -4.0))).rules
    assert rule.always == "left"
    assert "in the seen range it never changes: stop" in reading_text(
        read(policy(Rule([[1, 1]], [1.0], -4.0)))
    )
    assert read(policy(Rule([[1, 1]], [1.0], -0.5))).rules[0].always == "right"
    assert read(policy(Rule([[1, 1]], [1.0], -2.5, 0.1))).rules[0].always is None
    assert read(policy(Rule([[1, 1]], [1.0], 2.5, 0.1))).rules[0].always == "right"


def test_always_is_never_wrong() -> None:
    generator = np.random.default_rng(0)
    for seed in range(40):
        tree = random_tree(seed, 2, 3, share=0.5)
        states = generator.uniform(tree.scaling.minimum, tree.scaling.maximum, (500, 3))
        for rule, split in zip(read(tree).rules, tree.splits(), strict=True):
            if rule.always:
                left = tree.values(split.rule, states) <= 0
                assert (left == (rule.always == "left")).all()


def test_many_variables_have_too_many_corners() -> None:
    width = 14
    rule = Rule(np.eye(width, dtype=int), np.ones(width), -1.5 * width)
    tree = PolicyTree(
        Split(rule, Leaf(0), Leaf(1)),
        Scaling(np.zeros(width), np.ones(width)),
        tuple(f"x{j}" for j in range(width)),
        ("stop", "go"),
    )
    assert read(tree).rules[0].corners == {}
    assert "corners" not in reading_text(read(tree))


@pytest.mark.parametrize("offset", [0.0, 1e3, -1e7])
def test_rounding_keeps_decisions(offset: float) -> None:
    generator = np.random.default_rng(1)
    for units in ("normalised", "original"):
        for seed in range(20):
            rule = random_tree(seed, 1, 2).splits()[0].rule
            scaling = Scaling([offset - 1.0, offset], [offset + 1.0, offset + 0.5])
            written = formula(rule, scaling, units)
            states = generator.uniform(1.0, 2.0, (2000, 2))
            wanted = rule.value(states) <= 0
            if written.units == "original":
                states = scaling.minimum + (states - 1) * scaling.span
            shown = written.rounded(written.digits).holds(states)
            assert np.mean(shown != wanted) < 0.01


def evaluated(text: str, values: dict[str, Any]) -> Any:
    """Evaluate a printed condition as a reader would."""
    shown = re.sub(r"\|(.*)\|", r"abs(\1)", text)
    shown = re.sub(r"root4\(", "fourth(", shown).replace("^", "**").replace("'", "")
    shown = re.sub(r"(?<=[\w)]) (?=[\w(])", " * ", shown)
    names = {"sqrt": np.sqrt, "cbrt": np.cbrt, "fourth": lambda v: v**0.25, "abs": np.abs}
    first, *others = re.split(r"<=|>=", shown)
    holds: Any = True
    for sign, other in zip(re.findall(r"<=|>=", shown), others, strict=True):
        low, high = eval(first, names | values), eval(other, names | values)
        holds = holds & ((low <= high) if sign == "<=" else (low >= high))
        first = other
    return holds


@pytest.mark.parametrize("seed", range(30))
def test_what_is_printed_is_what_is_decided(seed: int) -> None:
    tree = random_tree(seed, 1, 3, share=0.5)
    rule = tree.splits()[0].rule
    states = np.random.default_rng(seed).uniform(
        tree.scaling.minimum, tree.scaling.maximum, (2000, 3)
    )
    wanted = tree.values(rule, states) <= 0
    original = dict(zip(tree.state_names, states.T, strict=True))
    normalised = dict(zip(tree.state_names, tree.scaling.normalise(states).T, strict=True))
    texts = [
        to_text(tree, units).split("if ")[1].split(":")[0] for units in ("normalised", "original")
    ]
    reading = read(tree).rules[0]
    for text in [*texts, reading.condition, *reading.rearranged]:
        if text in ("always", "never") or " or " in text:
            continue
        values = normalised if "'" in text else original
        if rule.raw and text in (*texts, reading.condition):
            assert (evaluated(text, values) == wanted).all(), text
        assert np.mean(evaluated(text, values) != wanted) < 0.01, text


def test_few_digits_where_few_do() -> None:
    rule = Rule([[1, 0], [0, 2]], [1 / 3, -2 / 3], 1 / 7)
    style = TextStyle(("x", "y"))
    assert (
        condition(formula(rule, SCALING, "normalised"), style) == "0.333 x' - 0.667 y'^2 <= -0.143"
    )


@pytest.mark.parametrize(
    ("value", "expected"),
    [(0.0, "0"), (1e6, "1e6"), (123456.0, "123456"), (-0.001, "-0.001"), (5e-324, "5e-324")],
)
def test_short_numbers(value: float, expected: str) -> None:
    assert short(value) == expected and float(expected) == value


def test_crossings_of_a_modulus() -> None:
    assert crossings(Rule([[1, 0]], [1.0], -1.5, 0.25), np.ones(2), 0) == pytest.approx(
        [1.25, 1.75]
    )
    assert crossings(Rule([[-1, 2]], [4.0], -2.0), np.array([1.0, 1.0]), 0) == pytest.approx([2.0])
    assert crossings(Rule([[1, 0]], [0.0], 0.0), np.ones(2), 0) == []


def test_unknown_units() -> None:
    with pytest.raises(OptionError, match="units must be"):
        to_text(paper("cartpole"), "furlongs")  # type: ignore[arg-type]
