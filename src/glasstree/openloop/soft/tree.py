"""A full tree of soft splits, and the hard tree that it becomes.

docs/algorithm.md, section 6.
"""

from dataclasses import dataclass

import numpy as np

from glasstree.policy.arrays import Floats, Ints
from glasstree.policy.rule import Rule
from glasstree.policy.tree import Leaf, Node, Split


@dataclass(frozen=True)
class SoftTree:
    """A full tree: weights (splits, variables), biases (splits,), values (leaves, actions).

    A state goes right with the share sigmoid(weights @ state + bias); the children of split n are
    2 n + 1 and 2 n + 2, leaves follow splits. Variables that went have weights of 0.
    """

    weights: Floats
    biases: Floats
    values: Floats

    @property
    def depth(self) -> int:
        """Splits on each way."""
        return len(self.values).bit_length() - 1

    def actions(self, states: Floats) -> Ints:
        """Return the actions of the tree when it is hard."""
        node = np.zeros(len(states), dtype=np.int64)
        right = states @ self.weights.T + self.biases > 0
        for _ in range(self.depth):
            node = 2 * node + 1 + right[np.arange(len(states)), node]
        result: Ints = self.values.argmax(axis=1)[node - len(self.biases)]
        return result


def drawn(depth: int, varying: Ints, n_actions: int, generator: np.random.Generator) -> SoftTree:
    """Draw a tree to begin with, over the variables that vary."""
    splits, used = 2**depth - 1, max(1, int(varying.sum()))
    weights = generator.normal(size=(splits, len(varying))) / np.sqrt(used)
    values = 0.1 * generator.normal(size=(splits + 1, n_actions))
    return SoftTree(np.where(varying, weights, 0.0), np.zeros(splits), values)


def hardened(tree: SoftTree, centre: Floats, scale: Floats) -> Node:
    """Return the tree over states as they are, each split on one side of its line."""
    splits = len(tree.biases)

    def node(number: int) -> Node:
        if number >= splits:
            return Leaf(int(tree.values[number - splits].argmax()))
        used = np.flatnonzero(tree.weights[number])
        row = tree.weights[number, used] / scale[used]
        bias = float(tree.biases[number] - row @ centre[used])
        left, right = node(2 * number + 1), node(2 * number + 2)
        if not len(used):
            return left if bias <= 0 else right
        terms = np.eye(len(scale), dtype=np.int64)[used]
        return Split(Rule(terms, row, bias, raw=True), left, right)

    return node(0)
