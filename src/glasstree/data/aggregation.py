"""Data where the tree goes: rounds of rolling a tree out and labelling with the oracle (DAgger).

docs/algorithm.md, section 7.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, Literal, Protocol

import numpy as np

from glasstree import progress
from glasstree.data.collection import collect
from glasstree.data.dataset import Dataset
from glasstree.episodes.evaluation import evaluate
from glasstree.episodes.play import play
from glasstree.episodes.seeds import Purpose, episode_seeds
from glasstree.errors import OptionError
from glasstree.oracles.base import Oracle
from glasstree.policy.arrays import Floats, Policy
from glasstree.policy.tree import PolicyTree
from glasstree.tasks.base import Task

STAGE = "aggregate"
TOGETHER = 16  # episodes that a tree plays at a time

Grow = Callable[[Dataset, int], PolicyTree]


class Store(Protocol):
    """Keeps what the rounds make, and returns what an interrupted run kept."""

    def dataset(self, name: str, make: Callable[[], Dataset]) -> Dataset:
        """Make a dataset, or load the kept one."""
        ...

    def policy(self, name: str, make: Callable[[], PolicyTree]) -> PolicyTree:
        """Make a policy, or load the kept one."""
        ...

    def figures(self, name: str, make: Callable[[], Any]) -> Any:
        """Make plain figures, or load the kept ones."""
        ...


@dataclass(frozen=True)
class Aggregated:
    """The trees of all rounds, the one that controls best first, and all the data."""

    trees: list[PolicyTree]
    data: Dataset


@dataclass(frozen=True)
class AggregationOptions:
    """The budget of the rounds.

    first: states of the oracle's own episodes; added: states of the tree's a round; episodes:
    those on which the rounds are compared; weighting: states count by what is at stake in them, the
    oracle's gap between its best and its worst action; "values": if the oracle tells values.
    """

    rounds: int = 8
    first: int = 6000
    added: int = 3000
    episodes: int = 100
    weighting: bool | Literal["values"] = "values"

    def __post_init__(self) -> None:
        if self.rounds < 0 or min(self.first, self.added) < 2 or self.episodes < 1:
            raise OptionError("rounds must be at least 0; states at least 2; episodes at least 1")


def aggregate(
    oracle: Policy,
    task: Task,
    grow: Grow,
    options: AggregationOptions,
    seed: int,
    store: Store,
) -> Aggregated:
    """Play the rounds; grow makes a tree of a dataset and the number of its round."""
    progress.emit(progress.Stage(STAGE, total=options.rounds + 1))
    first = store.dataset("rounds/00.npz", lambda: collect(oracle, task, options.first, seed=seed))
    parts, rewards, trees = [first], [], []
    for number in range(options.rounds + 1):
        data = joined(parts)
        if is_weighted(oracle, options):
            data = replace(data, weights=value_gaps(oracle, data.states))
        tree = store.policy(f"rounds/{number:02d}.json", partial(grow, data, number))
        score = partial(_reward, tree, task, options, seed)
        rewards.append(store.figures(f"rounds/{number:02d}.reward.json", score))
        trees.append(tree)
        figures = {"reward": rewards[-1], "best reward": max(rewards), "states": len(data)}
        progress.emit(progress.Advance(STAGE, number + 1, figures))
        if number < options.rounds:
            more = partial(visited, tree, oracle, task, options.added, seed, number)
            parts.append(store.dataset(f"rounds/{number + 1:02d}.npz", more))
    order = sorted(range(len(trees)), key=lambda number: -rewards[number])
    return Aggregated([trees[number] for number in order], joined(parts))


def visited(
    tree: PolicyTree, oracle: Policy, task: Task, size: int, seed: int, number: int
) -> Dataset:
    """Return states of the tree's own episodes with the oracle's actions."""
    states: list[Floats] = []
    # an episode has a state at least, so that no round needs more than this many
    first = number * -(-size // TOGETHER) * TOGETHER
    while sum(map(len, states)) < size:
        seeds = episode_seeds(Purpose.FOLLOW, seed, TOGETHER, first)
        records = play(tree, task, seeds, record=True)[1]
        assert records is not None
        states.append(records.states)
        first += TOGETHER
    every = np.concatenate(states)
    generator = np.random.default_rng([seed, int(Purpose.FOLLOW), number])
    chosen = every[np.sort(generator.choice(len(every), size, replace=False))]
    return Dataset.of(chosen, oracle.actions(chosen), task.n_actions)


def is_weighted(oracle: Policy, options: AggregationOptions) -> bool:
    """Tell whether states count by what is at stake: as wanted, else where values are known."""
    if options.weighting != "values":
        return options.weighting
    return isinstance(oracle, Oracle) and oracle.meaning == "values"


def value_gaps(oracle: Policy, states: Floats) -> Floats:
    """Return what is at stake in each state: best minus worst preference, 1 on average."""
    preferences = oracle.preferences(states) if isinstance(oracle, Oracle) else None
    if preferences is None:
        raise OptionError(
            "this oracle tells actions alone; weighting needs one that tells what they are worth"
        )
    gaps: Floats = np.ptp(preferences, axis=1) + 1e-9
    return gaps / gaps.mean()


def joined(parts: list[Dataset]) -> Dataset:
    """Put datasets together."""
    return Dataset(
        np.concatenate([part.states for part in parts]),
        np.concatenate([part.actions for part in parts]),
        parts[0].n_actions,
    )


def _reward(tree: PolicyTree, task: Task, options: AggregationOptions, seed: int) -> float:
    found = evaluate(tree, task, episodes=options.episodes, seed=seed, purpose=Purpose.TRAIN)
    return found.mean_reward
