"""Exported code, run by the tools of its language, decides as the tree does."""

import shutil

import numpy as np
import pytest

from formats.export_policies import PAPER, both, chain, hostile, line, mixed, paper, random_tree
from glasstree.errors import ExportError, OptionError
from glasstree.explain import RUNNABLE, check, checked_export, checking
from glasstree.explain.runners import COMPILERS, FLAGS, run_c
from glasstree.explain.states import check_states
from glasstree.formats import export
from glasstree.policy import Leaf, PolicyTree, Rule, Scaling, Split

NEEDS_COMPILER = pytest.mark.skipif(
    not any(map(shutil.which, COMPILERS)), reason="there is no C compiler"
)
SANITIZERS = ("-fsanitize=address,undefined", "-fno-sanitize-recover=all", "-g")
LEAF = PolicyTree(Leaf(1), Scaling([0.0, 1.0], [1.0, 1.0]), ("x", "y"), ("no", "yes"))
CONSTANT = PolicyTree(
    Split(Rule([[2, 1]], [1.0], -1.0), Leaf(1), Leaf(0)),
    Scaling([3.0, 1.0], [3.0, 1.0]),
    ("x", "y"),
    ("no", "yes"),
)
ODD = {"leaf": LEAF, "constant": CONSTANT, "mixed": mixed(), "hostile": hostile(2)}
ODD |= {"line": line(), "both": both()}


def need(format: str) -> None:
    if format == "c" and not any(map(shutil.which, COMPILERS)):
        pytest.skip("there is no C compiler")
    if format == "javascript" and not shutil.which("node"):
        pytest.skip("Node.js is not installed")
    if format == "onnx":
        pytest.importorskip("onnx", reason="the onnx extra is not installed")
        pytest.importorskip("onnxruntime", reason="the onnx extra is not installed")


@pytest.mark.parametrize("format", RUNNABLE)
def test_depth_six_on_100000_states(format: str) -> None:
    need(format)
    result = check(random_tree(1, 6), format)
    assert result.equal and sum(result.states.values()) == 100_000


@pytest.mark.parametrize("format", RUNNABLE)
@pytest.mark.parametrize("share", [0.5, 1.0])
def test_rules_over_raw_values(share: float, format: str) -> None:
    need(format)
    tree = random_tree(3, 5, share=share)
    assert {split.rule.raw for split in tree.splits()} == ({True, False} if share < 1 else {True})
    assert check(tree, format, count=20_000).equal


@pytest.mark.parametrize("format", RUNNABLE)
@pytest.mark.parametrize("task", PAPER)
def test_papers_trees(task: str, format: str) -> None:
    need(format)
    assert check(paper(task), format, count=10_000).equal


@pytest.mark.parametrize("format", RUNNABLE)
@pytest.mark.parametrize("name", ODD)
def test_odd_trees(name: str, format: str) -> None:
    need(format)
    if (name, format) == ("hostile", "sql"):
        with pytest.raises(OptionError, match="NUL character"):
            check(ODD[name], format, count=2000)
    else:
        assert check(ODD[name], format, count=2000).equal


@pytest.mark.parametrize("format", RUNNABLE)
@pytest.mark.parametrize("pattern", ["l", "lr"])
def test_deepest_trees(pattern: str, format: str) -> None:
    need(format)
    assert check(chain(100, pattern), format, count=1000).equal


@pytest.mark.parametrize("format", RUNNABLE)
def test_numbers_that_optimisers_take_for_one_or_zero(format: str) -> None:
    need(format)
    rule = Rule([[1, 0], [0, -1]], [1.0 + 1e-9, -(1.0 + 1e-15)], 1e-60)
    close = Rule([[1, -1]], [1.0 - 1e-12], -1.0, 1e-60)
    tree = PolicyTree(
        Split(rule, Leaf(0), Split(close, Leaf(1), Leaf(0))),
        Scaling([1e-70, -1.0], [1.0 + 1e-10, 0.0]),
        ("x", "y"),
        ("no", "yes"),
    )
    assert check(tree, format, count=2000).equal


@NEEDS_COMPILER
@pytest.mark.parametrize("precision", ["double", "float"])
def test_sanitizers_find_nothing(precision: str) -> None:
    tree = random_tree(2, 4)
    states = np.concatenate(list(check_states(tree, 20_000, precision).values()))
    source = str(export(tree, "c", precision=precision))
    try:
        actions, _ = run_c(source, states, precision, (*FLAGS, *SANITIZERS))
    except ExportError as error:
        if "lasan" in str(error) or "sanitize" in str(error):
            pytest.skip("the compiler comes without sanitizers")
        raise
    if precision == "double":
        assert np.array_equal(actions, tree.actions(states))


@pytest.mark.parametrize("format", ["c", "onnx"])
def test_single_precision_differs_on_boundaries_only(format: str) -> None:
    need(format)
    exported = checked_export(paper("cartpole"), format, "float", 20_000)
    assert exported.check is not None
    different = dict(exported.check.different)
    assert 0 < different.pop("on the boundaries") < 6000 and not any(different.values())
    assert "of 6,000 boundary states" in exported.sentence


def test_states_are_of_four_kinds_and_near_boundaries() -> None:
    tree = paper("cartpole")
    states = check_states(tree, 1000)
    assert [len(values) for values in states.values()] == [300, 300, 200, 200]
    rule = tree.splits()[0].rule
    values = rule.value(tree.scaling.normalise(states["on the boundaries"]))
    assert np.abs(values).max() < 1e-12
    assert 0.3 < np.mean(values <= 0) < 0.7


def test_a_wrong_export_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    wrong = export(random_tree(4, 2), "python")
    monkeypatch.setattr(checking, "export", lambda *_, **__: wrong)
    with pytest.raises(ExportError, match="differs from the tree on"):
        check(random_tree(5, 2), "python", count=100)


@pytest.mark.parametrize("format", ["python", "c", "javascript", "onnx"])
def test_the_header_states_the_check(format: str) -> None:
    need(format)
    exported = checked_export(paper("cartpole"), format, count=1000)
    raw = exported.content if isinstance(exported.content, bytes) else exported.content.encode()
    assert b"Checked: the tree's action on all 1,000 states" in raw


def test_requests_that_make_no_sense() -> None:
    tree = paper("cartpole")
    with pytest.raises(OptionError, match="cannot be run"):
        check(tree, "svg")
    with pytest.raises(OptionError, match="did you mean 'python'"):
        export(tree, "pyton")
    with pytest.raises(OptionError, match="c and onnx have two"):
        export(tree, "python", precision="float")
    with pytest.raises(OptionError, match="unknown precision"):
        export(tree, "c", precision="half")
    with pytest.raises(OptionError, match="takes from 1 to"):
        check(tree, "json", count=-1)


@pytest.mark.parametrize("format", ["c", "onnx"])
def test_what_single_precision_cannot_hold(format: str) -> None:
    need(format)
    rule = Rule([[1]], [1e300], -1e300)
    tree = PolicyTree(Split(rule, Leaf(0), Leaf(1)), Scaling([0.0], [1.0]), ("x",), ("a", "b"))
    with pytest.raises(OptionError, match="too large for single precision; use double"):
        export(tree, format, precision="float")
    tiny = PolicyTree(
        Split(Rule([[1]], [1.0], -1.5), Leaf(0), Leaf(1)),
        Scaling([0.0], [1e-60]),
        ("x",),
        ("a", "b"),
    )
    with pytest.raises(OptionError, match="too small for single precision; use double"):
        export(tiny, format, precision="float")
