"""Smaller trees that decide alike: cut, collapse, merge.

docs/algorithm.md, section 6.
"""

from collections.abc import Callable
from dataclasses import replace

import numpy as np

from glasstree.policy.arrays import Floats, Ints
from glasstree.policy.tree import Leaf, Node, PolicyTree, Split, fold, walk

Counts = tuple[float, ...]
Errors = Callable[[Counts], float]
ROUNDING = 1e-9  # of a price, by which sums of weights may differ


def as_leaf(node: Node) -> Leaf:
    """Return the leaf that would stand in a node's place: its most frequent action."""
    if isinstance(node, Leaf):
        return node
    return Leaf(int(np.argmax(node.counts)), node.counts)


def cut(tree: PolicyTree, depth: int) -> PolicyTree:
    """Keep the top of a tree: at most `depth` rules on the way of a state."""

    def top(node: Node, left: int) -> Node:
        if isinstance(node, Leaf) or left == 0:
            return as_leaf(node)
        return replace(node, left=top(node.left, left - 1), right=top(node.right, left - 1))

    return tree.with_root(top(tree.root, depth))


def simplify(tree: PolicyTree, min_samples: float = 10) -> PolicyTree:
    """Collapse splits with a child of fewer samples, and merge sibling leaves of one action."""

    def split(node: Split, left: Node, right: Node) -> Node:
        if min(sum(left.counts), sum(right.counts)) < min_samples:
            larger = left if sum(left.counts) >= sum(right.counts) else right
            return replace(larger, counts=node.counts)
        if isinstance(left, Leaf) and isinstance(right, Leaf) and left.action == right.action:
            return Leaf(left.action, node.counts)
        return replace(node, left=left, right=right)

    return tree.with_root(fold(tree.root, lambda leaf: leaf, split))


def prune(
    tree: PolicyTree,
    states: Floats,
    actions: Ints,
    tolerance: float = 0.001,
    weights: Floats | None = None,
) -> PolicyTree:
    """Collapse splits, from the bottom, that are worth less than `tolerance` of accuracy.

    states: (n, variables) in original units, actions: (n,), weights: (n,) if they are not alike.
    """
    arrivals = iter(tree.apply(states))
    total = len(actions) if weights is None else float(weights.sum())

    def visit(node: Node) -> tuple[Node, float]:
        leaf, rows = as_leaf(node), next(arrivals)
        right = actions[rows] == leaf.action
        plain = float(right.sum() if weights is None else weights[rows][right].sum())
        if isinstance(node, Leaf):
            return node, plain
        (left, right_of_left), (right, right_of_right) = visit(node.left), visit(node.right)
        correct = right_of_left + right_of_right
        if correct - plain <= tolerance * total:
            return leaf, plain
        return replace(node, left=left, right=right), correct

    root, _ = visit(tree.root)
    return tree.with_root(root)


def limit_rules(tree: PolicyTree, most: int) -> PolicyTree:
    """Collapse the splits that spare fewest training errors until at most `most` are left."""
    while tree.n_rules > most:
        lowest = [
            split
            for split in tree.splits()
            if isinstance(split.left, Leaf) and isinstance(split.right, Leaf)
        ]
        weakest = min(lowest, key=_spared_errors)

        def collapse(node: Split, left: Node, right: Node, weakest: Split = weakest) -> Node:
            return as_leaf(node) if node is weakest else replace(node, left=left, right=right)

        tree = simplify(tree.with_root(fold(tree.root, lambda leaf: leaf, collapse)), 0)
    return tree


def misclassified(counts: Counts) -> float:
    """Return the weight of what is not of the most frequent class."""
    return sum(counts) - max(counts)


def weakest_links(
    tree: PolicyTree, errors: Errors = misclassified
) -> list[tuple[float, PolicyTree]]:
    """Return ever smaller trees, each with the error that one leaf less costs from there on.

    Errors are shares of the training weight; the first tree has lost what costs nothing (Breiman
    et al., 1984, chapter 3).
    """
    total = sum(tree.root.counts)
    found = [(0.0, without_links(tree, 0.0, errors))]
    while isinstance(found[-1][1].root, Split):
        current = found[-1][1]
        cheapest = min(_price(split, errors) for split in current.splits()) / total
        price = max(found[-1][0], cheapest)
        found.append((price, without_links(current, price, errors)))
    return found


def without_links(tree: PolicyTree, price: float, errors: Errors = misclassified) -> PolicyTree:
    """Collapse, the cheapest first, splits whose leaves spare no more errors than `price` each.

    price: share of the training weight a leaf.
    """
    limit = price * sum(tree.root.counts) * (1 + ROUNDING)
    while isinstance(tree.root, Split):
        weakest = min(tree.splits(), key=lambda split: _price(split, errors))
        if _price(weakest, errors) > limit:
            return tree

        def collapse(node: Split, left: Node, right: Node, weakest: Split = weakest) -> Node:
            return as_leaf(node) if node is weakest else replace(node, left=left, right=right)

        tree = tree.with_root(fold(tree.root, lambda leaf: leaf, collapse))
    return tree


def _price(split: Split, errors: Errors) -> float:
    """Return the training errors that each leaf below a split, but one, spares."""
    leaves = [node for _, node in walk(split) if isinstance(node, Leaf)]
    below = sum(errors(leaf.counts) for leaf in leaves)
    return (errors(split.counts) - below) / (len(leaves) - 1)


def _spared_errors(split: Split) -> float:
    return max(split.left.counts) + max(split.right.counts) - max(split.counts)
