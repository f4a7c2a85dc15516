"""An upper level for tables: some variables, such as sets and dates, make rules of their own."""

from dataclasses import dataclass, replace

import numpy as np

from glasstree.openloop.lower.solver import Solver
from glasstree.openloop.lower.structure import NodeData, Structure
from glasstree.openloop.upper.archive import MOST_CLASSES, Archive, Price
from glasstree.openloop.upper.candidate import Candidate, RuleSearch
from glasstree.policy.arrays import Bools

FINALISTS = 3  # single variables that are polished


@dataclass(frozen=True)
class ApartSearch:
    """Another search over the variables that may be combined; the others are tried one by one.

    apart: one flag a variable. A band of a set says nothing new, so `banded` names the variables
    whose bands are tried as well.
    """

    search: RuleSearch
    apart: tuple[bool, ...]
    banded: tuple[bool, ...]
    sample: int = 2000

    def find(self, data: NodeData, solver: Solver, generator: np.random.Generator) -> Candidate:
        """Return the better of the best combination and the best single variable."""
        apart = np.array(self.apart)
        found = [self._single(data, solver, generator)] if apart.any() else []
        if not apart.all():
            part = replace(data, columns=np.ascontiguousarray(data.columns[~apart]))
            found.append(_widened(self.search.find(part, solver, generator), ~apart))
        return min(found, key=self._cost)

    def _single(self, data: NodeData, solver: Solver, generator: np.random.Generator) -> Candidate:
        data = data.merged(MOST_CLASSES)
        sample = data.sample(self.sample, generator)
        archive = Archive(sample, solver, Price(self._parsimony), generator)
        unit = np.eye(len(self.apart), dtype=np.int64)
        ranked = archive.evaluate(
            Structure.of(unit[variable], modulus)
            for variable in np.flatnonzero(self.apart)
            for modulus in (False, True)
            if not modulus or self.banded[variable]
        )
        polished = [
            archive.candidate(f.structure, solver.polish(data, sample, f.structure, f.solution))
            for f in ranked[:FINALISTS]
        ]
        return min(polished, key=lambda one: one.cost)

    @property
    def _parsimony(self) -> float:
        return float(getattr(self.search, "parsimony", 0.0))

    def _cost(self, found: Candidate) -> float:
        length = found.structure.length + 0.5 * found.structure.modulus
        return found.solution.impurity + self._parsimony * length


def _widened(found: Candidate, places: Bools) -> Candidate:
    """Return a rule over some variables as one over all of them."""
    exponents = np.zeros((len(found.structure.exponents), len(places)), dtype=np.int64)
    exponents[:, places] = found.structure.exponents
    return replace(found, structure=Structure(exponents, found.structure.modulus))
