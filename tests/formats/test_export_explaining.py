"""Explanations of single states, edits, and expressions for SymPy."""

from typing import Any

import numpy as np
import pytest

from formats.export_policies import line, paper, random_tree
from glasstree.errors import DataError, OptionError, PolicyFileError
from glasstree.explain import agreement, edit, explain, explanation_text
from glasstree.formats import export, to_expressions, to_text
from glasstree.policy import Leaf, PolicyTree, Rule, Scaling, Split

STATE = [20.0, 0.0, 1.0]


def test_the_way_of_a_state() -> None:
    explanation = explain(paper("carfollowing"), STATE)
    assert (explanation.action, explanation.leaf) == ("brake", 3)
    assert [rule.node for rule in explanation.rules] == [0, 1]
    first = explanation.rules[0]
    total = sum(value for _, value in first.terms) + first.bias
    assert first.value == pytest.approx(total) and first.margin == abs(first.value)
    assert [name for name, _ in first.terms] == ["0.63 gap'", "-0.87 a_last'/v_rel'^2"]


def test_node_numbers_on_the_right() -> None:
    tree = random_tree(3, 3)
    for state in np.random.default_rng(0).normal(size=(12, 8)) * 10:
        explanation = explain(tree, state)
        source = str(export(tree, "dot"))
        assert (
            f'n{explanation.leaf} [label="node {explanation.leaf}\\n{explanation.action}' in source
        )


def test_the_nearest_flip_is_exact() -> None:
    rule = Rule([[1, 0], [0, 1]], [2.0, 1.0], -4.5)
    tree = PolicyTree(
        Split(rule, Leaf(0), Leaf(1)), Scaling([0.0, 0.0], [1.0, 10.0]), ("x", "y"), ("a", "b")
    )
    near, far = explain(tree, [0.5, 2.0]).flips
    assert (near.variable, near.action) == ("x", "b")
    assert near.value == pytest.approx(0.65) and near.change == pytest.approx(0.15)
    assert far.value == pytest.approx(5.0) and far.share == pytest.approx(0.3)
    for flip, variable in ((near, 0), (far, 1)):
        state = np.array([0.5, 2.0])
        state[variable] = np.nextafter(flip.value, -np.inf)
        assert tree.actions(state[np.newaxis]) == [0]


def test_a_sliver_between_two_rules_is_found() -> None:
    inner = Split(Rule([[1]], [1.0], -1.50001), Leaf(1), Leaf(0))
    tree = PolicyTree(
        Split(Rule([[1]], [1.0], -1.5), Leaf(0), inner), Scaling([0.0], [1.0]), ("x",), ("a", "b")
    )
    (flip,) = explain(tree, [0.1]).flips
    assert flip.action == "b" and 0.5 < flip.value <= 0.50001


def test_states_outside_the_range() -> None:
    explanation = explain(paper("carfollowing"), [500.0, 0.0, 1.0])
    assert explanation.unseen == ["gap"]
    assert explanation.flips[0].change < 0
    assert "outside the range that was seen: gap" in explanation_text(
        explanation, [500.0, 0.0, 1.0], ("gap", "v_rel", "a_last")
    )


def test_one_leaf_cannot_flip() -> None:
    tree = PolicyTree(Leaf(0), Scaling([0.0], [1.0]), ("x",), ("a",))
    assert "nothing: no single variable can" in explanation_text(
        explain(tree, [0.0]), [0.0], ("x",)
    )


@pytest.mark.parametrize("state", [[1.0], [1.0, float("nan"), 0.0], [[1.0, 2.0, 3.0]]])
def test_bad_states(state: Any) -> None:
    with pytest.raises(DataError):
        explain(paper("carfollowing"), state)


@pytest.mark.parametrize(
    ("change", "check"),
    [
        ("0.bias=0.5", lambda tree: tree.root.rule.bias == 0.5),
        ("0.width=0.125", lambda tree: tree.root.rule.width == 0.125),
        ("0.width=none", lambda tree: tree.root.rule.width is None),
        ("0.weight.1=2e-310", lambda tree: tree.root.rule.weights[1] == 2e-310),
        ("0.exponent.0.theta=3", lambda tree: tree.root.rule.exponents[0, 2] == 3),
        ("2.action=left", lambda tree: tree.root.right.action == 0),
    ],
)
def test_edits(change: str, check: Any) -> None:
    before = paper("cartpole")
    after = edit(before, [change])
    assert check(after) and after != before and edit(before, []) == before


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ("bias=1", "cannot read the change"),
        ("0.bias", "cannot read the change"),
        ("9.bias=1", "there is no node 9; the last one is 2"),
        ("1.bias=1", "node 1 has an action"),
        ("0.action=left", "node 0 has a rule"),
        ("1.action=up", "no action 'up'; known: left, right"),
        ("0.weight.7=1", "no term '7'"),
        ("0.bias=nan", "not a finite number"),
        ("0.bias=much", "not a finite number"),
        ("0.exponent.0.theta=1.5", "not an integer"),
        ("0.exponent.0.height=1", "unknown variable 'height'"),
        ("0.threshold=0.24", "write 0.width=0.24"),
        ("0.colour=1", "nothing is called 'colour' there"),
    ],
)
def test_bad_edits(change: str, message: str) -> None:
    with pytest.raises(OptionError, match=message):
        edit(paper("cartpole"), [change])


