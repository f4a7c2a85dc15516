"""Data made from hidden rules."""

import numpy as np

from glasstree.openloop.lower.structure import NodeData
from glasstree.policy.arrays import Floats, Ints
from glasstree.policy.rule import Rule


def hidden_rule(generator: np.random.Generator, variables: int) -> Rule:
    """Draw a rule of 1-3 terms with 1-3 variables each, with or without a modulus."""
    exponents = np.zeros((generator.integers(1, 4), variables), dtype=np.int64)
    for row in exponents:
        used = generator.choice(variables, generator.integers(1, 4), replace=False)
        row[used] = generator.choice([-3, -2, -1, 1, 2, 3], len(used))
    states = generator.uniform(1, 2, (4000, variables))
    plain = Rule(exponents, np.ones(len(exponents)), 0.0)
    terms = plain.terms(states)
    signs = generator.choice([-1.0, 1.0], len(exponents))
    weights = generator.uniform(0.3, 1.0, len(exponents)) * signs / terms.std(axis=0)
    values = terms @ weights
    if generator.integers(2):
        middle = float(np.median(values))
        return Rule(exponents, weights, -middle, float(np.median(np.abs(values - middle))))
    return Rule(exponents, weights, -float(np.quantile(values, generator.uniform(0.35, 0.65))))


def labelled(rule: Rule, samples: int, generator: np.random.Generator) -> tuple[Floats, Ints]:
    """Return states in [1, 2] and the side of the rule on which each lies."""
    states = generator.uniform(1, 2, (samples, rule.exponents.shape[1]))
    return states, (rule.value(states) > 0).astype(np.int64)


def node(states: Floats, labels: Ints, n_classes: int = 2) -> NodeData:
    """Return states as a node's data."""
    columns = np.ascontiguousarray(states.T)
    return NodeData(columns, labels.astype(np.int64), np.ones(len(labels)), n_classes)


def agreement(rule: Rule, states: Floats, labels: Ints) -> float:
    """Return the accuracy of a rule, whichever side is which."""
    share = float(((rule.value(states) > 0) == labels).mean())
    return max(share, 1 - share)
