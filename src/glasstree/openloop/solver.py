"""The lower level's contract."""

from collections.abc import Sequence
from typing import Protocol

import numpy as np

from glasstree.openloop.structure import NodeData, Solution, Structure


class Solver(Protocol):
    """Finds the weights and biases that split a node's states best, structure by structure."""

    def solve(
        self,
        data: NodeData,
        structures: Sequence[Structure],
        generator: np.random.Generator,
        limit: float,
    ) -> list[Solution]:
        """Return a solution for each structure, in order, whatever the number of workers.

        No effort need be spent on a structure that seems worse than limit.
        """
        ...

    def polish(
        self, data: NodeData, sample: NodeData, structure: Structure, solution: Solution
    ) -> Solution:
        """Return the solution re-fitted to all data; a sample may do for what costs most."""
        ...
