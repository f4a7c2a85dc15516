"""The default lower level: directions by discriminants and descent, biases by exact scanning.

docs/algorithm.md, section 2.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from glasstree.openloop.lower.directions import solve_directions
from glasstree.openloop.lower.projection import exact_edges
from glasstree.openloop.lower.sharpening import sharpened
from glasstree.openloop.lower.structure import NodeData, Solution, Structure
from glasstree.parallel import threaded_map
from glasstree.policy.arrays import Floats, Ints

FINER = 8  # times more bins and smaller steps in polishing
SHARPENED = 0.02  # impurity below which a rule may be one that nothing contradicts
DIVISIONS = 3  # groupings of classes whose discriminants are starts, the best ones


@dataclass(frozen=True)
class ScanSolver:
    """Scans every threshold or interval of a projection instead of searching for biases.

    bins and step: resolution of scan and direction during the search. Polishing is FINER times as
    fine.
    """

    bins: int = 128
    step: float = 0.03

    def solve(
        self,
        data: NodeData,
        structures: Sequence[Structure],
        generator: np.random.Generator,
        limit: float,
    ) -> list[Solution]:
        """Return a solution for each structure, in order."""

        def solve_one(structure: Structure) -> Solution:
            if structure.length == 1:
                return _between(data, structure, np.ones(1))
            weights = np.zeros(len(structure.exponents))
            return self._descend(data, structure, weights, 1, limit)

        return threaded_map(solve_one, structures)

    def polish(
        self, data: NodeData, sample: NodeData, structure: Structure, solution: Solution
    ) -> Solution:
        """Descend from a solution on a sample, then place the biases between all states."""
        rough = self._descend(sample, structure, solution.weights.copy(), FINER, np.inf)
        found = _between(data, structure, rough.weights)
        if not 0.0 < found.impurity < SHARPENED or structure.modulus or len(found.weights) == 1:
            return found
        weights = sharpened(data, structure.exponents, found.weights, found.bias)
        return min(found, _between(data, structure, weights), key=lambda one: one.impurity)

    def _descend(
        self,
        data: NodeData,
        structure: Structure,
        weights: Floats,
        finer: int,
        limit: float,
    ) -> Solution:
        groups = data.groups[structure.modulus][:DIVISIONS]
        edges = solve_directions(
            *(*_arguments(data), groups, structure.exponents, structure.modulus),
            *(finer * self.bins, self.step / finer, limit, weights),
        )
        return solution_of(structure, weights, *edges)


def _between(data: NodeData, structure: Structure, weights: Floats) -> Solution:
    """Return the best edges between samples, which no bins blur."""
    edges = exact_edges(*_arguments(data), structure.exponents, structure.modulus, weights)
    return solution_of(structure, weights, *edges)


def _arguments(data: NodeData) -> tuple[Floats, Ints, Floats, Floats]:
    return data.columns, data.labels, data.sample_weights, data.counts


def solution_of(
    structure: Structure, weights: Floats, impurity: float, low: float, high: float
) -> Solution:
    """Turn weights and the edges of what goes left into a solution of largest magnitude 1."""
    bias, width = (-0.5 * (low + high), 0.5 * (high - low)) if structure.modulus else (-high, 0.0)
    largest = max(np.abs(weights).max(), abs(bias), width)
    return Solution(
        weights=weights / largest,
        bias=bias / largest,
        width=width / largest if structure.modulus else None,
        impurity=impurity,
    )
