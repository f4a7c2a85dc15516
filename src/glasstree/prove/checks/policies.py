"""What a tree may do in many boxes, read from its rules themselves."""

import numpy as np

from glasstree.policy import Leaf, Node, PolicyTree, Rule
from glasstree.policy.arrays import Bools, Ints
from glasstree.prove.slopes import bases, derivative, weighted_sum
from glasstree.prove.vectors import Intervals


def possible_actions(tree: PolicyTree, states: Intervals) -> Bools:
    """Return (n, actions): which actions the tree may take somewhere in (n, variables) boxes."""
    found: Bools = np.zeros((len(states.low), len(tree.action_names)), dtype=np.bool_)

    def visit(node: Node, rows: Ints) -> None:
        if isinstance(node, Leaf):
            found[rows, node.action] = True
            return
        if not len(rows):
            return
        value = rule_values(tree, node.rule, Intervals(states.low[rows], states.high[rows]))
        visit(node.left, rows[value.low <= 0.0])
        visit(node.right, rows[value.high > 0.0])

    visit(tree.root, np.arange(len(states.low)))
    return found


def rule_values(tree: PolicyTree, rule: Rule, states: Intervals) -> Intervals:
    """Return the ranges of f, exact and as float64 rounds it (Eq. 3)."""
    read = bases(tree, rule, states)
    total = weighted_sum(rule, read)
    if ((rule.exponents != 0).sum(axis=0) > 1).any() and not rule.raw:
        total = total.meet(monotone_sum(rule, read))
    if rule.width is None:
        return total
    return abs(total) - rule.width


def monotone_sum(rule: Rule, read: list[Intervals]) -> Intervals:
    """Return the ranges of the sum from the ends of variables that only raise or only lower it."""
    least, most = list(read), list(read)
    for variable in np.flatnonzero((rule.exponents != 0).sum(axis=0) > 1).tolist():
        slope, values = derivative(rule, read, variable), read[variable]
        up, down = slope.low >= 0.0, slope.high <= 0.0
        to_low = Intervals(values.low, np.where(up, values.low, values.high))
        least[variable] = Intervals(np.where(down, values.high, to_low.low), to_low.high)
        to_high = Intervals(np.where(up, values.high, values.low), values.high)
        most[variable] = Intervals(to_high.low, np.where(down, values.low, to_high.high))
    size = weighted_sum(magnitudes(rule), read).high
    error = size * (8 + np.abs(rule.exponents).sum() + rule.n_terms) * 2.0**-50
    low, high = weighted_sum(rule, least).low, weighted_sum(rule, most).high
    return Intervals(np.nextafter(low - error, -np.inf), np.nextafter(high + error, np.inf))


def magnitudes(rule: Rule) -> Rule:
    """Return a rule with the magnitudes of weights and bias."""
    return Rule(rule.exponents, np.abs(rule.weights), abs(rule.bias), raw=rule.raw)
