"""The data of the rivals: plain, or from the same rounds that glasstree plays."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np

from glasstree.data import Dataset, collect
from glasstree.data.aggregation import AggregationOptions, aggregate
from glasstree.policy.arrays import Floats, Policy
from glasstree.tasks import Task

from .rivals import Rival, Sized

SAMPLES = 10_000
LEAST = 1e-12


class Nowhere:
    """Keeps nothing: a cell is measured whole or not at all."""

    def make(self, name: str, how: Callable[[], Any]) -> Any:
        """Make it."""
        return how()

    dataset = policy = figures = make


def imitate(rival: Rival, size: int, oracle: Policy, task: Task, seed: int) -> Sized:
    """Learn from states that the oracle itself came to."""
    return fitted(rival, collect(oracle, task, SAMPLES, seed=seed), oracle, size, seed)


def follow(rival: Rival, size: int, oracle: Policy, task: Task, seed: int) -> Sized:
    """Learn from states that the rival's own policies came to; return what controls best."""
    known = np.empty(0)  # gaps of the states so far: later rounds add states to them

    def learn(data: Dataset, number: int) -> Sized:
        nonlocal known
        if rival.weighted:
            known = np.append(known, gaps(oracle, data.states[len(known) :]))
            data = resampled(data, known, seed)
        elif data.weights is not None and not rival.weighs:
            data = resampled(data, data.weights, seed)
        return fitted(rival, data, oracle, size, seed + number)

    found = aggregate(oracle, task, learn, budget(rival), seed, Nowhere())  # type: ignore[arg-type]
    best: Sized = found.trees[0]  # type: ignore[assignment]
    return best


def fitted(rival: Rival, data: Dataset, oracle: Policy, size: int, seed: int) -> Sized:
    """Fit a rival to the actions of labelled states, or to what the oracle says they are worth."""
    if rival.fit is not None:
        return rival.fit(data, size, seed)
    assert rival.fit_values is not None
    return rival.fit_values(data, worths(oracle, data.states), size, seed)


def budget(rival: Rival) -> AggregationOptions:
    """Return glasstree's own rounds; or more of them, or fewer with as many states in all."""
    usual = AggregationOptions()
    rounds = rival.rounds or usual.rounds
    added = max(usual.added, usual.rounds * usual.added // rounds)
    return replace(usual, rounds=rounds, added=added)


def gaps(oracle: Policy, states: Floats) -> Floats:
    """Return VIPER's l(s): the best minus the worst value."""
    return np.ptp(worths(oracle, states), axis=1)


def worths(oracle: Policy, states: Floats) -> Floats:
    """Return the values of all actions, or the logarithms of their probabilities."""
    preferences: Floats = oracle.preferences(states)  # type: ignore[attr-defined]
    if oracle.meaning == "probabilities":  # type: ignore[attr-defined]
        return np.log(np.maximum(preferences, LEAST))
    return preferences


def resampled(data: Dataset, weights: Floats, seed: int) -> Dataset:
    """Draw as many states again, each with a probability in proportion to its weight."""
    generator = np.random.default_rng([seed, len(data)])
    rows = generator.choice(len(data), len(data), p=weights / weights.sum())
    return Dataset.of(data.states[rows], data.actions[rows], data.n_actions)
