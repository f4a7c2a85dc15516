"""All weights and biases of a tree, re-optimised on the reward of whole episodes (Eq. 7)."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

from glasstree import progress
from glasstree.closedloop.race import Race
from glasstree.errors import OptionError, RunError, unknown
from glasstree.policy.tree import PolicyTree
from glasstree.runs import CURVE, STATE, Keeper
from glasstree.tasks.base import Task

STAGE = "closed loop"

SEARCHES = ("covariance", "genetic")
Objective = Literal["reward", "success"]


@dataclass(frozen=True)
class ReoptimisationOptions:
    """The budget of the search over weights.

    Every tree is tried for `trial_generations`, then the best one is taken further to
    `generations`. A candidate plays `episodes` (the paper's M), hopeless ones fewer; the best
    of each generation races the best so far over `racing_episodes`; the finalists meet on
    `choosing_episodes`. The objective is the mean reward or the share of successes. The search is
    "covariance", "genetic", or any single-objective algorithm of pymoo.
    """

    search: Any = "covariance"
    objective: Objective = "reward"
    generations: int = 60
    trial_generations: int = 8
    trees: int = 3
    population: int = 20
    episodes: int = 20
    racing_episodes: int = 100
    choosing_episodes: int = 300
    finalists: int = 4
    patience: int = 30
    workers: int = 1

    def __post_init__(self) -> None:
        if min(self.generations, self.episodes, self.choosing_episodes, self.trees) < 1:
            raise OptionError("generations, trees and episodes must be at least 1")
        if isinstance(self.search, str) and self.search not in SEARCHES:
            raise OptionError(unknown("search", self.search, SEARCHES))
        if self.population < 4:
            raise OptionError(f"population must be at least 4, got {self.population}")

    @classmethod
    def compiled(cls, workers: int = 1) -> "ReoptimisationOptions":
        """Return the budget for tasks whose episodes cost next to nothing."""
        return cls(
            generations=150,
            trial_generations=20,
            trees=6,
            population=40,
            episodes=50,
            racing_episodes=500,
            choosing_episodes=2000,
            patience=50,
            workers=workers,
        )

    @classmethod
    def paper(cls, workers: int = 1) -> "ReoptimisationOptions":
        """Return the paper's budget and search: one tree, a real-coded GA, M = 20."""
        return cls(
            search="genetic",
            generations=30,
            trial_generations=30,
            trees=1,
            population=50,
            episodes=20,
            patience=30,
            workers=workers,
        )


def reoptimise(
    trees: PolicyTree | Sequence[PolicyTree],
    task: Task,
    options: ReoptimisationOptions,
    seed: int,
    keep: Keeper | None = None,
) -> PolicyTree:
    """Return a tree with weights that control better, or the first tree itself if none do.

    Several trees compete. keep holds the training curve and what an interrupted search needs.
    """
    trees = [trees] if isinstance(trees, PolicyTree) else list(trees)
    keep = keep or Keeper()
    if not any(tree.n_rules for tree in trees):
        return trees[0]
    races = [Race(tree, task, options, seed) for tree in trees if tree.n_rules]
    races = sorted(races, key=_order)[: options.trees]
    trials = options.trial_generations if len(races) > 1 and not races[0].saturated else 0
    _restore(races, keep.checkpoint(STATE), keep)
    total = trials * len(races) + options.generations - trials
    progress.emit(progress.Stage(STAGE, total=total))
    for race in races:
        _run(race, races, trials, options, keep)
    leader = _leader(races, trials)
    _run(leader, races, options.generations, options, keep)
    keep.document(CURVE, {"best": leader.best_curve, "mean": leader.mean_curve})
    return leader.winner(trees[0])


def _restore(races: list[Race], saved: Any, keep: Keeper) -> None:
    """Go on from a saved state, where there is one."""
    try:
        for race, state in zip(races, saved or [], strict=False):
            race.restore(state)
    except (KeyError, TypeError, ValueError, IndexError) as error:
        raise RunError(
            f"{keep.folder}/{STATE} does not fit its run ({type(error).__name__}: {error}); "
            "remove it and go on with --resume"
        ) from None


def _leader(races: list[Race], trials: int) -> Race:
    """Return the race that goes on: one that already did, else the best."""
    further = [race for race in races if race.generation > trials]
    return further[0] if further else min(races, key=_order)


def _order(race: Race) -> tuple[float, int]:
    """Put the best race first, and of equals the one with the shorter tree."""
    return -race.best, sum(split.rule.length for split in race.tree.splits())


def _run(
    race: Race, races: list[Race], generations: int, options: ReoptimisationOptions, keep: Keeper
) -> None:
    while race.generation < generations and race.stale < options.patience:
        if race.saturated:
            return
        race.advance()
        figures = {"best reward": race.best, "mean reward": race.mean_curve[-1]}
        done = sum(other.generation for other in races)
        progress.emit(progress.Advance(STAGE, done, figures))
        if isinstance(options.search, str) and options.search == "covariance":
            keep.document(STATE, [other.state() for other in races])