@pytest.mark.parametrize(
    ("changes", "printed"),
    [
        (["0.threshold=0.1"], "theta + 0.04 omega >= 0.1"),
        (["0.weight.1=0.5"], "theta + 0.5 omega >= 0"),
        (["0.weight.1=-0.5"], "theta - 0.5 omega >= 0"),
        (["0.exponent.0.theta=3"], "theta^3 + 0.04 omega >= 0"),
        (["0.width=0.25"], "|theta + 0.04 omega| <= 0.25"),
    ],
)
def test_raw_rules_are_edited_as_they_are_printed(changes: list[str], printed: str) -> None:
    assert f"if {printed}:" in to_text(edit(line(), changes))


def test_terms_of_a_raw_rule_count_as_they_are_printed() -> None:
    rule = Rule([[1, 0], [0, 1]], [-2.0, 1.0], -4.0, raw=True)
    tree = PolicyTree(Split(rule, Leaf(0), Leaf(1)), Scaling([0, 0], [1, 1]), ("x", "y"), "ab")
    assert "if 2 x - y >= -4:" in to_text(tree)
    assert "if 2 x - 3 y >= -4:" in to_text(edit(tree, ["0.weight.1=-3"]))
    with pytest.raises(OptionError, match="cannot divide by them; give an exponent of 0 or more"):
        edit(tree, ["0.exponent.0.x=-1"])


def test_a_raw_rule_is_explained_as_it_is_printed() -> None:
    text = explanation_text(explain(line(), [0, 0, 0.1, 0.5]), [0, 0, 0.1, 0.5], line().state_names)
    assert "theta       +0.1\n    0.04 omega  +0.02\n    constant    +0\n" in text
    assert "sum         +0.12 >= 0? yes" in text


def test_flips_of_raw_rules_lie_beyond_the_limits_too() -> None:
    rule = Rule([[1]], [1.0], -1000.0, raw=True)
    tree = PolicyTree(Split(rule, Leaf(0), Leaf(1)), Scaling([0.0], [1.0]), ("x",), ("a", "b"))
    (flip,) = explain(tree, [0.5]).flips
    assert flip.value == np.nextafter(1000.0, 2000.0) and not flip.seen
    (back,) = explain(tree, [5e6]).flips
    assert back.value == 1000.0 and back.action == "a"


def test_an_edit_beyond_the_document_is_refused() -> None:
    with pytest.raises(PolicyFileError, match="beyond"):
        edit(paper("cartpole"), ["0.exponent.0.theta=1000"])


def test_a_threshold_is_the_right_hand_side() -> None:
    plain = edit(paper("cartpole"), ["0.width=none", "0.threshold=0.5"])
    assert plain.splits()[0].rule.bias == -0.5


def test_agreement() -> None:
    tree = paper("cartpole")
    assert agreement(tree, tree) == 1.0
    assert 0.5 < agreement(tree, edit(tree, ["0.bias=0.6"])) < 1.0
    assert agreement(tree, edit(tree, ["1.action=right", "2.action=left"])) == 0.0
    with pytest.raises(DataError, match="4 and 3 variables"):
        agreement(tree, paper("carfollowing"))


@pytest.mark.parametrize("share", [0.0, 0.5, 1.0])
def test_expressions_are_the_rules(share: float) -> None:
    sympy = pytest.importorskip("sympy", reason="the sympy extra is not installed")
    tree = random_tree(7, 3, 3, share=share)
    found = to_expressions(tree)
    space: dict[str, Any] = {}
    exec(compile(str(export(tree, "sympy")), "expressions.py", "exec"), space)
    assert space["rules"] == found.rules and space["scaling"] == found.scaling
    assert space["policy"] == found.policy
    states = np.random.default_rng(0).normal(size=(40, 3)) * 10
    policy = sympy.lambdify(found.original, found.policy.subs(found.scaling), "math")
    agree = [
        policy(*state) == action for state, action in zip(states, tree.actions(states), strict=True)
    ]
    assert all(agree)
