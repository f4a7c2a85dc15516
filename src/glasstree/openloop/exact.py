"""The default lower level: directions by discriminants and descent, biases by exact scanning."""

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

import numpy as np

from glasstree.openloop.directions import exact_edges, groupings, solve_directions
from glasstree.openloop.structure import NodeData, Solution, Structure
from glasstree.policy.arrays import Floats, Ints


@dataclass(frozen=True)
class ExactSolver:
    """Scans every threshold or interval of a projection instead of searching for biases.

    bins: resolution of the scan during the search; n_jobs: threads.
    """

    bins: int = 128
    n_jobs: int = 1

    def solve(
        self, data: NodeData, structures: Sequence[Structure], generator: np.random.Generator
    ) -> list[Solution]:
        """Return a solution for each structure, in order."""

        groups = groupings(data.counts)

        def solve_one(structure: Structure) -> Solution:
            weights = np.zeros(len(structure.exponents))
            return self._descend(data, structure, groups, weights)

        if self.n_jobs == 1 or len(structures) < 2:
            return [solve_one(structure) for structure in structures]
        with ThreadPoolExecutor(self.n_jobs) as pool:
            return list(pool.map(solve_one, structures))

    def polish(self, data: NodeData, structure: Structure, solution: Solution) -> Solution:
        """Descend from a solution on more data, then place the biases between sorted samples."""
        groups = groupings(data.counts)
        rough = self._descend(data, structure, groups, solution.weights.copy())
        edges = exact_edges(
            *_arguments(data), structure.exponents, structure.modulus, rough.weights
        )
        return _solution(structure, rough.weights, *edges)

    def _descend(
        self, data: NodeData, structure: Structure, groups: Ints, weights: Floats
    ) -> Solution:
        edges = solve_directions(
            *(*_arguments(data), groups, structure.exponents, structure.modulus, self.bins),
            weights,
        )
        return _solution(structure, weights, *edges)


def _arguments(data: NodeData) -> tuple[Floats, Ints, Floats, Floats]:
    return data.columns, data.labels, data.sample_weights, data.counts


def _solution(
    structure: Structure, weights: Floats, impurity: float, low: float, high: float
) -> Solution:
    bias, width = (-0.5 * (low + high), 0.5 * (high - low)) if structure.modulus else (-high, 0.0)
    largest = max(np.abs(weights).max(), abs(bias), width)
    return Solution(
        weights=weights / largest,
        bias=bias / largest,
        width=width / largest if structure.modulus else None,
        impurity=impurity,
    )
