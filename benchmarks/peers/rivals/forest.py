"""Trees of axis-parallel or oblique splits as plain arrays, and a compiled walk over them."""

from dataclasses import dataclass, field

import numpy as np

from glasstree.compiled import integers, kernel, nothing, reals, reals2
from glasstree.policy.arrays import Floats, Ints
from glasstree.policy.complexity import symbols
from glasstree.tasks import Task

from .printing import condition, line, nested

LEAF = -1


@kernel(nothing(integers, integers, integers, reals2, reals, reals2, reals, reals2, integers))
def vote(
    roots: Ints,
    left: Ints,
    right: Ints,
    coefficients: Floats,
    thresholds: Floats,
    values: Floats,
    offset: Floats,
    states: Floats,
    actions: Ints,
) -> None:
    """Fill in the action with the largest sum of leaf values of each state."""
    totals = np.empty(len(offset))
    for row in range(len(states)):
        totals[:] = offset
        for root in roots:
            node = root
            while left[node] != LEAF:
                total = 0.0
                for j in range(states.shape[1]):
                    total += coefficients[node, j] * states[row, j]
                node = left[node] if total <= thresholds[node] else right[node]
            totals += values[node]
        actions[row] = totals.argmax()


@dataclass
class Forest:
    """A sum of trees; coefficients . x <= threshold goes left, and a leaf's values are added.

    coefficients: (nodes, variables), values: (nodes, actions), left is -1 at leaves.
    """

    roots: list[int] = field(default_factory=list)
    left: list[int] = field(default_factory=list)
    right: list[int] = field(default_factory=list)
    coefficients: list[Floats] = field(default_factory=list)
    thresholds: list[float] = field(default_factory=list)
    values: list[Floats] = field(default_factory=list)

    def leaf(self, values: Floats, width: int) -> int:
        """Add a leaf and return its number."""
        return self._add(LEAF, LEAF, np.zeros(width), 0.0, values)

    def split(
        self, coefficients: Floats, threshold: float, left: int, right: int, n_actions: int
    ) -> int:
        """Add a split over nodes that were added before, and return its number."""
        return self._add(left, right, coefficients, threshold, np.zeros(n_actions))

    def policy(self, offset: Floats | None = None) -> "ForestPolicy":
        """Return the policy of the trees whose roots were noted; a single one is merged."""
        bias = np.zeros(len(self.values[0])) if offset is None else offset
        return ForestPolicy(self if len(self.roots) > 1 else self.merged(bias), bias)

    def merged(self, offset: Floats) -> "Forest":
        """Return the one tree without splits of whose sides both act alike."""
        result = Forest()

        def action(node: int) -> int:
            return int((result.values[node] + offset).argmax())

        def add(node: int) -> int:
            row, values = self.coefficients[node], self.values[node]
            if self.left[node] == LEAF:
                return result.leaf(values, len(row))
            left, right = add(self.left[node]), add(self.right[node])
            leaves = result.left[left] == result.left[right] == LEAF
            if leaves and action(left) == action(right):
                return left
            return result.split(row, self.thresholds[node], left, right, len(values))

        result.roots.append(add(self.roots[0]))
        return result

    def _add(self, left: int, right: int, row: Floats, threshold: float, values: Floats) -> int:
        self.left.append(left)
        self.right.append(right)
        self.coefficients.append(np.asarray(row, dtype=np.float64))
        self.thresholds.append(float(threshold))
        self.values.append(np.asarray(values, dtype=np.float64))
        return len(self.left) - 1


def complexity(forest: Forest) -> int:
    """Count the symbols of all splits, each with one variable alone, and an action a leaf.

    >>> tree = Forest()
    >>> ends = tree.leaf(np.zeros(2), 2), tree.leaf(np.ones(2), 2)
    >>> tree.roots.append(tree.split(axis(1, 2), 0.5, *ends, 2))
    >>> complexity(tree)  # y <= 0.5, and two actions
    5
    """
    inner = [node for node, child in enumerate(forest.left) if child != LEAF]
    lines = (line(forest.coefficients[node], forest.thresholds[node]) for node in inner)
    return symbols(lines) + len(inner) + len(forest.roots)


class ForestPolicy:
    """The action for which a forest's sum is largest."""

    def __init__(self, forest: Forest, offset: Floats) -> None:
        values = np.array(forest.values)
        self.forest, self.offset = forest, offset
        self.arrays = (
            *(np.array(part, dtype=np.int64) for part in (forest.roots, forest.left, forest.right)),
            *(np.array(forest.coefficients), np.array(forest.thresholds), values),
            np.asarray(offset, dtype=np.float64),
        )
        self.splits = int(sum(child != LEAF for child in forest.left))
        self.occurrences = int(np.count_nonzero(self.arrays[3]))
        self.complexity = complexity(forest)

    def actions(self, states: Floats) -> Ints:
        """Return one action a state."""
        rows = np.ascontiguousarray(states, dtype=np.float64)
        actions = np.empty(len(rows), dtype=np.int64)
        vote(*self.arrays, rows if rows.flags.writeable else rows.copy(), actions)
        return actions

    def text(self, task: Task) -> str:
        """Print the trees; the leaves of a sum of trees tell what they add to each action."""
        forest = self.forest

        def when(node: int) -> str:
            return condition(forest.coefficients[node], forest.thresholds[node], task.state_names)

        def leaf(node: int) -> str:
            values = forest.values[node]
            if len(forest.roots) == 1:
                return task.action_names[int((values + self.offset).argmax())]
            added = zip(values, task.action_names, strict=True)
            return ", ".join(f"{value:+.3g} {name}" for value, name in added if value)

        lines = []
        for number, root in enumerate(forest.roots):
            lines += ["and"] if number else []
            lines += nested(forest.left, forest.right, when, leaf, root)
        return "\n".join(lines)


def axis(variable: int, width: int) -> Floats:
    """Return the coefficients of a split on one variable."""
    return np.eye(width)[variable]
