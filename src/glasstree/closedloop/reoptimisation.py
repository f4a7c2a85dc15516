"""All weights and biases of a tree, re-optimised on the reward of whole episodes (Eq. 7)."""

from collections.abc import Sequence
from functools import partial
from time import monotonic
from typing import Any

import numpy as np

from glasstree import progress
from glasstree.closedloop.lines import plain_rules
from glasstree.closedloop.objective import cost, mean_scores
from glasstree.closedloop.options import ReoptimisationOptions
from glasstree.closedloop.weights import SURVIVING, Race
from glasstree.episodes.seeds import Purpose, episode_seeds
from glasstree.errors import RunError
from glasstree.policy.tree import PolicyTree
from glasstree.runs import RunStore
from glasstree.runs.store import CURVE, STATE
from glasstree.tasks.base import Task

STAGE = "closed loop"
SECONDS = 2.0


def reoptimise(
    trees: PolicyTree | Sequence[PolicyTree],
    task: Task,
    options: ReoptimisationOptions,
    seed: int,
    keep: RunStore | None = None,
) -> PolicyTree:
    """Return a tree with weights that control better, or the first tree itself if none do.

    Several trees compete. keep holds the training curve and what an interrupted search needs.
    """
    trees = [trees] if isinstance(trees, PolicyTree) else list(trees)
    keep = keep or RunStore()
    if not any(tree.n_rules for tree in trees):
        return trees[0]
    races = _races([tree for tree in trees if tree.n_rules], task, options, seed, keep)
    _restore(races, keep.checkpoint(STATE), keep)
    progress.emit(progress.Stage(STAGE, total=_planned(len(races), options)))
    running, checkpoints = list(races), Checkpoints(races, options, keep)
    for generations in _milestones(len(races), options):
        for race in running:
            _run(race, generations, checkpoints)
        ranked = sorted(running, key=partial(_order, generations))
        if generations < options.generations:
            running = ranked[: _survivors(len(running))]
    checkpoints.save(last=True)
    keep.document(CURVE, {"best": ranked[0].best_curve, "mean": ranked[0].mean_curve})
    seeds = episode_seeds(Purpose.CHOOSE, seed, options.choosing_episodes)
    score, winner = max((race.champion(seeds) for race in ranked), key=lambda found: found[0])
    own = trees[0].parameters()[np.newaxis]
    given = mean_scores(trees[0], own, task, seeds, options)[0] - cost(trees[0], options)
    return winner if score >= given else trees[0]


def _races(
    trees: list[PolicyTree],
    task: Task,
    options: ReoptimisationOptions,
    seed: int,
    keep: RunStore,
) -> list[Race]:
    """Return the searches: the most promising trees, with a measured and a wide step, and lines."""
    races = [Race(tree, task, options, seed) for tree in trees]
    races = sorted(races, key=partial(_order, 0))[: options.trees]
    if races[0].saturated:
        return races[:1]
    if options.wide and options.search == "covariance":
        races += [Race(race.tree, task, options, seed, wide=True) for race in races]
    lines = plain_rules(races[0].tree, task, options, seed, keep) if options.plain else []
    return races + [Race(line, task, options, seed) for line in lines]


def _milestones(races: int, options: ReoptimisationOptions) -> list[int]:
    """Return after how many generations races are compared; the best third goes on."""
    milestones, reached = [], options.trial_generations
    while races > 1 and reached < options.generations:
        milestones.append(reached)
        races, reached = _survivors(races), reached * SURVIVING
    return [*milestones, options.generations]


def _survivors(races: int) -> int:
    return -(-races // SURVIVING)


def _planned(races: int, options: ReoptimisationOptions) -> int:
    """Return the generations of all races together."""
    total, last = 0, 0
    for milestone in _milestones(races, options):
        total, last, races = total + races * (milestone - last), milestone, _survivors(races)
    return total


def _restore(races: list[Race], saved: Any, keep: RunStore) -> None:
    """Go on from a saved state, where there is one."""
    try:
        for race, state in zip(races, saved or [], strict=False):
            race.restore(state)
    except (KeyError, TypeError, ValueError, IndexError) as error:
        raise RunError(
            f"{keep.folder}/{STATE} does not fit its run ({type(error).__name__}: {error}); "
            "remove it and go on with --resume"
        ) from None


def _order(generations: int, race: Race) -> tuple[float, int]:
    """Put the best race first, and of equals the one with the shorter tree."""
    return cost(race.tree, race.options) - race.best_at(generations), race.tree.n_exponents


class Checkpoints:
    """The state of all races, kept now and then."""

    def __init__(self, races: list[Race], options: ReoptimisationOptions, keep: RunStore) -> None:
        self.races, self.keep, self.due = races, keep, 0.0
        self.wanted = isinstance(options.search, str) and options.search == "covariance"

    def save(self, last: bool = False) -> None:
        """Write the state, unless that was done a moment ago and more is to come."""
        if self.wanted and (last or monotonic() >= self.due):
            self.keep.document(STATE, [race.state() for race in self.races])
            self.due = monotonic() + SECONDS


def _run(race: Race, generations: int, checkpoints: Checkpoints) -> None:
    while race.generation < generations and race.stale < race.options.patience:
        if race.saturated:
            return
        race.advance()
        figures = {"best reward": race.best, "mean reward": race.mean_curve[-1]}
        done = sum(other.generation for other in checkpoints.races)
        progress.emit(progress.Advance(STAGE, done, figures))
        checkpoints.save()
