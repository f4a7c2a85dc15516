"""The upper level: exponents and modulus of one rule, trading impurity against length."""

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from glasstree.errors import OptionError
from glasstree.openloop.solver import Solver
from glasstree.openloop.structure import NodeData, Solution, Structure
from glasstree.openloop.variation import Variation, neighbours
from glasstree.policy.arrays import Floats, Ints
from glasstree.policy.rule import Rule

TIE = 1e-6
GREEDY_VARIABLES = 24


@dataclass(frozen=True)
class SearchOptions:
    """How one rule is looked for.

    parsimony is the impurity that one more exponent must be worth.
    """

    terms: int = 3
    largest_exponent: int = 3
    parsimony: float = 0.002
    population: int = 32
    generations: int = 24
    patience: int = 5
    sample: int = 2000
    finalists: int = 6

    def __post_init__(self) -> None:
        if self.terms < 1 or self.largest_exponent < 1 or self.population < 4:
            raise OptionError("terms and largest_exponent must be at least 1, population 4")
        if not 0 <= self.parsimony < 1:
            raise OptionError(f"parsimony must be in [0, 1), got {self.parsimony}")


@dataclass(frozen=True)
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


class Archive:
    """Every structure that was ever evaluated, each once."""

    def __init__(
        self, data: NodeData, solver: Solver, parsimony: float, generator: np.random.Generator
    ) -> None:
        self.data, self.solver, self.parsimony = data, solver, parsimony
        self.generator = generator
        self.known: dict[tuple[bytes, bool], Candidate] = {}

    def evaluate(self, structures: Iterable[Structure]) -> list[Candidate]:
        """Return the candidates of the structures, cheapest first."""
        wanted = {structure.key: structure for structure in structures if structure.length}
        fresh = [wanted[key] for key in wanted if key not in self.known]
        for structure, solution in zip(
            fresh, self.solver.solve(self.data, fresh, self.generator), strict=True
        ):
            self.known[structure.key] = self.candidate(structure, solution)
        return sorted((self.known[key] for key in wanted), key=lambda found: found.cost)

    def candidate(self, structure: Structure, solution: Solution) -> Candidate:
        """Price a solution."""
        length = structure.length + 0.5 * structure.modulus
        return Candidate(
            structure,
            solution,
            solution.impurity + self.parsimony * length + TIE * structure.size,
        )


def find_rule(
    data: NodeData, solver: Solver, options: SearchOptions, generator: np.random.Generator
) -> Candidate:
    """Find the rule that splits a node best for its length (Eq. 4)."""
    archive = Archive(data.sample(options.sample, generator), solver, options.parsimony, generator)
    population, gains = _starts(archive, options)
    variation = Variation(options.terms, options.largest_exponent, gains, generator)
    best, stale = population[0].cost, 0
    for _ in range(options.generations):
        children = [variation.child(population) for _ in range(options.population)]
        archive.evaluate(children)
        population = _survivors(archive, options.population)
        stale = 0 if population[0].cost < best - 1e-4 else stale + 1
        best = min(best, population[0].cost)
        if stale >= options.patience:
            break
    _climb(archive, population[0], options, variation.promising(GREEDY_VARIABLES))
    finalists = _survivors(archive, options.finalists)
    polished = [
        archive.candidate(f.structure, solver.polish(data, f.structure, f.solution))
        for f in finalists
    ]
    return min(polished, key=lambda found: found.cost)


def _survivors(archive: Archive, count: int) -> list[Candidate]:
    return sorted(archive.known.values(), key=lambda found: found.cost)[:count]


def _starts(archive: Archive, options: SearchOptions) -> tuple[list[Candidate], Floats]:
    """Evaluate single variables, then add the best term or factor while that helps."""
    n_variables = len(archive.data.columns)
    unit = np.eye(n_variables, dtype=np.int64)
    singles = archive.evaluate(Structure.of(unit[j], False) for j in range(n_variables))
    leading = [found.structure.exponents for found in singles[:GREEDY_VARIABLES]]
    archive.evaluate(Structure.of(exponents, True) for exponents in leading)
    impurities = np.ones(n_variables)
    for found in archive.known.values():
        variable = int(np.flatnonzero(found.structure.exponents[0])[0])
        impurities[variable] = min(impurities[variable], found.solution.impurity)
    gains = np.maximum(impurities.max() - impurities, 0.0)
    order = np.argsort(impurities, kind="stable")[:GREEDY_VARIABLES]
    for modulus in (False, True):
        _grow(archive, modulus, options, order)
    return _survivors(archive, options.population), gains


def _grow(archive: Archive, modulus: bool, options: SearchOptions, order: Ints) -> None:
    """Greedily add plain terms to the best single variable."""
    n_variables = len(archive.data.columns)
    current = min(
        (found for found in archive.known.values() if found.structure.modulus == modulus),
        key=lambda found: found.cost,
    )
    for _ in range(options.terms - 1):
        trials = []
        for variable in order if n_variables > GREEDY_VARIABLES else range(n_variables):
            for exponent in (1, -1):
                row = np.zeros(n_variables, dtype=np.int64)
                row[variable] = exponent
                trials.append(Structure.of(np.vstack([current.structure.exponents, row]), modulus))
        current = archive.evaluate(trials)[0]


def _climb(archive: Archive, start: Candidate, options: SearchOptions, variables: Ints) -> None:
    """Take the best one-step edit while it helps, so that no shorter neighbour is as good."""
    current = start
    while True:
        trials = neighbours(current.structure, options.terms, options.largest_exponent, variables)
        found = archive.evaluate(trials)
        if not found or found[0].cost >= current.cost:
            return
        current = found[0]
