"""An upper level over lines alone: which variables to add up, each once, each to the power of 1."""

from dataclasses import dataclass

import numpy as np

from glasstree.errors import OptionError
from glasstree.openloop.lower.solver import Solver
from glasstree.openloop.lower.structure import NodeData, Structure
from glasstree.openloop.upper.archive import MOST_CLASSES, Archive, Price
from glasstree.openloop.upper.candidate import Candidate
from glasstree.policy.arrays import Ints

MOST_THINNED = 32  # variables of the line that thinning begins with


@dataclass(frozen=True)
class LineSearch:
    """Minimise impurity plus a price per variable: add, exchange or drop one while that helps.

    Lines of more than `climbed` variables are found from above: of those that tell most, the one
    that weighs least is dropped, again and again. With `bands`, what lies between two lines is
    tried as well.
    """

    terms: int = 4
    parsimony: float = 0.005
    sample: int = 2000
    climbed: int = 4
    bands: bool = True

    def __post_init__(self) -> None:
        if self.terms < 1 or not 0 <= self.parsimony < 1:
            raise OptionError("a line has at least 1 variable, and parsimony is in [0, 1)")

    def find(self, data: NodeData, solver: Solver, generator: np.random.Generator) -> Candidate:
        """Return the line that splits a node best for its length."""
        data = data.merged(MOST_CLASSES)
        sample = data.sample(self.sample, generator)
        archive = Archive(sample, solver, Price(self.parsimony), generator)
        every = np.arange(len(data.columns))
        climbed = min(self.terms, self.climbed)
        moduli = (False, True) if self.bands else (False,)
        for modulus in moduli:
            climb_lines(archive, every, modulus, climbed)
        if self.terms > climbed:
            telling = _telling(archive)
            for modulus in moduli:
                _thin(archive, telling, modulus)
        best = min(
            (f for f in archive.known.values() if f.structure.length <= self.terms),
            key=lambda found: found.cost,
        )
        larger = data.sample(2 * self.sample, generator)
        polished = solver.polish(data, larger, best.structure, best.solution)
        return archive.candidate(best.structure, polished)


def climb_lines(archive: Archive, variables: Ints, modulus: bool, terms: int) -> Candidate:
    """Return the cheapest line that adding, exchanging or dropping variables leads to."""
    unit = np.eye(len(archive.data.columns), dtype=np.int64)
    chosen: frozenset[int] = frozenset()
    best: Candidate | None = None
    while True:
        trials = {_key(unit, some, modulus): some for some in _next(chosen, variables, terms)}
        found = archive.evaluate(Structure.of(unit[sorted(s)], modulus) for s in trials.values())
        if best is not None and (not found or found[0].cost >= best.cost):
            return best
        best = found[0]
        chosen = trials[best.structure.key]


def _telling(archive: Archive) -> Ints:
    """Return the variables that tell most when they are alone."""
    singles = [found for found in archive.known.values() if found.structure.length == 1]
    singles.sort(key=lambda found: found.solution.impurity)
    places = (int(np.flatnonzero(found.structure.exponents[0])[0]) for found in singles)
    return np.array(list(dict.fromkeys(places))[:MOST_THINNED])


def _thin(archive: Archive, variables: Ints, modulus: bool) -> None:
    """Evaluate a line of all the variables, and of ever fewer: the one that weighs least goes."""
    unit = np.eye(len(archive.data.columns), dtype=np.int64)
    deviations = archive.data.columns.std(axis=1)
    kept = np.sort(variables)
    while len(kept) > 1:
        found = archive.evaluate([Structure.of(unit[kept], modulus)])[0]
        places = found.structure.exponents.argmax(axis=1)
        effects = np.abs(found.solution.weights) * deviations[places]
        kept = np.sort(np.delete(places, effects.argmin()))


def _next(chosen: frozenset[int], variables: Ints, terms: int) -> list[frozenset[int]]:
    more = [chosen | {j} for j in variables.tolist() if j not in chosen]
    fewer = [chosen - {j} for j in sorted(chosen)] if len(chosen) > 1 else []
    other = [some - {j} for some in more for j in sorted(chosen)]
    return [some for some in [*more, *fewer, *other] if 0 < len(some) <= terms]


def _key(unit: Ints, chosen: frozenset[int], modulus: bool) -> tuple[bytes, bool]:
    return Structure.of(unit[sorted(chosen)], modulus).key
