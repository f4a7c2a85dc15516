"""Any policy: any depth, exponents and coefficients, constant variables, one leaf only."""

import ast
import shutil
from dataclasses import replace
from typing import Any
from xml.etree import ElementTree

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings

from formats.export_policies import policies
from glasstree.errors import MissingExtraError, ToolMissingError
from glasstree.explain import check, explain, explanation_text, read, reading_text
from glasstree.explain.runners import COMPILERS, run_c, run_javascript, run_onnx, run_python
from glasstree.explain.states import check_states
from glasstree.formats import FORMATS, export, to_text
from glasstree.policy import Leaf, PolicyTree, Rule, Scaling, Split
from glasstree.policy.document import loads

SLOW = settings(
    max_examples=6, deadline=None, suppress_health_check=[HealthCheck.too_slow], derandomize=True
)
QUICK = settings(
    max_examples=30, deadline=None, suppress_health_check=[HealthCheck.too_slow], derandomize=True
)


def some_states(tree: PolicyTree) -> Any:
    return np.concatenate(list(check_states(tree, 100).values()))


def python_decides_alike(tree: PolicyTree) -> None:
    space: dict[str, Any] = {}
    exec(compile(str(export(tree, "python")), "policy.py", "exec"), space)
    states = some_states(tree)
    assert [space["policy"](state) for state in states.tolist()] == tree.actions(states).tolist()


def onnx_decides_alike(tree: PolicyTree) -> None:
    pytest.importorskip("onnx", reason="the onnx extra is not installed")
    pytest.importorskip("onnxruntime", reason="the onnx extra is not installed")
    states = some_states(tree)
    content = export(tree, "onnx")
    assert isinstance(content, bytes)
    assert np.array_equal(run_onnx(content, states)[0], tree.actions(states))


def c_decides_alike(tree: PolicyTree) -> None:
    if not any(map(shutil.which, COMPILERS)):
        pytest.skip("there is no C compiler")
    assert check(tree, "c", count=400).equal


def javascript_decides_alike(tree: PolicyTree) -> None:
    if not shutil.which("node"):
        pytest.skip("Node.js is not installed")
    assert check(tree, "javascript", count=400).equal


def json_comes_back_to_the_bit(tree: PolicyTree) -> None:
    assert loads(str(export(tree, "json"))) == tree


def text_has_every_rule(tree: PolicyTree) -> None:
    for units in ("both", "normalised", "original"):
        assert to_text(tree, units).count("if ") >= tree.n_rules  # type: ignore[arg-type]


def latex_has_every_rule(tree: PolicyTree) -> None:
    assert str(export(tree, "latex")).count(r"\eIf") == tree.n_rules


def dot_has_every_edge(tree: PolicyTree) -> None:
    assert str(export(tree, "dot")).count(" -> ") == 2 * tree.n_rules


def svg_is_well_formed(tree: PolicyTree) -> None:
    ElementTree.fromstring(str(export(tree, "svg")))


def sympy_is_well_formed(tree: PolicyTree) -> None:
    ast.parse(str(export(tree, "sympy")))


def sql_decides_alike(tree: PolicyTree) -> None:
    states = tuple(f"x{j}" for j in range(tree.n_variables))  # SQL does not hold any name
    actions = tuple(f"a{k}" for k in range(len(tree.action_names)))
    named = replace(tree, state_names=states, action_names=actions)
    assert check(named, "sql", count=400).equal


CHECKS = {
    "sql": sql_decides_alike,
    "python": python_decides_alike,
    "onnx": onnx_decides_alike,
    "c": c_decides_alike,
    "javascript": javascript_decides_alike,
    "json": json_comes_back_to_the_bit,
    "text": text_has_every_rule,
    "latex": latex_has_every_rule,
    "dot": dot_has_every_edge,
    "svg": svg_is_well_formed,
    "sympy": sympy_is_well_formed,
}


@pytest.mark.parametrize("format", FORMATS)
def test_every_format_holds_any_policy(format: str) -> None:
    assert format in CHECKS, f"say in tests/formats what {format} promises"
    check = given(tree=policies())(CHECKS[format])
    (SLOW if format in ("c", "javascript") else QUICK)(check)()


@QUICK
@given(policies())
def test_readings_have_every_rule(tree: PolicyTree) -> None:
    assert len(read(tree).rules) == tree.n_rules
    assert reading_text(read(tree))


@QUICK
@given(policies())
def test_explanations_tell_the_truth(tree: PolicyTree) -> None:
    state = check_states(tree, 20)["inside the range"][0]
    explanation = explain(tree, state)
    action = tree.action_names[int(tree.actions(state[np.newaxis])[0])]
    assert explanation.action == action
    assert explanation_text(explanation, state, tree.state_names)
    for flip in explanation.flips:
        changed = state.copy()
        changed[tree.state_names.index(flip.variable)] = flip.value
        assert tree.action_names[int(tree.actions(changed[np.newaxis])[0])] == flip.action != action


@pytest.mark.parametrize("state, edge", [(0.3, 0.25), (0.7, 0.75)])
def test_the_nearer_of_two_flips_is_told(state: float, edge: float) -> None:
    band = Split(Rule([[1]], [1.0], -1.5, 0.25), Leaf(0), Leaf(1))
    tree = PolicyTree(band, Scaling([0.0], [1.0]), ("x",), ("in", "out"))
    (flip,) = explain(tree, [state]).flips
    assert flip.value == pytest.approx(edge)


RUN = {"python": run_python, "c": run_c, "javascript": run_javascript, "onnx": run_onnx}


@pytest.mark.parametrize("format", RUN)
def test_a_state_on_the_boundary_goes_left_in_every_format(format: str) -> None:
    half = Split(Rule([[1]], [1.0], -1.5), Leaf(0), Leaf(1))
    band = Split(Rule([[1]], [1.0], -1.5, 0.25), half, Leaf(1))
    tree = PolicyTree(band, Scaling([0.0], [1.0]), ("x",), ("left", "right"))
    states = np.array([[0.25], [0.5], [0.75]])
    try:
        found, _ = RUN[format](export(tree, format), states)  # type: ignore[operator]
    except (ToolMissingError, MissingExtraError) as error:
        pytest.skip(str(error))
    assert found.tolist() == tree.actions(states).tolist() == [0, 0, 1]
