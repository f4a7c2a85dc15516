"""All weights and biases of a tree, re-optimised on the reward of whole episodes (Eq. 7).

docs/algorithm.md, section 8.
"""

from collections.abc import Sequence
from functools import partial
from time import monotonic

import numpy as np

from glasstree import progress
from glasstree.closedloop.objective import cost, mean_scores
from glasstree.closedloop.options import ReoptimisationOptions
from glasstree.closedloop.weights import SURVIVING, WeightSearch
from glasstree.episodes.seeds import Purpose, episode_seeds
from glasstree.policy.tree import PolicyTree
from glasstree.runs.store import CURVE, STATE, RunStore
from glasstree.tasks.base import Task

STAGE = "closed loop"
SECONDS = 2.0  # between two checkpoints, at least


def reoptimise(
    trees: PolicyTree | Sequence[PolicyTree],
    task: Task,
    options: ReoptimisationOptions,
    seed: int,
    store: RunStore | None = None,
) -> PolicyTree:
    """Return a tree with weights that control better, or the first tree itself if none do.

    Several trees compete. store holds the training curve and what an interrupted search needs.
    """
    trees = [trees] if isinstance(trees, PolicyTree) else list(trees)
    store = store or RunStore()
    if not any(tree.n_rules for tree in trees):
        return trees[0]
    searches = _searches([tree for tree in trees if tree.n_rules], task, options, seed)
    with store.restoring(STATE) as saved:
        for search, state in zip(searches, saved or [], strict=False):
            search.restore(state)
    progress.emit(progress.Stage(STAGE, total=_planned(len(searches), options)))
    running, checkpoints = list(searches), Checkpoints(searches, options, store)
    for generations in _milestones(len(searches), options):
        for search in running:
            _run(search, generations, checkpoints)
        ranked = sorted(running, key=partial(_order, generations))
        if generations < options.generations:
            running = ranked[: _survivors(len(running))]
    checkpoints.save(last=True)
    store.document(CURVE, {"best": ranked[0].best_curve, "mean": ranked[0].mean_curve})
    seeds = episode_seeds(Purpose.CHOOSE, seed, options.choosing_episodes)
    score, winner = max((search.best_of(seeds) for search in ranked), key=lambda found: found[0])
    own = trees[0].parameters()[np.newaxis]
    given = mean_scores(trees[0], own, task, seeds, options)[0] - cost(trees[0], options)
    return winner if score >= given else trees[0]


def _searches(
    trees: list[PolicyTree], task: Task, options: ReoptimisationOptions, seed: int
) -> list[WeightSearch]:
    """Return the searches: the most promising trees, with a measured and a wide step."""
    searches = [WeightSearch(tree, task, options, seed) for tree in trees]
    searches = sorted(searches, key=partial(_order, 0))[: options.trees]
    if searches[0].saturated:
        return searches[:1]
    if options.wide and options.search == "covariance":
        searches += [
            WeightSearch(search.tree, task, options, seed, wide=True) for search in searches
        ]
    return searches


def _milestones(searches: int, options: ReoptimisationOptions) -> list[int]:
    """Return after how many generations searches are compared; the best third goes on."""
    milestones, reached = [], options.trial_generations
    while searches > 1 and reached < options.generations:
        milestones.append(reached)
        searches, reached = _survivors(searches), reached * SURVIVING
    return [*milestones, options.generations]


def _survivors(searches: int) -> int:
    return -(-searches // SURVIVING)


def _planned(searches: int, options: ReoptimisationOptions) -> int:
    """Return the generations of all searches together."""
    total, last = 0, 0
    for milestone in _milestones(searches, options):
        total += searches * (milestone - last)
        last, searches = milestone, _survivors(searches)
    return total


def _order(generations: int, search: WeightSearch) -> tuple[float, int]:
    """Put the best search first, and of equals the one with the shorter tree."""
    return cost(search.tree, search.options) - search.best_at(generations), search.tree.n_exponents


class Checkpoints:
    """The state of all searches, kept now and then."""

    def __init__(
        self, searches: list[WeightSearch], options: ReoptimisationOptions, store: RunStore
    ) -> None:
        self.searches, self.store, self.due = searches, store, 0.0
        self.wanted = isinstance(options.search, str) and options.search == "covariance"

    def save(self, last: bool = False) -> None:
        """Write the state, unless that was done a moment ago and more is to come."""
        if self.wanted and (last or monotonic() >= self.due):
            self.store.document(STATE, [search.state() for search in self.searches])
            self.due = monotonic() + SECONDS


def _run(search: WeightSearch, generations: int, checkpoints: Checkpoints) -> None:
    while search.generation < generations and search.stale < search.options.patience:
        if search.saturated:
            return
        search.advance()
        figures = {"best reward": search.best, "mean reward": search.mean_curve[-1]}
        done = sum(other.generation for other in checkpoints.searches)
        progress.emit(progress.Advance(STAGE, done, figures))
        checkpoints.save()
