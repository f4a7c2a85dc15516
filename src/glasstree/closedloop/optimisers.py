"""Searches over the weights of a tree: covariance adaptation, or any algorithm of pymoo.

docs/algorithm.md, section 8.
"""

from typing import Any, Protocol

import numpy as np

from glasstree.policy.arrays import Floats


class Optimiser(Protocol):
    """Proposes candidates and learns from their rewards."""

    def ask(self) -> Floats:
        """Return (candidates, parameters)."""
        ...

    def tell(self, rewards: Floats) -> None:
        """Learn the reward of each candidate of the last ask; larger is better."""
        ...


# Ours and not that of the package cma, because it resumes to the bit from its state.
# Equations are numbered as in Hansen's tutorial, arXiv:1604.00772.
class CovarianceSearch:
    """CMA-ES with weighted recombination, started with one step size per parameter.

    >>> search = CovarianceSearch(np.ones(3), np.full(3, 0.3), 10, np.random.default_rng(0))
    >>> for _ in range(60):
    ...     search.tell(-np.square(search.ask()).sum(axis=1))
    >>> bool(np.abs(search.mean).max() < 1e-2)
    True
    """

    CHANGING = ("mean", "covariance", "path", "path_sigma")

    def __init__(
        self, start: Floats, steps: Floats, population: int, generator: np.random.Generator
    ) -> None:
        n = len(start)
        self.mean, self.steps, self.generator = start.copy(), steps, generator
        self.population, self.sigma = population, 1.0
        parents = population // 2
        weights = np.log(parents + 0.5) - np.log(np.arange(1, parents + 1))  # Eq. 49
        self.weights = weights / weights.sum()  # Eq. 53, positive ones alone
        mass = 1.0 / np.square(self.weights).sum()  # Eq. 8
        self.mass = mass
        self.c_sigma = (mass + 2) / (n + mass + 5)  # Eq. 55, as the next
        self.d_sigma = 1 + 2 * max(0.0, np.sqrt((mass - 1) / (n + 1)) - 1) + self.c_sigma
        self.c_path = (4 + mass / n) / (n + 4 + 2 * mass / n)  # Eq. 56
        self.c_one = 2 / ((n + 1.3) ** 2 + mass)  # Eq. 57, the next is Eq. 58
        self.c_mu = min(1 - self.c_one, 2 * (mass - 2 + 1 / mass) / ((n + 2) ** 2 + mass))
        self.expected = np.sqrt(n) * (1 - 1 / (4 * n) + 1 / (21 * n * n))
        self.covariance = np.eye(n)
        self.path, self.path_sigma = np.zeros(n), np.zeros(n)
        self.generation = 0

    def ask(self) -> Floats:
        """Return (candidates, parameters)."""
        values, self._axes = np.linalg.eigh(self.covariance)
        self._lengths = np.sqrt(np.maximum(values, 1e-20))
        shape = (self.population, len(self.mean))
        # Eqs. 38 to 40
        self._moves = self.generator.standard_normal(shape) * self._lengths @ self._axes.T
        candidates: Floats = self.mean + self.sigma * self.steps * self._moves
        return candidates

    def tell(self, rewards: Floats) -> None:
        """Learn the reward of each candidate of the last ask; larger is better."""
        self.generation += 1
        order = np.argsort(-rewards, kind="stable")[: len(self.weights)]
        chosen = self._moves[order]
        move = self.weights @ chosen  # Eq. 41
        self.mean = self.mean + self.sigma * self.steps * move  # Eq. 42
        white = self._axes @ ((self._axes.T @ move) / self._lengths)
        keep = np.sqrt(self.c_sigma * (2 - self.c_sigma) * self.mass)
        self.path_sigma = (1 - self.c_sigma) * self.path_sigma + keep * white  # Eq. 43
        length = np.linalg.norm(self.path_sigma)
        settled = np.sqrt(1 - (1 - self.c_sigma) ** (2 * self.generation))
        straight = float(length / settled < (1.4 + 2 / (len(move) + 1)) * self.expected)
        keep = np.sqrt(self.c_path * (2 - self.c_path) * self.mass)
        self.path = (1 - self.c_path) * self.path + straight * keep * move  # Eq. 45
        rank_mu = (chosen.T * self.weights) @ chosen
        lost = (1 - straight) * self.c_path * (2 - self.c_path)
        self.covariance = (  # Eq. 47
            (1 - self.c_one - self.c_mu + self.c_one * lost) * self.covariance
            + self.c_one * np.outer(self.path, self.path)
            + self.c_mu * rank_mu
        )
        growth = self.c_sigma / self.d_sigma * (length / self.expected - 1)
        self.sigma *= float(np.exp(min(1.0, growth)))  # Eq. 44

    def state(self) -> dict[str, Any]:
        """Return all that changes, as plain values."""
        arrays = {name: getattr(self, name).tolist() for name in self.CHANGING}
        random = self.generator.bit_generator.state
        return {**arrays, "sigma": self.sigma, "generation": self.generation, "random": random}

    def restore(self, state: dict[str, Any]) -> None:
        """Go on from a saved state."""
        for name in self.CHANGING:
            setattr(self, name, np.array(state[name]))
        self.sigma, self.generation = state["sigma"], state["generation"]
        self.generator.bit_generator.state = state["random"]


class PymooSearch:
    """Any single-objective algorithm of pymoo, over [-1, 1] for each parameter."""

    def __init__(self, algorithm: Any, n_parameters: int, seed: int) -> None:
        from pymoo.core.problem import Problem

        self.algorithm = algorithm
        problem = Problem(n_var=n_parameters, n_obj=1, xl=-1.0, xu=1.0)
        algorithm.setup(problem, seed=seed, verbose=False)

    def ask(self) -> Floats:
        """Return (candidates, parameters)."""
        self._members = self.algorithm.ask()
        candidates: Floats = self._members.get("X").astype(np.float64)
        return candidates

    def tell(self, rewards: Floats) -> None:
        """Learn the reward of each candidate of the last ask; larger is better."""
        self._members.set("F", -rewards[:, np.newaxis])
        self.algorithm.tell(infills=self._members)


def genetic_search(start: Floats, population: int, seed: int) -> PymooSearch:
    """Return the paper's real-coded GA: SBX, polynomial mutation, a random population."""
    from pymoo.algorithms.soo.nonconvex.ga import GA
    from pymoo.operators.crossover.sbx import SBX
    from pymoo.operators.mutation.pm import PM

    generator = np.random.default_rng(seed)
    first = generator.uniform(-1.0, 1.0, (population, len(start)))
    first[0] = start
    algorithm = GA(
        pop_size=population,
        sampling=first,
        crossover=SBX(prob=0.9, eta=3),
        mutation=PM(prob_var=1 / len(start), eta=5),
    )
    return PymooSearch(algorithm, len(start), seed)
