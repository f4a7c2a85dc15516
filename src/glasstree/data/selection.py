"""Which of the recorded states make the training set."""

import numpy as np

from glasstree.data.dataset import Dataset
from glasstree.errors import DataError


def regular(recorded: Dataset, size: int) -> Dataset:
    """Return the first states as they were recorded."""
    if len(recorded) < size:
        raise DataError(f"only {len(recorded)} of {size} states were recorded")
    return Dataset(recorded.states[:size], recorded.actions[:size], recorded.n_actions)


def balanced(recorded: Dataset, size: int, generator: np.random.Generator) -> Dataset:
    """Return states with almost equal numbers of each action that occurs.

    What a rare action lacks is made up by the others.

    >>> recorded = Dataset.of([[float(i)] for i in range(10)], [0] * 8 + [1] * 2, 2)
    >>> balanced(recorded, 6, np.random.default_rng(0)).counts
    array([4, 2])
    """
    if len(recorded) < size:
        raise DataError(f"only {len(recorded)} of {size} states were recorded")
    counts = recorded.counts
    quotas = fair_shares(counts.tolist(), size)
    rows = [
        generator.choice(np.flatnonzero(recorded.actions == action), quota, replace=False)
        for action, quota in enumerate(quotas)
    ]
    chosen = np.sort(np.concatenate(rows))
    return Dataset(recorded.states[chosen], recorded.actions[chosen], recorded.n_actions)


def fair_shares(available: list[int], size: int) -> list[int]:
    """Share `size` out as equally as what is available allows.

    >>> fair_shares([8, 2, 5], 12)
    [5, 2, 5]
    """
    shares = [0] * len(available)
    left = size
    waiting = sorted(range(len(available)), key=lambda action: available[action])
    for place, action in enumerate(waiting):
        shares[action] = min(available[action], left // (len(waiting) - place))
        left -= shares[action]
    return shares
