"""The lower level's contract, and the frame of solvers that take structures one by one."""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Protocol

import numpy as np

from glasstree.openloop.lower.structure import NodeData, Solution, Structure
from glasstree.parallel import threaded_map
from glasstree.policy.arrays import Floats


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


class SeparateSolver(ABC):
    """Solves each structure by itself on all data, with a random stream of its own."""

    @abstractmethod
    def solve_one(
        self, data: NodeData, structure: Structure, generator: np.random.Generator
    ) -> Solution:
        """Return the best split of one structure."""

    def solve(
        self,
        data: NodeData,
        structures: Sequence[Structure],
        generator: np.random.Generator,
        limit: float,
    ) -> list[Solution]:
        """Return a solution for each structure, in order."""
        pairs = list(zip(structures, generator.spawn(len(structures)), strict=True))
        return threaded_map(lambda pair: self.solve_one(data, *pair), pairs)

    def polish(
        self, data: NodeData, sample: NodeData, structure: Structure, solution: Solution
    ) -> Solution:
        """Return the solution as it is: the search has seen all data."""
        return solution


def solution_of_member(member: Floats, impurity: float, structure: Structure) -> Solution:
    """Return the solution in a vector of weights, bias and width."""
    width = abs(float(member[-1])) if structure.modulus else None
    return Solution(member[:-2].copy(), float(member[-2]), width, impurity)
