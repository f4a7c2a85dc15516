"""The searches find known optima, and nothing but their seed decides how."""

from collections.abc import Callable

import numpy as np
import pytest
from scipy.linalg import sqrtm

from glasstree.closedloop.optimisers import CovarianceSearch, Optimiser, genetic_search
from glasstree.policy.arrays import Floats

GOAL = np.array([0.5, -0.25, 0.75])


def covariance(seed: int) -> Optimiser:
    """CMA-ES from the origin."""
    generator = np.random.default_rng(seed)
    return CovarianceSearch(np.zeros(3), np.array([0.01, 0.3, 3.0]), 16, generator)


def genetic(seed: int) -> Optimiser:
    """The paper's GA from the origin."""
    return genetic_search(np.zeros(3), 40, seed)


def reward(candidates: Floats) -> Floats:
    """A bowl whose axes differ in scale."""
    return -np.square((candidates - GOAL) * [1.0, 4.0, 0.5]).sum(axis=1)


def run(optimiser: Optimiser, generations: int) -> Floats:
    """Return the best candidate that was ever asked about."""
    best, found = -np.inf, GOAL * 0
    for _ in range(generations):
        candidates = optimiser.ask()
        rewards = reward(candidates)
        optimiser.tell(rewards)
        if rewards.max() > best:
            best, found = rewards.max(), candidates[rewards.argmax()]
    return found


@pytest.mark.parametrize("search, error", [(covariance, 1e-3), (genetic, 0.1)])
def test_a_bowl_is_descended(search: Callable[[int], Optimiser], error: float) -> None:
    assert np.abs(run(search(0), 60) - GOAL).max() < error


@pytest.mark.parametrize("search", [covariance, genetic])
def test_the_seed_decides(search: Callable[[int], Optimiser]) -> None:
    assert run(search(3), 5).tolist() == run(search(3), 5).tolist()
    assert run(search(3), 5).tolist() != run(search(4), 5).tolist()


def test_the_gas_first_crowd_holds_the_start_and_its_bounds() -> None:
    start = np.array([0.1, 0.2, 0.3])
    crowd = genetic_search(start, 40, 0).ask()
    assert crowd.shape == (40, 3)
    assert crowd[0].tolist() == start.tolist()
    assert np.abs(crowd).max() <= 1.0


def test_a_plateau_does_not_break_the_search() -> None:
    search = covariance(0)
    for _ in range(200):
        candidates = search.ask()
        assert np.isfinite(candidates).all()
        search.tell(np.zeros(len(candidates)))


def test_steps_grow_on_a_slope_and_shrink_in_a_bowl() -> None:
    search = CovarianceSearch(np.zeros(4), np.ones(4), 12, np.random.default_rng(0))
    for _ in range(20):
        search.tell(search.ask()[:, 0])
    assert search.sigma > 20.0
    search = CovarianceSearch(np.full(4, 3.0), np.ones(4), 12, np.random.default_rng(0))
    distances = []
    for _ in range(120):
        search.tell(-np.square(search.ask()).sum(axis=1))
        distances.append(np.linalg.norm(search.mean))
    # the known rate: a digit in about 13 generations
    assert distances[-1] < 1e-4 * distances[59] < 1e-7
    assert search.sigma < 1e-5


class Hansen:
    """The update of Hansen's tutorial (2016, Eqs. 24 to 49, positive weights), as it is printed."""

    def __init__(self, n: int, population: int) -> None:
        mu = population // 2
        w = np.array([np.log(mu + 0.5) - np.log(i) for i in range(1, mu + 1)])
        self.w, self.n, self.mu = w / w.sum(), n, mu
        self.mueff = mueff = 1 / (self.w**2).sum()
        self.cs = (mueff + 2) / (n + mueff + 5)
        self.ds = 1 + 2 * max(0, np.sqrt((mueff - 1) / (n + 1)) - 1) + self.cs
        self.cc = (4 + mueff / n) / (n + 4 + 2 * mueff / n)
        self.c1 = 2 / ((n + 1.3) ** 2 + mueff)
        self.cmu = min(1 - self.c1, 2 * (mueff - 2 + 1 / mueff) / ((n + 2) ** 2 + mueff))
        self.chi = np.sqrt(n) * (1 - 1 / (4 * n) + 1 / (21 * n**2))
        self.mean, self.sigma, self.c = np.zeros(n), 1.0, np.eye(n)
        self.pc, self.ps, self.g = np.zeros(n), np.zeros(n), 0

    def tell(self, candidates: Floats, rewards: Floats) -> None:
        """Move mean, paths, covariance and step size."""
        self.g += 1
        best = sorted(range(len(rewards)), key=lambda i: -rewards[i])[: self.mu]
        y = [(candidates[i] - self.mean) / self.sigma for i in best]
        step = sum(w * v for w, v in zip(self.w, y, strict=True))
        root = np.linalg.inv(np.real(sqrtm(self.c)))
        self.mean = self.mean + self.sigma * step
        self.ps = (1 - self.cs) * self.ps + np.sqrt(
            self.cs * (2 - self.cs) * self.mueff
        ) * root @ step
        norm = np.linalg.norm(self.ps)
        limit = (1.4 + 2 / (self.n + 1)) * self.chi
        h = float(norm / np.sqrt(1 - (1 - self.cs) ** (2 * self.g)) < limit)
        self.pc = (1 - self.cc) * self.pc + h * np.sqrt(self.cc * (2 - self.cc) * self.mueff) * step
        old = 1 - self.c1 - self.cmu + self.c1 * (1 - h) * self.cc * (2 - self.cc)
        rank = sum(w * np.outer(v, v) for w, v in zip(self.w, y, strict=True))
        self.c = old * self.c + self.c1 * np.outer(self.pc, self.pc) + self.cmu * rank
        self.sigma *= np.exp(self.cs / self.ds * (norm / self.chi - 1))


def test_covariance_search_is_hansens() -> None:
    search = CovarianceSearch(np.zeros(3), np.ones(3), 10, np.random.default_rng(1))
    known = Hansen(3, 10)
    for _ in range(25):
        candidates = search.ask()
        search.tell(reward(candidates))
        known.tell(candidates, reward(candidates))
        assert search.mean == pytest.approx(known.mean, rel=1e-6, abs=1e-9)
        assert search.sigma == pytest.approx(known.sigma, rel=1e-6)
        assert search.covariance == pytest.approx(known.c, rel=1e-6, abs=1e-9)
