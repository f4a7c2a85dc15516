"""Parts that closed-loop control never visits are removed."""

from dataclasses import replace

import numpy as np

from glasstree.openloop.pruning import simplify
from glasstree.policy.arrays import Floats, Ints
from glasstree.policy.tree import Leaf, Node, PolicyTree
from glasstree.rollout.collection import visited_states
from glasstree.tasks.base import Task


def reengineer(
    tree: PolicyTree, task: Task, seed: int, states: int = 10_000, min_share: float = 0.0
) -> PolicyTree:
    """Recount every node on states that the tree itself visits, and drop what is not visited.

    A branch goes if at most min_share of the states take it.
    """
    visited = visited_states(tree, task, seed, states)
    counted = recount(tree, visited, tree.actions(visited))
    return simplify(counted, min_samples=max(1.0, min_share * len(visited)))


def recount(tree: PolicyTree, states: Floats, actions: Ints) -> PolicyTree:
    """Return the tree with the counts of actions over these states at every node."""
    normalised = tree.scaling.normalise(states)
    n_actions = len(tree.action_names)

    def visit(node: Node, rows: Ints) -> Node:
        counts = tuple(np.bincount(actions[rows], minlength=n_actions).astype(float).tolist())
        if isinstance(node, Leaf):
            action = int(np.argmax(counts)) if len(rows) else node.action
            return Leaf(action, counts)
        goes_left = node.rule.value(normalised[rows]) <= 0.0
        left, right = visit(node.left, rows[goes_left]), visit(node.right, rows[~goes_left])
        return replace(node, left=left, right=right, counts=counts)

    return tree.with_root(visit(tree.root, np.arange(len(states))))
