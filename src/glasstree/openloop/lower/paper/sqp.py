"""The paper's fast lower level: SLSQP from one mixed dipole, on a softened Gini impurity."""

from dataclasses import dataclass

import numpy as np

from glasstree.openloop.lower.paper.dipoles import mixed_dipoles
from glasstree.openloop.lower.solver import SeparateSolver, solution_of_member
from glasstree.openloop.lower.structure import NodeData, Solution, Structure
from glasstree.openloop.lower.terms import power_terms
from glasstree.policy.arrays import Floats

SOFTNESS = 0.1  # width of the sigmoid, in deviations of the rule's sum at the start
CORNER = 1e-6  # rounds the corner of the modulus
STEP = float(np.sqrt(np.finfo(np.float64).eps))  # SciPy's for differences


@dataclass(frozen=True)
class SQPSolver(SeparateSolver):
    """Weights by sequential quadratic programming.

    The true impurity is piecewise constant, so that its finite differences are zero and SLSQP
    returns its start; `literal` does just that, as the paper did, and spares the call of SciPy
    where all differences are zero. Otherwise a sigmoid-softened impurity is optimised, and the
    true one of the result is reported.
    """

    literal: bool = False
    iterations: int = 50

    def solve_one(
        self, data: NodeData, structure: Structure, generator: np.random.Generator
    ) -> Solution:
        """Return the best split of one structure."""
        from scipy.optimize import minimize

        terms = power_terms(data.columns, structure.exponents)
        start = mixed_dipoles(terms, data.labels, structure.modulus, 1, generator)[0]
        hard = HardImpurity(data, terms, structure.modulus)
        soft = None if self.literal else SoftImpurity(data, terms, structure.modulus, start)
        if soft is None:
            impurity, slope = hard(start)
            if not slope.any():
                return solution_of_member(start, impurity, structure)
        found = minimize(
            soft or hard,
            start,
            jac=True,
            method="SLSQP",
            bounds=[(-1.0, 1.0)] * len(start),
            options={"maxiter": self.iterations},
        )
        best, impurity = start, hard.value(start)
        if not np.array_equal(found.x, start):
            moved = np.clip(np.nan_to_num(found.x), -1.0, 1.0)
            if (reached := hard.value(moved)) <= impurity:
                best, impurity = moved, reached
        return solution_of_member(best, impurity, structure)


class HardImpurity:
    """The true Gini impurity with forward differences, which are zero almost everywhere."""

    def __init__(self, data: NodeData, terms: Floats, modulus: bool) -> None:
        self.arguments = (terms, data.labels, data.sample_weights, data.counts, modulus)

    def value(self, member: Floats) -> float:
        """Return the impurity."""
        from glasstree.openloop.lower.paper.evolution import member_impurity  # compiled if needed

        return float(member_impurity(*self.arguments, np.ascontiguousarray(member)))

    def __call__(self, member: Floats) -> tuple[float, Floats]:
        """Return the impurity and its differences."""
        here, steps = self.value(member), np.where(member + STEP > 1.0, -STEP, STEP)
        moved = [self.value(row) for row in member + np.diag(steps)]
        return here, (np.array(moved) - here) / steps


class SoftImpurity:
    """Gini impurity where each state falls right with probability sigmoid(f / softness)."""

    def __init__(self, data: NodeData, terms: Floats, modulus: bool, start: Floats) -> None:
        self.terms, self.modulus = terms, modulus
        self.flags = np.zeros((data.n_classes, len(data)))
        self.flags[data.labels, np.arange(len(data))] = data.sample_weights
        self.softness = SOFTNESS * float((start[:-2] @ terms).std()) + 1e-9

    def __call__(self, member: Floats) -> tuple[float, Floats]:
        """Return the softened impurity and its gradient."""
        inner = member[:-2] @ self.terms + member[-2]
        value, slope, width_slope = inner, np.ones_like(inner), 0.0
        if self.modulus:
            smooth = np.sqrt(inner * inner + CORNER)
            value, slope = smooth - abs(member[-1]), inner / smooth
            width_slope = -float(np.sign(member[-1]))
        right = 1.0 / (1.0 + np.exp(-np.clip(value / self.softness, -40.0, 40.0)))
        total = self.flags.sum()
        counts_right = self.flags @ right
        counts_left = self.flags.sum(axis=1) - counts_right
        n_right, n_left = counts_right.sum() + 1e-9, counts_left.sum() + 1e-9
        pure_right = np.square(counts_right).sum() / n_right
        pure_left = np.square(counts_left).sum() / n_left
        impurity = 1.0 - (pure_right + pure_left) / total
        by_class = (
            2.0 * counts_right / n_right
            - pure_right / n_right
            - 2.0 * counts_left / n_left
            + pure_left / n_left
        )
        by_value = -(by_class @ self.flags) / total * right * (1.0 - right) / self.softness
        by_inner = by_value * slope
        gradient = [*(self.terms @ by_inner), by_inner.sum(), width_slope * by_value.sum()]
        return impurity, np.array(gradient)
