"""The best few policies of each complexity.

docs/algorithm.md, section 11.
"""

from dataclasses import dataclass, field

import numpy as np

from glasstree.policy.arrays import Floats
from glasstree.policy.tree import PolicyTree


@dataclass(frozen=True, eq=False)
class Entry:
    """A tree with its scores over the episodes that all entries play."""

    tree: PolicyTree
    scores: Floats
    complexity: int

    @property
    def mean(self) -> float:
        """Mean over the episodes."""
        return float(self.scores.mean())


@dataclass
class Archive:
    """A cell for each complexity, which keeps a few entries, the best first."""

    keep: int = 3
    cells: dict[int, list[Entry]] = field(default_factory=dict)

    def __len__(self) -> int:
        return sum(map(len, self.cells.values()))

    def entries(self) -> list[Entry]:
        """Return all entries, from the least complex to the most, the best of a cell first."""
        return [entry for size in sorted(self.cells) for entry in self.cells[size]]

    def add(self, entry: Entry) -> bool:
        """Put an entry into its cell, if it is among the best there and not there already."""
        cell = self.cells.setdefault(entry.complexity, [])
        if any(np.array_equal(entry.scores, other.scores) for other in cell):
            return False
        cell.append(entry)
        cell.sort(key=lambda one: -one.mean)
        del cell[self.keep :]
        return any(one is entry for one in cell)

    def best_within(self, complexity: int) -> Entry | None:
        """Return the best entry that is at most so complex."""
        found = [cell[0] for size, cell in self.cells.items() if size <= complexity and cell]
        return max(found, key=lambda entry: entry.mean, default=None)

    def contenders(self) -> list[Entry]:
        """Return the entries that may still be the best of their complexity."""
        return [entry for entry in self.entries() if not self._is_beaten(entry)]

    def _is_beaten(self, entry: Entry) -> bool:
        rival = self.best_within(entry.complexity)
        return rival is not None and is_behind(entry.scores, rival.scores)

    def front(self) -> list[Entry]:
        """Return the entries that are better than all less complex ones."""
        return front_of(self.entries())


def is_behind(new: Floats, old: Floats, errors: float = 1.0) -> bool:
    """Tell whether the same episodes are worse by more than so many standard errors."""
    difference = new - old
    return bool(difference.mean() < -errors * difference.std() / np.sqrt(len(difference)))


def front_of(entries: list[Entry]) -> list[Entry]:
    """Return the entries that are better than all less complex ones, the least complex first."""
    front: list[Entry] = []
    for entry in sorted(entries, key=lambda one: (one.complexity, -one.mean)):
        if not front or entry.mean > front[-1].mean:
            if front and front[-1].complexity == entry.complexity:
                continue
            front.append(entry)
    return front
