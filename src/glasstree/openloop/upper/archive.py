"""Structures that were evaluated at a node, and what each costs."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

import numpy as np

from glasstree.openloop.lower.solver import Solver
from glasstree.openloop.lower.structure import NodeData, Solution, Structure
from glasstree.openloop.upper.candidate import Candidate

PricedBy = Literal["exponents", "symbols"]

TIE = 1e-6  # price of a unit of an exponent: of equal rules the one with lower powers is taken
SLACK = 0.02  # cost above the best at which a structure is not worth more effort
MODULUS = 0.5  # of an exponent, which is what its second comparison and number come to
SYMBOLS = 4  # one more variable of a line is a sign, a number, a sign and the variable
MOST_CLASSES = 32  # rarer classes are one to the search


@dataclass(frozen=True)
class Price:
    """What length costs in impurity: parsimony per exponent, or per four printed symbols."""

    parsimony: float
    by: PricedBy = "exponents"

    def length(self, structure: Structure) -> float:
        """Return the length in exponents, the modulus left out; a line has the same by both."""
        if self.by == "exponents":
            return structure.length
        return (structure.symbols + 1) / SYMBOLS - MODULUS * structure.modulus


class Archive:
    """Every structure that was ever evaluated, each once."""

    def __init__(
        self, data: NodeData, solver: Solver, price: Price, generator: np.random.Generator
    ) -> None:
        self.data, self.solver, self.price = data, solver, price
        self.generator = generator
        self.known: dict[tuple[bytes, bool], Candidate] = {}

    @property
    def best(self) -> Candidate:
        """The cheapest candidate."""
        return min(self.known.values(), key=lambda found: found.cost)

    def evaluate(self, structures: Iterable[Structure]) -> list[Candidate]:
        """Return the candidates of the structures, cheapest first."""
        wanted = {structure.key: structure for structure in structures if structure.length}
        fresh = [wanted[key] for key in wanted if key not in self.known]
        limit = self.best.cost + SLACK if self.known else np.inf
        solutions = self.solver.solve(self.data, fresh, self.generator, limit)
        for structure, solution in zip(fresh, solutions, strict=True):
            self.known[structure.key] = self.candidate(structure, solution)
        return sorted((self.known[key] for key in wanted), key=lambda found: found.cost)

    def candidate(self, structure: Structure, solution: Solution) -> Candidate:
        """Price a solution."""
        length = self.price.length(structure) + MODULUS * structure.modulus
        return Candidate(
            structure,
            solution,
            solution.impurity + self.price.parsimony * length + TIE * structure.size,
        )
