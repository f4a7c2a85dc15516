"""Starts for the upper level, from exponents that were relaxed, thinned and rounded.

docs/algorithm.md, section 4.
"""

import numpy as np

from glasstree.openloop.lower.structure import NodeData, Solution, Structure
from glasstree.openloop.lower.terms import power_terms
from glasstree.openloop.upper.relaxed import STEEPNESS, Problem, Relaxed, short_exponents
from glasstree.policy.arrays import Floats, Ints

SKETCH, STUDY, KEPT = 500, 1000, 2  # states for random starts and for fits; starts that are fitted


class Proposer:
    """Proposes structures over the promising variables of a node."""

    def __init__(
        self, data: NodeData, variables: Ints, n_terms: int, largest: int, parsimony: float
    ) -> None:
        self.data, self.variables = data, variables
        self.n_terms, self.largest, self.parsimony = n_terms, largest, parsimony
        logs = np.log(data.columns[variables])
        self.means = logs.mean(axis=1, keepdims=True)
        self.logs = np.ascontiguousarray(logs - self.means)

    def fresh(self, modulus: bool, starts: int, generator: np.random.Generator) -> list[Structure]:
        """Return structures from random starts, for the divisions of classes that tell most.

        As many starts more are made as there are variables.
        """
        found = []
        for target in self._targets(modulus):
            problem = self._problem(target, modulus)
            sketch = problem.every(-(-len(problem.target) // SKETCH))
            tries = starts + len(self.variables)
            rules = [Relaxed.random(sketch, self.n_terms, generator) for _ in range(tries)]
            rules.sort(key=lambda rule: rule.loss)
            refitted = [rule.refitted(problem) for rule in rules[:KEPT]]
            found += self._structures(min(refitted, key=lambda rule: rule.loss))
        return found

    def around(self, structure: Structure, solution: Solution) -> list[Structure]:
        """Return structures near one that was found, all its exponents set free."""
        exponents = np.zeros((self.n_terms, len(self.variables)))
        exponents[: len(structure.exponents)] = structure.exponents[:, self.variables]
        centre = np.exp(structure.exponents[:, self.variables] @ self.means)[:, 0]
        scale = STEEPNESS / (solution.width or 0.1)
        weights = np.zeros(self.n_terms + 2)
        weights[: len(centre)] = scale * solution.weights * centre
        weights[self.n_terms :] = scale * solution.bias, STEEPNESS**2
        problem = self._problem(self._sides(structure, solution), structure.modulus)
        return self._structures(Relaxed(problem, exponents, weights).refitted(problem))

    def _problem(self, target: Floats, modulus: bool) -> Problem:
        problem = Problem(self.logs, target, self.data.sample_weights, modulus, self.largest)
        return problem.every(-(-len(target) // STUDY))

    def _structures(self, rule: Relaxed) -> list[Structure]:
        found = []
        for exponents in short_exponents(rule, self.parsimony):
            whole = np.zeros((self.n_terms, len(self.data.columns)), dtype=np.int64)
            whole[:, self.variables] = exponents
            found.append(Structure.of(whole, rule.problem.modulus))
        return found

    def _sides(self, structure: Structure, solution: Solution) -> Floats:
        """Return 1 for the classes that fall right of a rule more often than others, -1 else."""
        data = self.data
        values = solution.weights @ power_terms(data.columns, structure.exponents) + solution.bias
        if solution.width is not None:
            values = np.abs(values) - solution.width
        right = data.sample_weights * (values > 0.0)
        share = np.bincount(data.labels, right, data.n_classes) / np.maximum(data.counts, 1e-300)
        often = share > right.sum() / data.sample_weights.sum()
        return np.where(often[data.labels], 1.0, -1.0)

    def _targets(self, modulus: bool) -> list[Floats]:
        """Return the best divisions of the classes, both ways round for a modulus."""
        targets = []
        for group in self.data.groups[modulus][: 1 if modulus else 2]:
            target = np.where(group[self.data.labels] == 1, 1.0, -1.0)
            targets += [target, -target] if modulus else [target]
        return targets
