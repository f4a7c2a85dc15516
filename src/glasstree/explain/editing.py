"""Change a policy by hand: a coefficient, a threshold, a width or a leaf."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from glasstree.errors import DataError, OptionError, unknown
from glasstree.explain.states import inside_states
from glasstree.formats.shared.traversal import Place, places, traverse
from glasstree.policy import Leaf, Node, PolicyTree, Rule, Split
from glasstree.policy.document import dumps, loads
from glasstree.policy.formula import formula
from glasstree.policy.notation import is_flipped

FIELDS = (
    "NODE.bias=NUMBER, NODE.threshold=NUMBER, NODE.width=NUMBER or none, NODE.weight.TERM=NUMBER, "
    "NODE.exponent.TERM.VARIABLE=INTEGER, NODE.action=NAME"
)


@dataclass(frozen=True)
class Change:
    """One change: a node, a field with what it points to, and a value."""

    node: int
    field: str
    where: tuple[str, ...]
    value: str

    @classmethod
    def parse(cls, text: str) -> "Change":
        """Read a change such as 0.weight.1=0.5."""
        target, equals, value = text.partition("=")
        node, _, rest = target.strip().partition(".")
        field, *where = rest.split(".", 2)
        if not equals or not node.isdecimal() or not field:
            raise OptionError(f"cannot read the change {text!r}; write one of {FIELDS}")
        return cls(int(node), field, tuple(where), value.strip())


def edit(tree: PolicyTree, changes: Sequence[str]) -> PolicyTree:
    """Return a policy with changes such as "0.bias=0.3" or "2.action=left" made and checked.

    >>> from glasstree.policy import Scaling
    >>> tree = PolicyTree(Split(Rule([[1]], [1.0], -1.5), Leaf(0), Leaf(1)),
    ...                   Scaling([0.0], [4.0]), ("speed",), ("brake", "go"))
    >>> edit(tree, ["0.threshold=1.75"]).actions([[2.5]])
    array([0])
    """
    for text in changes:
        tree = _changed(tree, Change.parse(text))
    return loads(dumps(tree))


def agreement(first: PolicyTree, second: PolicyTree, count: int = 100_000) -> float:
    """Return the share of states inside the first one's range on which two policies agree."""
    if first.n_variables != second.n_variables:
        raise DataError(
            f"the policies have {first.n_variables} and {second.n_variables} variables; "
            "compare policies of one task"
        )
    states = inside_states(first, count)
    names = np.array([*first.action_names, *second.action_names])
    offset = len(first.action_names)
    return float(np.mean(names[first.actions(states)] == names[second.actions(states) + offset]))


def _changed(tree: PolicyTree, change: Change) -> PolicyTree:
    nodes = places(tree)
    if change.node >= len(nodes):
        raise OptionError(f"there is no node {change.node}; the last one is {len(nodes) - 1}")
    kind: Any = Leaf if change.field == "action" else Split
    if not isinstance(nodes[change.node][1], kind):
        have = "a rule" if kind is Leaf else "an action"
        raise OptionError(f"node {change.node} has {have}, so {change.field} cannot be set there")

    def leaf(node: Leaf, place: Place) -> Node:
        if place.number != change.node:
            return node
        return replace(node, action=_action(tree, change.value))

    def split(node: Split, place: Place, left: Node, right: Node) -> Node:
        rule = _rule(node.rule, change, tree) if place.number == change.node else node.rule
        return Split(rule, left, right, node.counts)

    return tree.with_root(traverse(tree, leaf, split))


def _rule(rule: Rule, change: Change, tree: PolicyTree) -> Rule:
    weights, exponents = rule.weights.copy(), rule.exponents.copy()
    bias, width = rule.bias, rule.width
    order, sign = _printed(rule, tree)
    match change.field, change.where:
        case "bias", ():
            bias = _number(change)
        case "threshold", () if rule.modulus:
            raise OptionError(
                f"the right-hand side of node {change.node} is the width of its modulus; write "
                f"{change.node}.width={change.value}"
            )
        case "threshold", ():
            bias = -sign * _number(change)
        case "width", ():
            width = None if change.value == "none" else _number(change)
        case "weight", (term,):
            weights[order[_term(rule, term)]] = sign * _number(change)
        case "exponent", (term, name):
            if name not in tree.state_names:
                raise OptionError(unknown("variable", name, tree.state_names))
            column = tree.state_names.index(name)
            exponents[order[_term(rule, term)], column] = _exponent(rule, change)
        case _:
            raise OptionError(f"nothing is called {change.field!r} there; write one of {FIELDS}")
    return replace(rule, exponents=exponents, weights=weights, bias=bias, width=width)


def _printed(rule: Rule, tree: PolicyTree) -> tuple[list[int], float]:
    """Return the terms in the order in which they are printed, and the sign of all."""
    written = formula(rule, tree.scaling, "normalised")
    if not rule.raw:
        return list(range(rule.n_terms)), 1.0
    sign = -1.0 if is_flipped(written) else 1.0
    order = np.argsort(sign * rule.weights < 0, kind="stable").tolist()
    return (order if len(written.coefficients) == rule.n_terms else sorted(order)), sign


def _action(tree: PolicyTree, name: str) -> int:
    if name not in tree.action_names:
        raise OptionError(f"no action {name!r}; known: {', '.join(tree.action_names)}")
    return tree.action_names.index(name)


def _term(rule: Rule, text: str) -> int:
    if not text.isdecimal() or int(text) >= rule.n_terms:
        raise OptionError(f"no term {text!r}; the rule has terms 0 to {rule.n_terms - 1}")
    return int(text)


def _number(change: Change) -> float:
    try:
        value = float(change.value)
    except ValueError:
        value = float("nan")
    if not np.isfinite(value):
        raise OptionError(f"{change.value!r} is not a finite number for {change.field}")
    return value


def _exponent(rule: Rule, change: Change) -> int:
    try:
        value = int(change.value)
    except ValueError:
        raise OptionError(f"{change.value!r} is not an integer for {change.field}") from None
    if rule.raw and value < 0:
        raise OptionError(
            f"node {change.node} reads values as they are, which may be zero, so it cannot divide "
            "by them; give an exponent of 0 or more"
        )
    return value
