"""The count of symbols is that of what is printed, whoever counts."""

import re
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings

from formats.export_policies import random_tree
from glasstree.formats import to_text
from glasstree.policy import Leaf, PolicyTree, Rule, Scaling, Split
from strategies import trees

SCALING = Scaling([-1.0, 0.0], [1.0, 10.0])


def policy(*rules: Rule) -> PolicyTree:
    """Return a chain of rules over x and y."""
    root: Leaf | Split = Leaf(0)
    for rule in reversed(rules):
        root = Split(rule, root, Leaf(1))
    return PolicyTree(root, SCALING, ("x", "y"), ("stop", "go"))


@pytest.mark.parametrize(
    ("rule", "printed", "count"),
    [
        # x <= 2
        (Rule([[1, 0]], [1.0], -2.0, raw=True), "x <= 2", 3),
        # x + 0.04 * y >= 0
        (Rule([[1, 0], [0, 1]], [-1.0, -0.04], 0.0, raw=True), "x + 0.04 y >= 0", 7),
        # | x | <= 3
        (Rule([[1, 0]], [1.0], 0.0, 3.0, raw=True), "|x| <= 3", 4),
        # 2 <= x - y <= 4
        (Rule([[1, 0], [0, 1]], [1.0, -1.0], -3.0, 1.0, raw=True), "2 <= x - y <= 4", 7),
        # 0.5 * x ^ 2 * y <= -1
        (Rule([[2, 1]], [0.5], 1.0, raw=True), "0.5 x^2 y <= -1", 9),
        # (x + 3) ^ 2 <= 9; -1 .. 1 is scaled by 2
        (Rule([[2, 0]], [1.0], -2.25), "(x + 3)^2 <= 9", 7),
        # (y + 10) / (x + 3) <= 10
        (Rule([[-1, 1]], [1.0], -2.0), "(y + 10)/(x + 3) <= 10", 9),
        # 1 / (x + 3) <= 0.25
        (Rule([[-1, 0]], [1.0], -0.5), "1/(x + 3) <= 0.25", 7),
        # 0 <= 1: a rule without variables
        (Rule([[0, 0]], [0.0], -1.0, raw=True), "0 <= 1", 3),
    ],
)
def test_counts_by_hand(rule: Rule, printed: str, count: int) -> None:
    tree = policy(rule)
    assert f"if {printed}:" in to_text(tree, "original")
    assert tree.complexity == count + 2  # and two actions


def test_rules_and_actions_add_up() -> None:
    axis = Rule([[1, 0]], [1.0], -2.0, raw=True)
    assert policy(axis, axis, axis).complexity == 3 * 3 + 4
    assert policy().complexity == 1


TOKENS = re.compile(
    r"""(?P<number>-?(?:\d+\.?\d*(?:e-?\d+)?|inf))
      | (?P<variable>v\d+'?)
      | (?P<comparison><=|>=)
      | (?P<operator>[-+/^])
      | (?P<bar>\|)
      | (?P<open>\()
      | (?P<close>\))
      | (?P<space>\s+)""",
    re.VERBOSE,
)


def symbols_of(text: str) -> int:
    """Count what a reader sees: two things side by side are multiplied, two bars are a modulus."""
    kinds: list[str] = []
    at = 0
    while at < len(text):
        match = TOKENS.match(text, at)
        assert match and match.lastgroup, f"cannot read {text[at:]!r}"
        kind, word = match.lastgroup, match[0]
        ended = bool(kinds) and kinds[-1] in ("number", "variable", "close")
        if kind == "number" and word.startswith("-") and ended:
            kind, word = "operator", "-"
        at += len(word)
        if kind == "space":
            continue
        if kind in ("number", "variable", "open") and ended:
            kinds.append("operator")
        kinds.append(kind)
    bars = kinds.count("bar")
    assert bars in (0, 2)
    counted = ("number", "variable", "comparison", "operator")
    return sum(kinds.count(kind) for kind in counted) + bars // 2


def assert_counted(tree: PolicyTree) -> None:
    names = tuple(f"v{number}" for number in range(tree.n_variables))
    actions = tuple(f"action{number}" for number in range(len(tree.action_names)))
    tree = replace(tree, state_names=names, action_names=actions, units=())
    lines = [line.strip() for line in to_text(tree, "original").splitlines()]
    rules = [line[3:].split(":    # node")[0] for line in lines if line.startswith("if ")]
    leaves = [line for line in lines if line in actions]
    assert len(rules) == tree.n_rules
    assert tree.complexity == sum(map(symbols_of, rules)) + len(leaves)


@pytest.mark.parametrize("start", range(0, 500, 100))
def test_an_independent_reader_counts_the_same(start: int) -> None:
    for seed in range(start, start + 100):
        assert_counted(random_tree(seed, 1 + seed % 2, 1 + seed % 5, share=0.5))


@settings(max_examples=100, derandomize=True, deadline=None)
@given(trees())
def test_any_tree_is_counted_as_it_is_printed(tree: PolicyTree) -> None:
    with np.errstate(all="ignore"):
        assert_counted(tree)
