"""The paper's upper level: shortest feasible rule by constraint domination."""

from dataclasses import dataclass

import numpy as np

from glasstree.errors import OptionError
from glasstree.openloop.lower.solver import Solver
from glasstree.openloop.lower.structure import NodeData, Structure
from glasstree.openloop.upper.candidate import Candidate
from glasstree.policy.arrays import Ints

CROSSOVER = 0.9  # share of children that have two parents
TO_ZERO = 0.75  # share of mutations that drop an exponent
SMALL_STEP = 0.75  # share of the others that move it by 1 and not by 2
REDRAWS = 20  # of a child that is known already


@dataclass(frozen=True)
class PaperSearch:
    """Minimise the number of exponents F_U subject to net impurity F_L <= impurity_tolerance.

    The evolution ends after `generations`, or when neither length nor violation has changed by
    more than a share `stagnation` in `patience` of them. There is at least one member per variable.
    """

    terms: int = 3
    largest_exponent: int = 3
    impurity_tolerance: float = 0.05
    population: int = 10
    generations: int = 100
    patience: int = 5
    stagnation: float = 1e-3

    def __post_init__(self) -> None:
        if self.terms < 1 or self.population < 4:
            raise OptionError(
                f"terms must be at least 1 and population 4, got {self.terms} and {self.population}"
            )

    def find(self, data: NodeData, solver: Solver, generator: np.random.Generator) -> Candidate:
        """Return the best rule of an evolution that evaluates each structure once."""
        search = Evolution(self, data, solver, generator)
        population = search.evaluated(search.starts())
        history: list[tuple[float, float]] = []
        for _ in range(self.generations):
            children = search.evaluated(search.children(population))
            population = sorted([*population, *children], key=self.rank)[: len(population)]
            best = population[0]
            history.append((float(length(best)), self.violation(best)))
            if history[-1] == (1.0, 0.0) or self.stagnates(history):
                break
        return min(population, key=self.rank)

    def violation(self, found: Candidate) -> float:
        """Return how far a rule is from feasible."""
        return max(0.0, found.solution.impurity - self.impurity_tolerance)

    def rank(self, found: Candidate) -> tuple[float, float, float, bool]:
        """Order by constraint domination: feasible first, then F_U; else by F_L (Eq. 4)."""
        violation = self.violation(found)
        shortness = length(found) if violation == 0.0 else 0
        return violation, shortness, found.solution.impurity, found.structure.modulus

    def stagnates(self, history: list[tuple[float, float]]) -> bool:
        """Tell whether length, or violation while infeasible, has stopped changing."""
        if len(history) <= self.patience:
            return False
        (old_length, old_violation), (length_now, violation) = (
            history[-1 - self.patience],
            history[-1],
        )
        still = abs(old_length - length_now) <= self.stagnation * max(old_length, 1e-12)
        if violation == 0.0:
            return still and old_violation == 0.0
        return still and abs(old_violation - violation) <= self.stagnation * old_violation


class Evolution:
    """The operators of the paper over structures, each solved once."""

    def __init__(
        self,
        options: PaperSearch,
        data: NodeData,
        solver: Solver,
        generator: np.random.Generator,
    ) -> None:
        self.options, self.data, self.solver = options, data, solver
        self.generator = generator
        self.known: dict[tuple[bytes, bool], Candidate] = {}
        self.n_variables = len(data.columns)
        self.size = max(options.population, self.n_variables)

    def evaluated(self, structures: list[Structure]) -> list[Candidate]:
        """Solve the structures that are new."""
        fresh = list({s.key: s for s in structures if s.key not in self.known}.values())
        solutions = self.solver.solve(self.data, fresh, self.generator, np.inf)
        for structure, solution in zip(fresh, solutions, strict=True):
            self.known[structure.key] = Candidate(structure, solution, solution.impurity)
        return [self.known[structure.key] for structure in structures]

    def starts(self) -> list[Structure]:
        """Return one-variable rules, the modulus by a fair coin."""
        found = []
        for member in range(self.size):
            row = np.zeros(self.n_variables, dtype=np.int64)
            row[member % self.n_variables] = self._exponent()
            found.append(Structure(row[np.newaxis], bool(self.generator.integers(2))))
        return found

    def children(self, population: list[Candidate]) -> list[Structure]:
        """Return as many new structures as the population has members."""
        taken = {found.structure.key for found in population}
        children: list[Structure] = []
        while len(children) < self.size:
            for _ in range(REDRAWS):
                child = self._child(population)
                if child.length and child.key not in taken:
                    break
            if not child.length:
                child = population[0].structure
            taken.add(child.key)
            children.append(child)
        return children

    def _child(self, population: list[Candidate]) -> Structure:
        mother, father = self._tournament(population), self._tournament(population)
        rows = self._by_weight(mother)
        if self.generator.random() < CROSSOVER:
            swap = self.generator.random(rows.shape) < 0.5
            rows = np.where(swap, self._by_weight(father), rows)
        mutated = self.generator.random(rows.shape) < 1.0 / self.n_variables
        for place in np.argwhere(mutated):
            rows[tuple(place)] = self._mutated(int(rows[tuple(place)]))
        unique = [row for row in dict.fromkeys(map(tuple, rows.tolist())) if any(row)]
        exponents = np.array(unique, dtype=np.int64).reshape(len(unique), self.n_variables)
        return Structure(exponents, mother.structure.modulus)

    def _tournament(self, population: list[Candidate]) -> Candidate:
        one, two = (population[k] for k in self.generator.integers(len(population), size=2))
        return min(one, two, key=self.options.rank)

    def _by_weight(self, found: Candidate) -> Ints:
        """Return (terms, variables) exponents, the heaviest term first, empty rows last."""
        rows = np.zeros((self.options.terms, self.n_variables), dtype=np.int64)
        order = np.argsort(-np.abs(found.solution.weights), kind="stable")
        rows[: len(order)] = found.structure.exponents[order]
        return rows

    def _mutated(self, exponent: int) -> int:
        if self.generator.random() < TO_ZERO:
            return 0
        step = 1 if self.generator.random() < SMALL_STEP else 2
        sign = 1 if self.generator.random() < 0.5 else -1
        largest = self.options.largest_exponent
        return int(np.clip(exponent + sign * step, -largest, largest))

    def _exponent(self) -> int:
        size = int(self.generator.integers(1, self.options.largest_exponent + 1))
        return size if self.generator.random() < 0.5 else -size


def length(found: Candidate) -> int:
    """Count the exponents of terms whose weight is not zero."""
    used = found.solution.weights != 0.0
    return int(np.count_nonzero(found.structure.exponents[used]))
