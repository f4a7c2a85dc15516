"""Variables that are 0 or 1: powers of them are lines."""

from dataclasses import replace

import numpy as np

from glasstree.policy.rule import Rule
from glasstree.policy.sources.plant import TRUTH
from glasstree.policy.tree import Node, PolicyTree, Split, fold


def plain_truths(tree: PolicyTree) -> PolicyTree:
    """Return the tree with no power of a 0/1 variable but the first; it decides the same.

    A normalised variable is 1 or 2, where x^n = (2^n - 1) x + 2 - 2^n.
    """
    ends = zip(tree.units, tree.scaling.minimum, tree.scaling.maximum, strict=True)
    truths = [number for number, end in enumerate(ends) if end == (TRUTH, 0.0, 1.0)]

    def put(node: Split, left: Node, right: Node) -> Node:
        return replace(node, rule=_plain(node.rule, truths), left=left, right=right)

    return tree.with_root(fold(tree.root, lambda leaf: leaf, put)) if truths else tree


def _plain(rule: Rule, truths: list[int]) -> Rule:
    """Return a rule over normalised variables with such powers multiplied out."""
    waiting = list(zip(rule.exponents.copy(), rule.weights.tolist(), strict=True))
    terms: dict[tuple[int, ...], float] = {}
    bias = rule.bias
    while waiting and not rule.raw:
        row, weight = waiting.pop(0)
        high = next((number for number in truths if row[number] not in (0, 1)), None)
        if high is not None:
            size = 2.0 ** float(row[high])
            for exponent, share in ((1, size - 1.0), (0, 2.0 - size)):
                other = row.copy()
                other[high] = exponent
                waiting.append((other, weight * share))
        elif row.any():
            terms[tuple(row.tolist())] = terms.get(tuple(row.tolist()), 0.0) + weight
        else:
            bias += weight
    if not terms:
        return rule
    return Rule(np.array(list(terms)), list(terms.values()), bias, rule.width)
