"""A structure with its weights: what every upper level compares and returns."""

from dataclasses import dataclass
from typing import Protocol

import numpy as np

from glasstree.openloop.lower.solver import Solver
from glasstree.openloop.lower.structure import NodeData, Solution, Structure
from glasstree.policy.rule import Rule


@dataclass(frozen=True, eq=False)
class Candidate:
    """A structure with its best weights, and what both cost together."""

    structure: Structure
    solution: Solution
    cost: float

    @property
    def rule(self) -> Rule:
        """The rule, without terms whose weight is zero, its weights positive on the whole."""
        weights = self.solution.weights
        used = weights != 0.0
        sign = -1.0 if weights.sum() < 0 else 1.0
        return Rule(
            self.structure.exponents[used],
            sign * weights[used],
            sign * self.solution.bias,
            self.solution.width,
        )


class RuleSearch(Protocol):
    """An upper level: finds the structure of one rule with the help of a weight solver."""

    def find(self, data: NodeData, solver: Solver, generator: np.random.Generator) -> Candidate:
        """Return the best rule for the states of a node."""
        ...
