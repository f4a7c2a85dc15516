"""Rules that are easier to read: exponents that do not matter go, numbers get few digits."""

from collections.abc import Callable, Iterator
from dataclasses import replace

import numpy as np

from glasstree.errors import OptionError
from glasstree.openloop.lower.projection import exact_edges
from glasstree.openloop.lower.scanning import ScanSolver, solution_of
from glasstree.openloop.lower.structure import NodeData, Solution, Structure
from glasstree.policy.arrays import Floats, Ints
from glasstree.policy.formula import significant
from glasstree.policy.rule import Rule
from glasstree.policy.tree import PolicyTree, Split, walk

MOST_DIGITS = 17  # enough to write any float64
FITTED = 4000  # states, about, on which directions are fitted

Loss = Callable[[PolicyTree], float]


def drop_exponents(
    tree: PolicyTree,
    states: Floats,
    actions: Ints | None = None,
    tolerance: float = 0.001,
    refit: bool = True,
) -> PolicyTree:
    """Drop terms and factors of rules, the least missed first, while the tree decides alike.

    states: (n, variables) in original units. Without actions, at most a share `tolerance` of
    the decisions may change; with the right actions (n,), at most so much accuracy may be lost.
    The weights that are left are refitted to the sides that the longer rule took, or kept.
    """
    loss = _loss(tree, states, actions)
    while True:
        trials = [
            tree.with_rule(number, shorter)
            for number, data in enumerate(_arrivals(tree, states))
            for shorter in _shorter(tree.splits()[number].rule, data, refit)
        ]
        if not trials:
            return tree
        best = min(trials, key=loss)
        if loss(best) > tolerance:
            return tree
        tree = best


def round_numbers(
    tree: PolicyTree, states: Floats, digits: int = 1, tolerance: float = 0.001
) -> PolicyTree:
    """Round weights, biases and widths to `digits` significant digits, or to a few more.

    Each rule gets as many as keep the changed share of decisions on (n, variables) states
    below `tolerance`, or fewer, or one more, if then none changes; biases move so as to make up
    for rounded weights.
    """
    check_digits(digits)
    loss = _loss(tree, states, None)
    for number, data in enumerate(_arrivals(tree, states)):
        allowed = tolerance * (number + 1) / tree.n_rules
        before = loss(tree)
        limits = [(count, before) for count in range(1, digits + 2)]
        limits += [(count, allowed) for count in range(digits, MOST_DIGITS + 1)]
        for count, limit in limits:
            rule = _rounded(tree.splits()[number].rule, data, count)
            shorter = tree.with_rule(number, rule)
            if loss(shorter) <= limit:
                tree = shorter
                break
    return tree


def check_digits(digits: int) -> None:
    """Refuse a number of digits that no number has."""
    if not 1 <= digits <= MOST_DIGITS:
        raise OptionError(f"digits must be in 1 .. {MOST_DIGITS}, got {digits}")


def _loss(tree: PolicyTree, states: Floats, actions: Ints | None) -> Loss:
    """Return how much worse than the given tree another one is: decisions or accuracy."""
    before = tree.actions(states)
    if actions is None:
        return lambda other: float((other.actions(states) != before).mean())
    accuracy = (before == actions).mean()
    return lambda other: float(accuracy - (other.actions(states) == actions).mean())


def _arrivals(tree: PolicyTree, states: Floats) -> list[NodeData]:
    """Return, for each split in preorder, the states that come there and the side they take."""
    found = []
    nodes = (node for _, node in walk(tree.root))
    for node, rows in zip(nodes, tree.apply(states), strict=True):
        if isinstance(node, Split):
            variables = node.rule.variables(states[rows], tree.scaling)
            goes_right = (node.rule.value(variables) > 0.0).astype(np.int64)
            columns = np.ascontiguousarray(variables.T)
            found.append(NodeData(columns, goes_right, np.ones(len(rows)), 2))
    return found


def _shorter(rule: Rule, data: NodeData, refit: bool) -> Iterator[Rule]:
    """Yield the rule without each of its terms, and without each of its factors."""
    for term in range(rule.n_terms if rule.n_terms > 1 else 0):
        kept = np.arange(rule.n_terms) != term
        shorter = replace(rule, exponents=rule.exponents[kept], weights=rule.weights[kept])
        yield _fitted(shorter, data, refit)
    for place in np.argwhere(rule.exponents):
        exponents = rule.exponents.copy()
        exponents[tuple(place)] = 0
        if exponents[place[0]].any() and len(np.unique(exponents, axis=0)) == len(exponents):
            yield _fitted(replace(rule, exponents=exponents), data, refit)


def _fitted(rule: Rule, data: NodeData, refit: bool) -> Rule:
    """Return the rule with the biases, and if so wanted weights, that take the same sides."""
    structure = Structure(rule.exponents.copy(), rule.modulus)
    if refit and data.counts.all():
        sizes = _sizes(rule, data)
        units = np.prod(sizes**rule.exponents, axis=1)
        scaled = replace(data, columns=data.columns / sizes[:, np.newaxis])
        start = Solution(rule.weights * units, rule.bias, rule.width, np.inf)
        sample = scaled.take(np.arange(0, len(data), -(-len(data) // FITTED)))
        found = ScanSolver().polish(scaled, sample, structure, start)
        fitted = replace(rule, weights=found.weights / units, bias=found.bias, width=found.width)
        return _turned(fitted, data)
    return _placed(rule, data)


def _sizes(rule: Rule, data: NodeData) -> Floats:
    """Return by what the variables are divided while weights are searched: raw ones vary much."""
    sizes: Floats = np.abs(data.columns).max(axis=1) if rule.raw else np.ones(len(data.columns))
    return np.where(sizes > 0, sizes, 1.0)


def _placed(rule: Rule, data: NodeData) -> Rule:
    """Return the rule with the bias and width that take the same sides most often."""
    if not data.counts.all():
        return rule
    arguments = (data.columns, data.labels, data.sample_weights, data.counts)
    exponents, weights = rule.exponents.copy(), rule.weights.copy()
    edges = exact_edges(*arguments, exponents, rule.modulus, weights)
    found = solution_of(Structure(exponents, rule.modulus), weights, *edges)
    size = float(np.abs(weights).max() / np.abs(found.weights).max())
    width = None if found.width is None else size * found.width
    moved = replace(rule, bias=size * found.bias, width=width)
    return max(rule, _turned(moved, data), key=lambda one: _agreement(one, data))


def _turned(rule: Rule, data: NodeData) -> Rule:
    """Return the rule so that left is left: a threshold may have been found upside down."""
    if rule.modulus or _agreement(rule, data) >= 0.5:
        return rule
    return replace(rule, weights=-rule.weights, bias=-rule.bias)


def _agreement(rule: Rule, data: NodeData) -> float:
    return float(((rule.value(data.columns.T) > 0.0) == data.labels).mean())


def _rounded(rule: Rule, data: NodeData, digits: int) -> Rule:
    weights = np.array([significant(weight, digits) for weight in rule.weights])
    through_zero = replace(rule, weights=weights, bias=0.0)
    if not rule.modulus and data.counts.all() and _agreement(through_zero, data) == 1.0:
        return through_zero
    placed = _placed(replace(rule, weights=weights), data)
    width = None if placed.width is None else significant(placed.width, digits)
    return replace(placed, weights=weights, bias=significant(placed.bias, digits), width=width)
