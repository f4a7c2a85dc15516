"""A short search over the weights of one tree, and its race against what the archive holds.

docs/algorithm.md, section 11.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TypeVar

import numpy as np

from glasstree.closedloop.front.archive import Entry, is_behind
from glasstree.closedloop.objective import values
from glasstree.closedloop.optimisers import CovarianceSearch
from glasstree.closedloop.options import FrontOptions, ReoptimisationOptions
from glasstree.closedloop.parameters import free_parameters, mean_terms, step_sizes, tied_to
from glasstree.closedloop.weights import PACE_SHARE
from glasstree.episodes.scoring import play_candidates
from glasstree.episodes.seeds import Purpose, episode_seeds
from glasstree.parallel import threaded_map
from glasstree.policy.arrays import Floats, Ints
from glasstree.policy.tree import PolicyTree
from glasstree.tasks.base import Task

Item = TypeVar("Item")
Done = TypeVar("Done")

FIRST_SHARE = 4  # of so many training episodes one is played by all candidates
MANY = 500  # ranking episodes after which a tree that is behind plays no more of them
LENIENT = 4.0  # standard errors that a tree may be behind after its first generations


@dataclass(frozen=True)
class Trial:
    """A tree to tune, for how many generations of how many episodes, with how wide a first step.

    states are those that it comes to; rival is the best entry that is no more complex.
    """

    tree: PolicyTree
    number: int
    generations: int
    episodes: int
    step: float
    states: Floats
    rival: Entry | None


class Games:
    """Plays episodes of one task for the front, and counts the steps that they take."""

    def __init__(
        self, task: Task, options: FrontOptions, search: ReoptimisationOptions, seed: int
    ) -> None:
        self.task, self.options, self.search, self.seed = task, options, search, seed
        self.ranking = episode_seeds(Purpose.RANK, seed, options.racing_episodes)
        few = min(MANY, options.racing_episodes)
        self.stops = sorted({max(2, round(PACE_SHARE * few)), few, options.racing_episodes})

    def side_by_side(self, work: Callable[[Item], Done], items: Sequence[Item]) -> list[Done]:
        """Do work for each item: in threads where episodes are compiled, else one by one.

        Episodes that are not compiled have workers of their own.
        """
        if self.task.simulator is not None:
            return threaded_map(work, items)
        return [work(item) for item in items]

    def play(self, tree: PolicyTree, candidates: Floats, seeds: Ints) -> tuple[Floats, int]:
        """Return what each episode of each candidate is worth, and the steps of all."""
        ends = play_candidates(tree, candidates, self.task, seeds)
        return values(ends, self.task, self.search), int(ends.steps.sum())

    def scores(self, tree: PolicyTree, seeds: Ints) -> tuple[Floats, int]:
        """Return what each episode of a tree is worth, and their steps."""
        found, steps = self.play(tree, tree.parameters()[np.newaxis], seeds)
        return found[0], steps

    def entry(self, tree: PolicyTree, rival: Entry | None = None) -> tuple[Entry | None, int]:
        """Rank a tree on the ranking episodes; no entry if it is behind its rival at a stop."""
        scores, steps = np.zeros(0), 0
        for stop in self.stops:
            if rival is not None and len(scores) and is_behind(scores, rival.scores[: len(scores)]):
                return None, steps
            more, played = self.scores(tree, self.ranking[len(scores) : stop])
            scores, steps = np.concatenate([scores, more]), steps + played
        return Entry(tree, scores, tree.complexity), steps

    def ranked(self, tree: PolicyTree) -> Entry:
        """Rank a tree on all episodes."""
        return Entry(tree, self.scores(tree, self.ranking)[0], tree.complexity)

    def is_perfect(self, tree: PolicyTree) -> bool:
        """Tell whether a tree succeeds in every ranking episode with the same reward."""
        if self.task.success is None:
            return False
        ends = play_candidates(tree, tree.parameters()[np.newaxis], self.task, self.ranking)
        return bool(self.task.success(ends).all() and np.ptp(ends.rewards) == 0.0)

    def tune(self, trial: Trial) -> tuple[Entry | None, int]:
        """Search the weights of a trial; return its entry, unless it is hopeless, and the steps."""
        tree, options = trial.tree, self.options
        start, leaders = tree.parameters(), tied_to(tree)
        free = free_parameters(tree) & (leaders == np.arange(len(start)))
        signs = np.where(np.sign(start) == np.sign(start[leaders]), 1.0, -1.0)
        means = mean_terms(tree, trial.states)

        def whole(changed: Floats) -> Floats:
            numbers = start.copy()
            numbers[free] = changed
            numbers = signs * numbers[leaders]
            grown = numbers[: tree.n_terms] - start[: tree.n_terms]
            numbers[tree.n_terms : tree.n_terms + tree.n_rules] -= grown @ means
            return numbers

        generator = np.random.default_rng([self.seed, int(Purpose.VARY), trial.number])
        spans = trial.step * step_sizes(tree, trial.states)[free]
        search = CovarianceSearch(start[free], spans, options.population, generator)
        best, played = start, 0
        for generation in range(trial.generations):
            if generation == options.trial_generations:
                behind, steps = self._is_hopeless(trial, whole(search.mean))
                played += steps
                if behind:
                    return None, played
            candidates = np.array([whole(one) for one in search.ask()])
            first = (trial.number * options.longest + generation) * options.longest_episodes
            seeds = episode_seeds(Purpose.VARY, self.seed, trial.episodes, first)
            worth, steps = self._halved(tree, candidates, seeds)
            search.tell(worth)
            best, played = candidates[worth.argmax()], played + steps
        found: list[Entry] = []
        for numbers in (whole(search.mean), best):
            tuned = tree.with_parameters(numbers).over_raw_values()
            entry, steps = self.entry(tuned, trial.rival)
            played += steps
            found += [entry] if entry is not None else []
        return max(found, key=lambda entry: entry.mean, default=None), played

    def _halved(self, tree: PolicyTree, candidates: Floats, seeds: Ints) -> tuple[Floats, int]:
        """Play some episodes with all candidates, the rest with the better half."""
        few = max(1, len(seeds) // FIRST_SHARE)
        first, steps = self.play(tree, candidates, seeds[:few])
        worth: Floats = first.mean(axis=1)
        better = np.argsort(-worth, kind="stable")[: len(worth) // 2]
        rest, more = self.play(tree, candidates[better], seeds[few:])
        whole = np.hstack([first[better], rest]).mean(axis=1)
        worth = np.minimum(worth, whole.min())
        worth[better] = whole
        return worth, steps + more

    def _is_hopeless(self, trial: Trial, numbers: Floats) -> tuple[bool, int]:
        """Compare a first few episodes with those of the rival, leniently."""
        if trial.rival is None:
            return False, 0
        tree, few = trial.tree.with_parameters(numbers), self.stops[0]
        first, steps = self.scores(tree, self.ranking[:few])
        return is_behind(first, trial.rival.scores[:few], LENIENT), steps
