"""The searches find known optima, and nothing but their seed decides how."""

from collections.abc import Callable

import numpy as np
import pytest

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
