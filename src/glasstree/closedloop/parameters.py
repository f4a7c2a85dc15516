"""The numbers of a tree that re-optimisation may change, and how far a step of each goes."""

import numpy as np

from glasstree.data.collection import visited_states
from glasstree.policy.arrays import Bools, Floats
from glasstree.policy.tree import PolicyTree
from glasstree.tasks.base import Task

REACH = 0.15
SAMPLE = 2000


def free_parameters(tree: PolicyTree) -> Bools:
    """Return which parameters matter: all weights and biases, and the widths of moduli."""
    modulus = [split.rule.modulus for split in tree.splits()]
    free = np.ones(tree.n_terms + 2 * len(modulus), dtype=np.bool_)
    free[tree.n_terms + len(modulus) :] = modulus
    return free


def step_sizes(tree: PolicyTree, task: Task, seed: int) -> Floats:
    """Return for each parameter the change that moves its rule by a share of its own spread."""
    normalised = tree.scaling.normalise(visited_states(tree, task, seed, SAMPLE))
    weights, biases = [], []
    for split in tree.splits():
        rule = split.rule
        terms = rule.terms(normalised)
        spread = float((terms @ rule.weights).std()) + 1e-6
        weights.append(REACH * spread / (terms.std(axis=0) + 0.05))
        biases.append(REACH * spread)
    return np.concatenate([*weights, biases, biases])


def normalised_parameters(tree: PolicyTree, parameters: Floats) -> Floats:
    """Return the same decisions with the largest magnitude of each rule at 1."""
    result = parameters.copy()
    rules = [split.rule for split in tree.splits()]
    start = 0
    for number, rule in enumerate(rules):
        bias = tree.n_terms + number
        places = [*range(start, start + rule.n_terms), bias]
        if rule.modulus:
            places.append(bias + len(rules))
        result[places] /= np.abs(result[places]).max()
        start += rule.n_terms
    return result
