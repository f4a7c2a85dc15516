"""An upper level over lines alone: which variables to add up, each once, each to the power of 1."""

from dataclasses import dataclass

import numpy as np

from glasstree.errors import OptionError
from glasstree.openloop.lower.solver import Solver
from glasstree.openloop.lower.structure import NodeData, Structure
from glasstree.openloop.upper.candidate import Candidate
from glasstree.openloop.upper.search import MOST_CLASSES, Archive


@dataclass(frozen=True)
class LineSearch:
    """Minimise impurity plus a price a variable: add, exchange or drop one while that helps."""

    terms: int = 4
    parsimony: float = 0.005
    sample: int = 2000

    def __post_init__(self) -> None:
        if self.terms < 1 or not 0 <= self.parsimony < 1:
            raise OptionError("a line has at least 1 variable, and parsimony is in [0, 1)")

    def find(self, data: NodeData, solver: Solver, generator: np.random.Generator) -> Candidate:
        """Return the line that splits a node best for its length."""
        data = data.merged(MOST_CLASSES)
        archive = Archive(data.sample(self.sample, generator), solver, self.parsimony, generator)
        best = min(
            (self._climb(archive, len(data.columns), modulus) for modulus in (False, True)),
            key=lambda found: found.cost,
        )
        larger = data.sample(2 * self.sample, generator)
        polished = solver.polish(data, larger, best.structure, best.solution)
        return archive.candidate(best.structure, polished)

    def _climb(self, archive: Archive, n_variables: int, modulus: bool) -> Candidate:
        unit = np.eye(n_variables, dtype=np.int64)
        chosen: frozenset[int] = frozenset()
        best: Candidate | None = None
        while True:
            trials = {_key(unit, some, modulus): some for some in self._next(chosen, n_variables)}
            found = archive.evaluate(
                Structure.of(unit[sorted(s)], modulus) for s in trials.values()
            )
            if best is not None and (not found or found[0].cost >= best.cost):
                return best
            best = found[0]
            chosen = trials[best.structure.key]

    def _next(self, chosen: frozenset[int], n_variables: int) -> list[frozenset[int]]:
        more = [chosen | {j} for j in range(n_variables) if j not in chosen]
        fewer = [chosen - {j} for j in sorted(chosen)] if len(chosen) > 1 else []
        other = [some - {j} for some in more for j in sorted(chosen)]
        return [some for some in [*more, *fewer, *other] if 0 < len(some) <= self.terms]


def _key(unit: np.ndarray, chosen: frozenset[int], modulus: bool) -> tuple[bytes, bool]:
    return Structure.of(unit[sorted(chosen)], modulus).key
