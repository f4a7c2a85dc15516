"""The numbers of a tree that re-optimisation may change, and how far a step of each goes.

docs/algorithm.md, section 8.
"""

from collections.abc import Iterator

import numpy as np

from glasstree.policy.arrays import Bools, Floats, Ints
from glasstree.policy.formula import is_linear
from glasstree.policy.rule import Rule
from glasstree.policy.sources.levels import level_spans
from glasstree.policy.tree import PolicyTree, Split, walk

REACH = 0.15  # of the deviation of a rule's sum: what a first step moves it by
FEWEST = 20  # states of a node that are enough to measure its rule on


def free_parameters(tree: PolicyTree) -> Bools:
    """Return which parameters matter: weights, biases, widths of moduli, levels of leaves."""
    modulus = [split.rule.modulus for split in tree.splits()]
    return np.concatenate([np.ones(tree.n_terms + len(modulus)), modulus, _taken(tree)]) > 0


def tied_to(tree: PolicyTree) -> Ints:
    """Return for each parameter the one that it follows: a line's equal weights stay equal."""
    found = np.arange(len(tree.parameters()))
    first = 0
    for rule in (split.rule for split in tree.splits()):
        sizes = np.abs(rule.weights)
        if rule.raw and is_linear(rule):
            alike = sizes == sizes[:, np.newaxis]
            own = np.arange(rule.n_terms)
            found[first + own] = first + np.where(sizes > 0, alike.argmax(axis=1), own)
        first += rule.n_terms
    return found


def _taken(tree: PolicyTree) -> Bools:
    """Return which numbers of levels any leaf takes."""
    if tree.levels is None:
        return np.zeros(0, dtype=np.bool_)
    taken = np.zeros(tree.levels.shape, dtype=np.bool_)
    taken[[leaf.action for leaf in tree.leaves()]] = True
    return taken.reshape(-1)


def step_sizes(tree: PolicyTree, states: Floats) -> Floats:
    """Return for each parameter the change that moves its rule by a share of its own spread.

    states: (n, variables) that control comes to; each rule is measured on those that come to it.
    """
    weights, biases = [], []
    for rule, terms in _measured(tree, states):
        total, own = _spreads(rule, terms)
        weights.append(REACH * total / own)
        biases.append(REACH * total)
    levels = np.zeros(0)
    if tree.levels is not None and tree.plant is not None:
        levels = np.tile(REACH * level_spans(tree.plant), len(tree.levels))
    return np.concatenate([*weights, biases, biases, levels])


def mean_terms(tree: PolicyTree, states: Floats) -> Floats:
    """Return (terms, rules) how much each term is on average, in its own rule's column.

    A bias that falls by it where a weight grows turns the rule about the middle of its states.
    """
    means = np.zeros((tree.n_terms, tree.n_rules))
    first = 0
    for number, (rule, terms) in enumerate(_measured(tree, states)):
        means[first : first + rule.n_terms, number] = terms.mean(axis=0)
        first += rule.n_terms
    return means


def _measured(tree: PolicyTree, states: Floats) -> Iterator[tuple[Rule, Floats]]:
    """Yield each rule with its terms in the states that come to it."""
    nodes = (node for _, node in walk(tree.root))
    for node, rows in zip(nodes, tree.apply(states), strict=True):
        if isinstance(node, Split):
            some = states[rows] if len(rows) >= FEWEST else states
            yield node.rule, node.rule.terms(node.rule.variables(some, tree.scaling))


def _spreads(rule: Rule, terms: Floats) -> tuple[float, Floats]:
    """Return the spread of a rule's sum and that of each term, kept from zero.

    Normalised terms are near one, so that a constant does it; raw ones are of any size, so that
    it takes a share of their own.
    """
    total, own = float((terms @ rule.weights).std()), terms.std(axis=0)
    if not rule.raw:
        return total + 1e-6, own + 0.05
    sizes = np.where(own > 0, own, np.abs(terms).max(axis=0))
    sizes = np.where(sizes > 0, sizes, 1.0)
    return total or float(np.abs(rule.weights) @ sizes) or 1.0, own + 0.05 * sizes


def normalised_parameters(tree: PolicyTree, parameters: Floats) -> Floats:
    """Return the same decisions with the largest magnitude of each rule at 1.

    In a raw rule it is the largest weight: a constant has units of its own.
    """
    result = parameters.copy()
    rules = [split.rule for split in tree.splits()]
    start = 0
    for number, rule in enumerate(rules):
        bias = tree.n_terms + number
        places = [*range(start, start + rule.n_terms), bias]
        if rule.modulus:
            places.append(bias + len(rules))
        measured = places[: rule.n_terms] if rule.raw else places
        result[places] /= np.abs(result[measured]).max(initial=0.0) or 1.0
        start += rule.n_terms
    return result
