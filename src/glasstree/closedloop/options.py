"""The budgets of the closed loop: what is searched, on how many episodes, and what counts."""

from dataclasses import dataclass
from typing import Any, Literal, get_args

from glasstree.errors import OptionError, unknown

STEPS = 25_000  # of a candidate in a generation, about
FRONT_STEPS = 10_000  # of a candidate in a generation of the front, if it fails nowhere
RANKINGS = 400  # to the end, of trees that fail nowhere, for which the steps of the front suffice
SEARCHES = ("covariance", "genetic")
Objective = Literal["reward", "success"]


@dataclass(frozen=True)
class ReoptimisationOptions:
    """The budget of the search over weights.

    Each of `trees` is tried for `trial_generations`, in two searches if `wide`: one with the first
    step that promises most, one with a wide step. The best third of the searches goes on three
    times as far, and so on, to `generations`; a search ends sooner after `patience` generations
    without a new best, or once its best is perfect. A candidate plays `episodes` (the paper's M),
    hopeless ones fewer; the best of each generation races the best so far over `racing_episodes`;
    the best `finalists` of each search meet on `choosing_episodes`. The objective is the mean
    reward, where a failed episode counts `failure_cost` less, or the share of successes; either
    less a `parsimony` per exponent. The search is "covariance", "genetic", or any single-objective
    algorithm of pymoo.
    """

    search: Any = "covariance"
    objective: Objective = "reward"
    failure_cost: float = 0.0
    generations: int = 60
    trial_generations: int = 8
    trees: int = 3
    wide: bool = False
    population: int = 20
    episodes: int = 20
    racing_episodes: int = 100
    choosing_episodes: int = 300
    finalists: int = 4
    patience: int = 30
    parsimony: float = 0.0

    def __post_init__(self) -> None:
        if min(self.generations, self.episodes, self.choosing_episodes, self.trees) < 1:
            raise OptionError("generations, trees and episodes must be at least 1")
        if isinstance(self.search, str) and self.search not in SEARCHES:
            raise OptionError(unknown("search", self.search, SEARCHES))
        if self.objective not in get_args(Objective):
            raise OptionError(unknown("objective", self.objective, get_args(Objective)))
        if self.population < 4:
            raise OptionError(f"population must be at least 4, got {self.population}")
        if not 0.0 <= self.failure_cost < float("inf"):
            raise OptionError(f"failure_cost must be 0 or more, got {self.failure_cost}")

    @classmethod
    def compiled(cls, step_limit: int) -> "ReoptimisationOptions":
        """Return the budget for tasks whose episodes cost next to nothing: fewer long ones."""
        episodes = max(20, min(50, STEPS // step_limit))
        return cls(
            generations=60,
            trial_generations=10,
            trees=4,
            wide=True,
            population=24,
            episodes=episodes,
            racing_episodes=5 * episodes,
            choosing_episodes=20 * episodes,
            patience=40,
        )

    @classmethod
    def paper(cls) -> "ReoptimisationOptions":
        """Return the paper's budget and search: one tree, a real-coded GA, M = 20."""
        return cls(
            search="genetic",
            generations=30,
            trial_generations=30,
            trees=1,
            population=50,
            episodes=20,
            patience=30,
        )


@dataclass(frozen=True)
class ReengineeringOptions:
    """What is dropped and relabelled after the search.

    A branch goes if at most `min_share` of `states` visited ones take it. The most visited leaves
    try other actions, `trials` in all: one that is better over `episodes` by more than `clearly`
    standard errors stays, and so does one that spares a rule and loses no more than `tolerance` of
    them. What results must pass the latter test on `choosing_episodes` too. Without episodes
    leaves keep their actions, as in the paper.
    """

    states: int = 10_000
    min_share: float = 0.0
    trials: int = 40
    episodes: int = 500
    choosing_episodes: int = 2000
    clearly: float = 3.0
    tolerance: float = 0.5

    def __post_init__(self) -> None:
        if self.states < 1 or not 0.0 <= self.min_share < 1.0:
            raise OptionError("states must be at least 1, and min_share from 0 to less than 1")
        if self.trials < 0 or self.episodes < 0 or self.episodes == 1 or self.choosing_episodes < 2:
            raise OptionError(
                "trials may not be negative; episodes must be 0 or at least 2, "
                "choosing_episodes at least 2"
            )


@dataclass(frozen=True)
class FrontOptions:
    """The budget of the search over structure and weights together.

    It begins with trees of all kinds, among them the best `lines` between two variables and the
    best `soft` of each depth that are trained as a whole, and ends after `steps` steps of the
    environment. A trial is tuned for `generations` of `population`
    candidates over `episodes` each, lines and near the end the front for `longest` over
    `longest_episodes`, unless it is hopeless after `trial_generations`; then it is ranked on
    `racing_episodes`. Each complexity up to `most` symbols keeps the best `keep` entries;
    `choosing_episodes` decide what is on the front. Numbers are rounded where that loses at most
    `tolerance` standard errors over `rounding_episodes`.
    """

    steps: int = 100_000_000
    lines: int = 8
    soft: int = 2
    trial_generations: int = 3
    generations: int = 9
    longest: int = 40
    population: int = 12
    episodes: int = 20
    longest_episodes: int = 30
    racing_episodes: int = 200
    choosing_episodes: int = 2000
    rounding_episodes: int = 500
    tolerance: float = 0.5
    keep: int = 3
    most: int = 200

    def __post_init__(self) -> None:
        if min(self.steps, self.trial_generations, self.generations, self.keep, self.most) < 1:
            raise OptionError("steps, generations, keep and most must be at least 1")
        if self.longest < self.generations:
            raise OptionError("longest must be at least generations")
        if min(self.lines, self.soft, self.tolerance) < 0:
            raise OptionError("lines, soft and tolerance may not be negative")
        if self.population < 4:
            raise OptionError(f"population must be at least 4, got {self.population}")
        if min(self.episodes, self.choosing_episodes, self.rounding_episodes) < 2:
            raise OptionError("at least 2 episodes of each kind are needed")
        if self.longest_episodes < self.episodes:
            raise OptionError("longest_episodes may not be less than episodes")
        if self.racing_episodes < 3:
            raise OptionError(f"at least 3 racing episodes are needed, got {self.racing_episodes}")

    @classmethod
    def compiled(cls, steps: int, step_limit: int, episodes: int | None = None) -> "FrontOptions":
        """Return the budget for tasks whose episodes are compiled: fewer long ones."""
        many = max(500, min(2000, steps // (RANKINGS * step_limit)))
        return cls(
            steps=steps,
            episodes=episodes or max(10, min(20, FRONT_STEPS // step_limit)),
            longest_episodes=4 * episodes if episodes else max(30, min(60, STEPS // step_limit)),
            racing_episodes=many,
            rounding_episodes=many,
        )
