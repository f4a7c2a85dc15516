"""Rules with real exponents: fitted, thinned to ever shorter ones, rounded to integers.

docs/algorithm.md, section 4.
"""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from glasstree.openloop.upper.relaxation import fit_relaxed, normal_equations, relaxed_loss
from glasstree.policy.arrays import Bools, Floats, Ints

# most Newton steps: a start, a whole fit, after thinning, after rounding
START, FIT, REFIT, ADAPT = 10, 25, 6, 4
LONGEST = 9  # exponents of a rule: up to here they are dropped one by one, and rounded
THINNING = 0.25  # of the exponents go at once while there are more
STEEPNESS = 2.0  # f of a state on its right side, about, when a fit begins
IMPURITY_OF_LOSS = 0.6  # rough impurity for a logistic loss of 1, to weigh it against parsimony
ROUNDED = 7  # lengths of a thinned rule that are rounded


@dataclass(frozen=True, eq=False)
class Problem:
    """Which side each state should fall on.

    logs: (variables, n) centred logarithms of normalised states, target: (n,) of -1 and 1.
    """

    logs: Floats
    target: Floats
    sample_weights: Floats
    modulus: bool
    largest: int

    def every(self, step: int) -> "Problem":
        """Return the same problem on every step-th state."""
        return Problem(
            np.ascontiguousarray(self.logs[:, ::step]),
            np.ascontiguousarray(self.target[::step]),
            np.ascontiguousarray(self.sample_weights[::step]),
            self.modulus,
            self.largest,
        )


class Relaxed:
    """Real exponents (terms, variables) and weights, bias and tau, fitted to a problem."""

    def __init__(self, problem: Problem, exponents: Floats, weights: Floats) -> None:
        self.problem = problem
        self.exponents, self.weights = exponents.copy(), weights.copy()
        self.loss = np.inf

    @classmethod
    def random(cls, problem: Problem, n_terms: int, generator: np.random.Generator) -> "Relaxed":
        """Return a roughly fitted rule from random sparse exponents."""
        shape = (n_terms, len(problem.logs))
        sparse = generator.random(shape) < min(1.0, 4 / len(problem.logs))
        exponents = generator.standard_normal(shape) * sparse
        terms = np.exp(exponents @ problem.logs)
        if problem.modulus and generator.random() < 0.5:
            weights = generator.standard_normal(n_terms) / (terms.std(axis=1) + 0.1)
            bias = -float(weights @ terms.mean(axis=1))
        else:
            weights, bias = _least_squares(terms, problem)
        rule = cls(problem, exponents, np.array([*weights, bias, 1.0]))
        return rule.fit(np.ones(shape, dtype=np.bool_), START)

    @property
    def length(self) -> int:
        """Number of non-zero exponents."""
        return int(np.count_nonzero(self.exponents))

    def fit(self, free: Bools, rounds: int) -> "Relaxed":
        """Fit the weights and the free exponents in place."""
        problem = self.problem
        self.loss = fit_relaxed(
            *(problem.logs, problem.target, problem.sample_weights),
            *(self.exponents, self.weights, problem.modulus),
            *(np.ascontiguousarray(np.argwhere(free)), problem.largest + 0.3, rounds),
        )
        return self

    def refitted(self, problem: Problem) -> "Relaxed":
        """Return the rule fitted on to another problem, all exponents free."""
        rule = Relaxed(problem, self.exponents, self.weights)
        return rule.fit(np.ones(rule.exponents.shape, dtype=np.bool_), FIT)

    def thinned(self) -> Iterator["Relaxed"]:
        """Yield ever shorter rules, each refitted after the least exponents were dropped."""
        rule = self
        active = np.ones(rule.exponents.shape, dtype=np.bool_)
        while active.any():
            count = max(1, int(THINNING * active.sum())) if active.sum() > LONGEST else 1
            places = np.argwhere(active)
            for place in places[np.argsort(rule.saliency(active), kind="stable")[:count]]:
                active[tuple(place)] = False
            kept = np.where(active, rule.exponents, 0.0)
            rule = Relaxed(self.problem, kept, rule.weights).fit(active, REFIT)
            if active.any():
                yield rule

    def saliency(self, active: Bools) -> Floats:
        """Return the loss that dropping each active exponent would cost, the others adapting."""
        problem, places = self.problem, np.ascontiguousarray(np.argwhere(active))
        n_terms, size = len(self.exponents), len(self.exponents) + 2 + len(places)
        terms, sums = np.empty((n_terms, len(problem.target))), np.empty(len(problem.target))
        gradient, curvature = np.empty(size), np.empty((size, size))
        arguments = (
            *(problem.logs, problem.target, problem.sample_weights),
            *(self.exponents, self.weights, problem.modulus),
        )
        relaxed_loss(*arguments, terms, sums)
        normal_equations(*arguments, places, terms, sums, gradient, curvature)
        spread = np.diag(np.linalg.inv(curvature))[n_terms + 2 :]
        saliency: Floats = np.square(self.exponents[tuple(places.T)]) / spread
        return saliency

    def rounded(self) -> Ints:
        """Return integer exponents, rounded one at a time while the others adapt."""
        rule = Relaxed(self.problem, self.exponents, self.weights)
        free = rule.exponents != 0.0
        while free.any():
            values = rule.exponents
            whole = np.where(np.abs(values) < 1.0, np.sign(values), np.round(values))
            distance = np.where(free, np.abs(values - whole), np.inf)
            place = np.unravel_index(distance.argmin(), values.shape)
            values[place] = np.clip(whole[place], -self.problem.largest, self.problem.largest)
            free[place] = False
            if free.any():
                rule.fit(free, ADAPT)
        return rule.exponents.astype(np.int64)


def short_exponents(rule: Relaxed, parsimony: float) -> list[Ints]:
    """Return integer exponents of the most promising lengths on the way of thinning."""
    path = [thin for thin in rule.thinned() if thin.length <= LONGEST]
    path.sort(key=lambda thin: IMPURITY_OF_LOSS * thin.loss + parsimony * thin.length)
    found = []
    for thin in path[:ROUNDED]:
        if (thin.exponents != 0.0).any(axis=1).sum() == 1:
            found += _scaled(thin.exponents, thin.problem.largest)
        else:
            found.append(thin.rounded())
    return found


def _scaled(exponents: Floats, largest: int) -> list[Ints]:
    """Round a single term at several scales, since any power of it splits the same way."""
    shape = exponents / np.abs(exponents).max()
    return [np.round(scale * shape).astype(np.int64) for scale in range(1, largest + 1)]


def _least_squares(terms: Floats, problem: Problem) -> tuple[Floats, float]:
    rows = np.vstack([terms, np.ones(terms.shape[1])])
    weighted = rows * problem.sample_weights
    square = weighted @ rows.T
    ridge = 1e-5 * np.trace(square) * np.eye(len(rows))
    line = STEEPNESS * np.linalg.solve(square + ridge, weighted @ problem.target)
    return line[:-1], float(line[-1])
