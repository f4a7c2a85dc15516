"""The data of the rivals: plain, or from the same rounds that glasstree plays."""

from dataclasses import replace

import numpy as np

from glasstree.data import Dataset, collect
from glasstree.data.aggregation import AggregationOptions, aggregate
from glasstree.policy.arrays import Floats, Policy
from glasstree.tasks import Task

from .rivals import Rival, Sized

SAMPLES = 10_000
LEAST = 1e-12


def imitate(rival: Rival, size: int, oracle: Policy, task: Task, seed: int) -> Sized:
    """Learn from states that the oracle itself came to."""
    return rival.fit(collect(oracle, task, SAMPLES, seed=seed), size, seed)


def follow(rival: Rival, size: int, oracle: Policy, task: Task, seed: int) -> Sized:
    """Learn from states that the rival's own policies came to; return what controls best."""

    def learn(data: Dataset, number: int) -> Sized:
        if rival.weighted:
            data = resampled(data, gaps(oracle, data.states), seed)
        elif data.weights is not None and not rival.weighs:
            data = resampled(data, data.weights, seed)
        return rival.fit(data, size, seed + number)

    found = aggregate(oracle, task, learn, budget(rival), seed)  # type: ignore[arg-type]
    best: Sized = found.trees[0]  # type: ignore[assignment]
    return best


def budget(rival: Rival) -> AggregationOptions:
    """Return glasstree's own rounds; or more of them, or fewer with as many states in all."""
    usual = AggregationOptions()
    rounds = rival.rounds or usual.rounds
    added = max(usual.added, usual.rounds * usual.added // rounds)
    return replace(usual, rounds=rounds, added=added)


def gaps(oracle: Policy, states: Floats) -> Floats:
    """Return VIPER's l(s): the best minus the worst value, logarithms of probabilities."""
    preferences = oracle.preferences(states)  # type: ignore[attr-defined]
    if oracle.meaning == "probabilities":  # type: ignore[attr-defined]
        preferences = np.log(np.maximum(preferences, LEAST))
    return np.ptp(preferences, axis=1)


def resampled(data: Dataset, weights: Floats, seed: int) -> Dataset:
    """Draw as many states again, each with a probability in proportion to its weight."""
    generator = np.random.default_rng([seed, len(data)])
    rows = generator.choice(len(data), len(data), p=weights / weights.sum())
    return Dataset.of(data.states[rows], data.actions[rows], data.n_actions)
