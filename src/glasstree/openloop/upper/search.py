"""The upper level: exponents and modulus of one rule, trading impurity against length.

docs/algorithm.md, section 5.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import get_args

import numpy as np

from glasstree.errors import OptionError, unknown
from glasstree.openloop.lower.impurity import gini
from glasstree.openloop.lower.solver import Solver
from glasstree.openloop.lower.structure import NodeData, Solution, Structure
from glasstree.openloop.upper.archive import MOST_CLASSES, SLACK, TIE, Archive, Price, PricedBy
from glasstree.openloop.upper.candidate import Candidate
from glasstree.openloop.upper.lines import climb_lines
from glasstree.openloop.upper.proposals import Proposer
from glasstree.openloop.upper.variation import Variation, neighbours, pairs, quotients
from glasstree.policy.arrays import Floats, Ints

POLISHED = 2  # times the sample: what polishing sees
CLEAN = 0.01  # impurity of a rule after which neither moduli nor the evolution are tried
NEARLY = 0.13  # of a node's impurity: a rule that leaves less of it was nearly found
WIDER = 0.05  # added to SLACK where a node is looked at closer
CLOSE = 0.01  # cost above the best up to which the closer look polishes
GREEDY_VARIABLES = 24  # most variables, the most telling, that sums and relaxation use


@dataclass(frozen=True)
class ParsimoniousSearch:
    """Minimise impurity plus a price per exponent: parsimony is what one more must be worth.

    A rule has at most `terms` terms, with exponents up to `largest_exponent`. Relaxed rules begin
    from `starts` random ones and one more per variable; `population` and at most `generations` are
    those of the evolution, which ends after `patience` of them without progress. The best
    `climbers` are refined at most `refinements` times, nearly pure ones `retries` times more. The
    search sees a `sample` of the states; the cheapest `finalists` are polished on more. With
    `price` "symbols", what is printed in original units is paid for: a line costs the same, powers,
    products and quotients cost more.
    """

    terms: int = 3
    largest_exponent: int = 3
    parsimony: float = 0.005
    starts: int = 6
    population: int = 24
    generations: int = 12
    patience: int = 3
    climbers: int = 2
    refinements: int = 3
    sample: int = 2000
    finalists: int = 4
    retries: int = 3
    price: PricedBy = "exponents"

    def __post_init__(self) -> None:
        if self.terms < 1 or self.largest_exponent < 1 or self.population < 4:
            raise OptionError(
                "terms and largest_exponent must be at least 1 and population 4, got "
                f"{self.terms}, {self.largest_exponent} and {self.population}"
            )
        if not 0 <= self.parsimony < 1:
            raise OptionError(f"parsimony must be in [0, 1), got {self.parsimony}")
        if self.price not in get_args(PricedBy):
            raise OptionError(unknown("price", self.price, get_args(PricedBy)))

    def find(self, data: NodeData, solver: Solver, generator: np.random.Generator) -> Candidate:
        """Return the rule that splits a node best for its length."""
        data = data.merged(MOST_CLASSES)
        sample = data.sample(self.sample, generator)
        archive = Archive(sample, solver, Price(self.parsimony, self.price), generator)
        gains = _plain_starts(archive, self)
        variation = Variation(self.terms, self.largest_exponent, gains, generator)
        promising = variation.promising(GREEDY_VARIABLES)
        if self.price == "symbols":
            for modulus in (False, True):
                climb_lines(archive, promising, modulus, self.terms)
        proposer = Proposer(sample, promising, self.terms, self.largest_exponent, self.parsimony)
        archive.evaluate(proposer.fresh(False, self.starts, generator))
        if archive.best.solution.impurity > CLEAN:
            archive.evaluate(proposer.fresh(True, self.starts, generator))
            _evolve(archive, variation, self)
        _refine(archive, proposer, self, promising)
        close = _insist(archive, self, promising)
        larger = data.sample(POLISHED * self.sample, generator)
        polished = [
            archive.candidate(f.structure, solver.polish(data, larger, f.structure, f.solution))
            for f in [*close, *_finalists(archive, self.finalists)]
        ]
        return min(polished, key=lambda found: found.cost)


def _finalists(archive: Archive, count: int) -> list[Candidate]:
    """Return the cheapest candidates, and the cheapest of each length that may still win."""
    enough = archive.best.cost + SLACK
    ranked = [f for f in _survivors(archive, len(archive.known)) if f.cost < enough]
    shortest: dict[int, Candidate] = {}
    for found in ranked:
        shortest.setdefault(found.structure.length, found)
    return list(dict.fromkeys([*ranked[:count], *shortest.values()]))


def _evolve(archive: Archive, variation: Variation, options: ParsimoniousSearch) -> None:
    population = _survivors(archive, options.population)
    stale = 0
    for _ in range(options.generations):
        best = population[0].cost
        archive.evaluate([variation.child(population) for _ in range(options.population)])
        population = _survivors(archive, options.population)
        stale = 0 if population[0].cost < best - 1e-4 else stale + 1
        if stale >= options.patience:
            return


def _survivors(archive: Archive, count: int) -> list[Candidate]:
    return sorted(archive.known.values(), key=lambda found: found.cost)[:count]


def _plain_starts(archive: Archive, options: ParsimoniousSearch) -> Floats:
    """Evaluate single variables and greedy sums of them; return what each variable tells."""
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
    return gains


def _grow(archive: Archive, modulus: bool, options: ParsimoniousSearch, order: Ints) -> None:
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


def _refine(
    archive: Archive, proposer: Proposer, options: ParsimoniousSearch, variables: Ints
) -> None:
    """Relax, round and climb from the best, until that no longer pays for an exponent."""
    for _ in range(options.refinements):
        before = archive.best.cost
        for found in _survivors(archive, options.climbers):
            archive.evaluate(proposer.around(found.structure, found.solution))
        for found in _survivors(archive, options.climbers):
            _climb(archive, found, options, variables)
        if archive.best.cost >= before - options.parsimony:
            return


def _climb(
    archive: Archive, start: Candidate, options: ParsimoniousSearch, variables: Ints
) -> None:
    """Take the best one-step edit while it helps, so that no shorter neighbour is as good."""
    current = start
    while True:
        trials = neighbours(current.structure, options.terms, options.largest_exponent, variables)
        found = archive.evaluate(trials)
        if not found or found[0].cost >= current.cost:
            return
        current = found[0]


def _insist(archive: Archive, options: ParsimoniousSearch, variables: Ints) -> list[Candidate]:
    """Where a rule is nearly pure, look closer and make larger changes; return what is best then.

    Impurity that is small yet not gone tells of a rule that was nearly found. The changes: the
    same rule divided by one of its terms, and two exponents at once.
    """
    nearly = NEARLY * gini(archive.data.counts)
    if not CLEAN < archive.best.solution.impurity < nearly:
        return []
    closer = Archive(
        archive.data,
        Closer(archive.solver, archive.price),
        archive.price,
        archive.generator,
    )
    closer.evaluate(found.structure for found in _finalists(archive, options.finalists))
    _climb(closer, closer.best, options, variables)
    for _ in range(options.retries):
        best = closer.best
        if best.solution.impurity < CLEAN / 2:
            break
        starts = closer.evaluate(quotients(best.structure, options.largest_exponent))
        starts += closer.evaluate(pairs(best.structure, options.largest_exponent))[:2]
        for start in starts:
            _climb(closer, start, options, variables)
        if closer.best.cost >= best.cost - TIE:
            break
    return _survivors(closer, 2)


@dataclass(frozen=True)
class Closer:
    """A solver that polishes what another solver finds, where that may still win."""

    solver: Solver
    price: Price

    def solve(
        self,
        data: NodeData,
        structures: Sequence[Structure],
        generator: np.random.Generator,
        limit: float,
    ) -> list[Solution]:
        """Return a solution for each structure, in order."""
        rough = self.solver.solve(data, structures, generator, limit + WIDER)
        return [
            self.polish(data, data, structure, found)
            if self._least_cost(structure, found) <= limit - SLACK + CLOSE
            else found
            for structure, found in zip(structures, rough, strict=True)
        ]

    def _least_cost(self, structure: Structure, found: Solution) -> float:
        return found.impurity + self.price.parsimony * self.price.length(structure)

    def polish(
        self, data: NodeData, sample: NodeData, structure: Structure, solution: Solution
    ) -> Solution:
        """Return a better solution of a structure."""
        return self.solver.polish(data, sample, structure, solution)
