"""Our covariance search beside that of the package cma, without its negative weights."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from glasstree.closedloop.optimisers import CovarianceSearch
from glasstree.policy.arrays import Floats

cma = pytest.importorskip("cma")

GOAL = 1e-8
N, POPULATION = 5, 12
SEEDS = range(1, 6)


def sphere(x: Floats) -> Floats:
    """A bowl."""
    return np.square(x).sum(axis=1)


def rosenbrock(x: Floats) -> Floats:
    """A bent valley; its lowest point has ones everywhere."""
    rises = 100 * np.square(x[:, 1:] - np.square(x[:, :-1])) + np.square(1 - x[:, :-1])
    return rises.sum(axis=1)


def theirs(seed: int) -> Any:
    """The package's search from the same start."""
    options = {"popsize": POPULATION, "CMA_active": False, "seed": seed, "verbose": -9}
    return cma.CMAEvolutionStrategy(np.full(N, 2.0), 0.5, options)


def ours(seed: int) -> CovarianceSearch:
    """Our search."""
    generator = np.random.default_rng(seed)
    return CovarianceSearch(np.full(N, 2.0), np.full(N, 0.5), POPULATION, generator)


def generations(search: Any, problem: Callable[[Floats], Floats], sign: int, most: int) -> int:
    """Count generations until a candidate is as good as wanted."""
    for number in range(1, most):
        candidates = search.ask()
        values = problem(np.asarray(candidates))
        if values.min() < GOAL:
            return number
        search.tell(*((candidates, values) if sign > 0 else (-values,)))
    return most


@pytest.mark.skipif(cma.__version__ < "4", reason="older versions name their constants otherwise")
def test_strategy_constants_are_the_same() -> None:
    own, other = ours(0), theirs(1)
    other.ask()
    parameters, path = other.sp, other.adapt_sigma
    mass = own.mass
    assert own.weights == pytest.approx(list(parameters.weights)[: len(own.weights)])
    assert mass == pytest.approx(parameters.weights.mueff)
    assert own.c_one == pytest.approx(parameters.c1)
    assert own.c_path == pytest.approx(parameters.cc)
    assert own.d_sigma - own.c_sigma == pytest.approx(path.damps - path.cs)
    # two are the tutorial's, which the package has changed since
    assert own.c_sigma == pytest.approx(path.cs * (N + mass + 3) / (N + mass + 5))
    assert own.c_mu == pytest.approx(parameters.cmu - 2 * 0.25 / ((N + 2) ** 2 + mass))


@pytest.mark.parametrize("problem, most", [(sphere, 200), (rosenbrock, 600)])
def test_both_converge_alike(problem: Callable[[Floats], Floats], most: int) -> None:
    own = [generations(ours(seed), problem, -1, most) for seed in SEEDS]
    other = [generations(theirs(seed), problem, 1, most) for seed in SEEDS]
    # of both, about 6 in 100 end in the second minimum of the valley
    assert sum(number < most for number in own) >= len(SEEDS) - 1
    assert 0.7 < np.median(own) / np.median(other) < 1.4
