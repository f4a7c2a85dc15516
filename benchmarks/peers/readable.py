"""A tree of glasstree with its size in the rivals' terms, walked as theirs are."""

import numpy as np

from glasstree.formats.text import branches
from glasstree.policy import PolicyTree
from glasstree.policy.arrays import Floats, Ints
from glasstree.policy.flat import decide_all
from glasstree.tasks import Task


class Readable:
    """Decides as the tree does, by one call for all states."""

    def __init__(self, tree: PolicyTree) -> None:
        self.tree, self.flat = tree, tree.flat
        self.splits = tree.n_rules
        self.occurrences = tree.n_exponents
        self.complexity = tree.complexity

    def actions(self, states: Floats) -> Ints:
        """Return one action a state."""
        actions = np.empty(len(states), dtype=np.int64)
        decide_all(*self.flat, np.ascontiguousarray(states, dtype=np.float64), actions)
        return actions

    def text(self, task: Task | None = None) -> str:
        """Print the tree in original units."""
        lines = branches(self.tree, "original")
        return "\n".join(line.partition("    # node")[0] for line in lines)
