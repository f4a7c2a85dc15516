"""Smaller trees that decide alike: cut, collapse, merge.

docs/algorithm.md, section 6.
"""

from collections.abc import Callable, Iterator
from dataclasses import replace
from heapq import heapify, heappop, heappush

import numpy as np

from glasstree.policy.arrays import Floats, Ints
from glasstree.policy.tree import Leaf, Node, PolicyTree, Split, fold, walk

Counts = tuple[float, ...]
Errors = Callable[[Counts], float]
ROUNDING = 1e-9  # of a price, by which sums of weights may differ
LEAST = 1e-12  # price that is none


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


class Links:
    """A tree and the price at which each of its splits goes, the cheapest first.

    A price is the training errors that each leaf below a split, but one, spares, as a share of the
    training weight (Breiman et al., 1984, chapter 3).
    """

    def __init__(self, tree: PolicyTree, errors: Errors = misclassified) -> None:
        self._tree = tree
        nodes = [node for _, node in walk(tree.root)]
        self._prices = _Weakest(nodes, errors).prices()

    def at(self, price: float) -> PolicyTree:
        """Return the tree without the splits that are worth no more than a price."""
        limit = price * (1 + ROUNDING) + LEAST
        prices = iter(self._prices)

        def visit(node: Node) -> Node:
            goes = next(prices) <= limit
            if isinstance(node, Leaf):
                return node
            left, right = visit(node.left), visit(node.right)
            return as_leaf(node) if goes else replace(node, left=left, right=right)

        return self._tree.with_root(visit(self._tree.root))

    def all(self) -> list[tuple[float, PolicyTree]]:
        """Return ever smaller trees with their prices; the first has lost what costs nothing."""
        found = [(0.0, self.at(0.0))]
        for price in sorted(price for price in self._prices if np.isfinite(price)):
            if price > found[-1][0] * (1 + ROUNDING) + LEAST:
                found.append((price, self.at(price)))
        return found


class _Weakest:
    """Collapses one split after another; nodes are those of a tree in preorder."""

    def __init__(self, nodes: list[Node], errors: Errors) -> None:
        self._total = sum(nodes[0].counts)
        self._own = [errors(node.counts) for node in nodes]
        self._below, self._leaves = self._own.copy(), [1] * len(nodes)
        self._ends = [place + 1 for place in range(len(nodes))]
        self._parents = [-1] * len(nodes)
        self._splits = [isinstance(node, Split) for node in nodes]
        for place in range(len(nodes) - 1, -1, -1):
            if self._splits[place]:
                left, right = place + 1, self._ends[place + 1]
                self._parents[left] = self._parents[right] = place
                self._ends[place] = self._ends[right]
                self._below[place] = self._below[left] + self._below[right]
                self._leaves[place] = self._leaves[left] + self._leaves[right]

    def prices(self) -> list[float]:
        """Return the price of each node; that of a leaf is infinite."""
        found, reached = [np.inf] * len(self._own), 0.0
        waiting = [(self._price(place), place) for place in np.flatnonzero(self._splits).tolist()]
        heapify(waiting)
        while waiting:
            price, place = heappop(waiting)
            if not self._splits[place] or price != self._price(place):
                continue
            reached = max(reached, price)
            for inner in range(place, self._ends[place]):
                if self._splits[inner]:
                    found[inner], self._splits[inner] = reached, False
            for above in self._collapse(place):
                heappush(waiting, (self._price(above), above))
        return found

    def _price(self, place: int) -> float:
        spared = self._own[place] - self._below[place]
        return spared / (self._leaves[place] - 1) / self._total

    def _collapse(self, place: int) -> Iterator[int]:
        """Make a node a leaf; yield those above it."""
        more, fewer = self._own[place] - self._below[place], self._leaves[place] - 1
        above = self._parents[place]
        while above >= 0:
            self._below[above] += more
            self._leaves[above] -= fewer
            yield above
            above = self._parents[above]


def _spared_errors(split: Split) -> float:
    return max(split.left.counts) + max(split.right.counts) - max(split.counts)
