"""Record what an oracle sees and does, until there is enough of it."""

from typing import Literal

import numpy as np

from glasstree.data.dataset import Dataset
from glasstree.data.selection import balanced, regular
from glasstree.episodes.play import play
from glasstree.episodes.seeds import Purpose, episode_seeds
from glasstree.errors import DataError, OptionError
from glasstree.policy.arrays import Floats, Policy
from glasstree.tasks.base import Task

Kind = Literal["regular", "balanced"]
RESERVE = 20  # times as many states, at most, are recorded to find the rare actions
FIRST_EPISODES = 16  # then twice as many each time


def collect(
    oracle: Policy,
    task: Task,
    size: int,
    kind: Kind = "regular",
    *,
    seed: int = 0,
    purpose: Purpose = Purpose.COLLECT,
) -> Dataset:
    """Record `size` states and the oracle's actions; balanced ones have all actions alike.

    For balanced data, up to 20 times as many states are recorded to find the rare actions.
    """
    if size < 2:
        raise OptionError(f"a dataset needs at least 2 states, got {size}")
    states, actions = [], []
    counts = np.zeros(task.n_actions, dtype=np.int64)
    played, wanted = 0, FIRST_EPISODES
    quota = -(-size // task.n_actions)
    while counts.sum() < size or (
        kind == "balanced" and counts.min() < quota and counts.sum() < RESERVE * size
    ):
        seeds = episode_seeds(purpose, seed, wanted, first=played)
        _, records = play(oracle, task, seeds, record=True)
        assert records is not None
        states.append(records.states)
        actions.append(records.actions)
        counts += np.bincount(records.actions, minlength=task.n_actions)
        played, wanted = played + wanted, min(2 * wanted, 1024)
    recorded = Dataset.of(np.concatenate(states), np.concatenate(actions), task.n_actions)
    generator = np.random.default_rng([seed, int(purpose)])
    chosen = balanced(recorded, size, generator) if kind == "balanced" else regular(recorded, size)
    present = np.flatnonzero(chosen.counts)
    if len(present) < 2:
        raise DataError(
            f"the oracle took action {task.action_names[present[0]]!r} in all of {len(recorded)} "
            "states; there is nothing to tell apart, so give another oracle"
        )
    return chosen


def visited_states(policy: Policy, task: Task, seed: int, states: int) -> Floats:
    """Return about `states` states from whole episodes under a policy's own control."""
    seen: list[Floats] = []
    played = 0
    while sum(map(len, seen)) < states:
        _, records = play(
            policy, task, episode_seeds(Purpose.VISIT, seed, 16, first=played), record=True
        )
        assert records is not None
        seen.append(records.states)
        played += 16
    return np.concatenate(seen)
