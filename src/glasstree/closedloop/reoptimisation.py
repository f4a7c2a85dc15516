"""All weights and biases of a tree, re-optimised on the reward of whole episodes (Eq. 7)."""

from dataclasses import dataclass, field
from typing import Literal

import numpy as np

from glasstree import progress
from glasstree.closedloop.optimisers import CovarianceSearch, Optimiser, genetic_search
from glasstree.closedloop.parameters import free_parameters, normalised_parameters, step_sizes
from glasstree.errors import OptionError
from glasstree.policy.arrays import Floats
from glasstree.policy.tree import PolicyTree
from glasstree.rollout.scoring import play_candidates
from glasstree.rollout.seeds import Purpose, episode_seeds
from glasstree.tasks.base import Task

STAGE = "closed loop"
RACING = 1 << 20


@dataclass(frozen=True)
class ReoptimisationOptions:
    """The budget of the search over weights.

    Each candidate plays `episodes` (the paper's M); the best of each generation races the
    best so far over `racing_episodes`; the finalists meet on `choosing_episodes`.
    """

    search: Literal["covariance", "genetic"] = "covariance"
    generations: int = 30
    population: int = 24
    episodes: int = 20
    racing_episodes: int = 200
    choosing_episodes: int = 1000
    finalists: int = 4
    patience: int = 12
    workers: int = 1

    def __post_init__(self) -> None:
        if min(self.generations, self.population, self.episodes, self.choosing_episodes) < 1:
            raise OptionError("generations, population and episodes must be at least 1")


@dataclass(frozen=True)
class Reoptimised:
    """The new tree, and the best and mean training reward of each generation."""

    tree: PolicyTree
    best: list[float] = field(default_factory=list)
    mean: list[float] = field(default_factory=list)


def reoptimise(
    tree: PolicyTree, task: Task, options: ReoptimisationOptions, seed: int
) -> Reoptimised:
    """Return the tree with weights that control better, or the tree itself if none do."""
    if not tree.n_rules:
        return Reoptimised(tree)
    race = Race(tree, task, options, seed)
    optimiser = race.optimiser()
    best: list[float] = []
    mean: list[float] = []
    progress.emit(progress.Stage(STAGE, total=options.generations))
    for generation in range(options.generations):
        candidates = race.whole(optimiser.ask())
        first = generation * options.episodes
        rewards = race.rewards(candidates, Purpose.TRAIN, options.episodes, first)
        optimiser.tell(rewards)
        race.challenge(candidates[rewards.argmax()])
        best.append(race.best)
        mean.append(float(rewards.mean()))
        figures = {"best reward": best[-1], "mean reward": mean[-1]}
        progress.emit(progress.Advance(STAGE, generation + 1, figures))
        if race.stale >= options.patience:
            break
    return Reoptimised(race.winner(), best, mean)


class Race:
    """Keeps the best candidates, compared on episodes that all of them play."""

    def __init__(
        self, tree: PolicyTree, task: Task, options: ReoptimisationOptions, seed: int
    ) -> None:
        self.tree, self.task, self.options, self.seed = tree, task, options, seed
        self.start, self.free = tree.parameters(), free_parameters(tree)
        self.stale = -1
        self.leaders: list[tuple[float, Floats]] = []
        self.challenge(self.start)

    @property
    def best(self) -> float:
        """Racing reward of the leader."""
        return self.leaders[0][0]

    def optimiser(self) -> Optimiser:
        """Return the search, started at the open-loop tree."""
        start, options = self.start[self.free], self.options
        if options.search == "genetic":
            return genetic_search(start, options.population, self.seed)
        steps = step_sizes(self.tree, self.task, self.seed)[self.free]
        generator = np.random.default_rng([self.seed, int(Purpose.TRAIN)])
        return CovarianceSearch(start, steps, options.population, generator)

    def whole(self, free: Floats) -> Floats:
        """Fill (n, free parameters) up to (n, parameters)."""
        candidates = np.tile(self.start, (len(free), 1))
        candidates[:, self.free] = free
        return candidates

    def rewards(self, candidates: Floats, purpose: Purpose, count: int, first: int = 0) -> Floats:
        """Return the mean reward of each candidate over the same episodes."""
        seeds = episode_seeds(purpose, self.seed, count, first)
        ends = play_candidates(self.tree, candidates, self.task, seeds, self.options.workers)
        means: Floats = ends.rewards.mean(axis=1)
        return means

    def challenge(self, candidate: Floats) -> None:
        """Let a candidate race; keep it if it is among the best."""
        count = self.options.racing_episodes
        reward = self.rewards(candidate[np.newaxis], Purpose.TRAIN, count, RACING)[0]
        self.stale = 0 if not self.leaders or reward > self.best else self.stale + 1
        self.leaders.append((float(reward), candidate))
        self.leaders.sort(key=lambda leader: -leader[0])
        del self.leaders[self.options.finalists :]

    def winner(self) -> PolicyTree:
        """Return the best of the leaders and the start on episodes that no search has seen."""
        finalists = np.array([self.start, *(parameters for _, parameters in self.leaders)])
        count = self.options.choosing_episodes
        chosen = int(self.rewards(finalists, Purpose.CHOOSE, count).argmax())
        if chosen == 0:
            return self.tree
        return self.tree.with_parameters(normalised_parameters(self.tree, finalists[chosen]))
