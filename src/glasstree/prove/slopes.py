"""Whether more of a variable only raises, or only lowers, the value of a rule in a range."""

from functools import reduce
from operator import mul

import numpy as np

from glasstree.policy import PolicyTree, Rule
from glasstree.policy.arrays import Bools, Floats
from glasstree.policy.scaling import HIGHEST, LOWEST
from glasstree.prove.claims.ranges import Range
from glasstree.prove.claims.search import halve
from glasstree.prove.vectors import Intervals

# sides that a rule may change between when a variable grows
TO_RIGHT, TO_LEFT = 1, 2


def bases(tree: PolicyTree, rule: Rule, states: Intervals) -> list[Intervals]:
    """Return what a rule reads of each variable in (n, variables) boxes."""
    columns = [Intervals(low, high) for low, high in zip(states.low.T, states.high.T, strict=True)]
    if rule.raw:
        return columns
    found = []
    spans = tree.scaling.span
    for column, least, span in zip(columns, tree.scaling.minimum, spans, strict=True):
        if span > 0.0:
            scaled = Intervals.of(1.0) + (column - float(least)) / float(span)
            found.append(scaled.clip(LOWEST, HIGHEST))
        else:
            found.append(Intervals.of(np.ones_like(column.low)))
    return found


def weighted_sum(rule: Rule, read: list[Intervals]) -> Intervals:
    """Return the ranges of the sum of a rule over what it reads."""
    total = Intervals.of(np.zeros_like(read[0].low))
    for number, (weight, row) in enumerate(zip(rule.weights.tolist(), rule.exponents, strict=True)):
        powers = [read[i] ** int(row[i]) for i in np.flatnonzero(row).tolist()]
        term = reduce(mul, powers) if powers else Intervals.of(np.ones_like(read[0].low))
        total = total + term * weight if number else term * weight
    return total + rule.bias


def derivative(rule: Rule, read: list[Intervals], variable: int) -> Intervals:
    """Return the ranges of the sum's derivative by what is read of one variable."""
    total = Intervals.of(np.zeros_like(read[0].low))
    for weight, row in zip(rule.weights.tolist(), rule.exponents, strict=True):
        exponent = int(row[variable])
        if exponent == 0:
            continue
        term = Intervals.of(np.full_like(read[0].low, weight * exponent))
        for other in np.flatnonzero(row).tolist():
            left = int(row[other]) - (other == variable)
            if left:
                term = term * read[other] ** left
        total = total + term
    return total


def sides(tree: PolicyTree, rule: Rule, variable: int, within: Range, seconds: float) -> int:
    """Return the changes of side that more of a variable may bring, TO_RIGHT, TO_LEFT or both."""
    if not rule.exponents[:, variable].any() or within.low[variable] == within.high[variable]:
        return 0
    if not rule.raw and tree.scaling.span[variable] == 0.0:
        return 0
    used = np.flatnonzero(rule.exponents.any(axis=0))

    def rises(states: Intervals, sign: float) -> tuple[Floats, Floats]:
        read = bases(tree, rule, states)
        slope = derivative(rule, read, variable) * sign
        if rule.modulus:
            slope = slope * signs(weighted_sum(rule, read))
        return slope.low, slope.high

    def may(sign: float) -> bool:
        def undecided(boxes: Intervals) -> Bools:
            return rises(boxes, sign)[1] > 0.0

        def first_broken(states: Floats) -> int:
            broken = np.flatnonzero(rises(Intervals(states, states), sign)[0] > 0.0)
            return int(broken[0]) if len(broken) else -1

        return not halve(within, used, undecided, first_broken, seconds).proved

    return (TO_RIGHT if may(1.0) else 0) | (TO_LEFT if may(-1.0) else 0)


def signs(values: Intervals) -> Intervals:
    """Return the signs that values may have."""
    return Intervals(np.where(values.low < 0.0, -1.0, 1.0), np.where(values.high > 0.0, 1.0, -1.0))
