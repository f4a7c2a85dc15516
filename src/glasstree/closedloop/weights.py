"""The re-optimisation of one tree: candidates compared on episodes that all of them play.

docs/algorithm.md, section 8.
"""

from copy import deepcopy
from typing import Any

import numpy as np

from glasstree.closedloop.objective import cost, mean_scores, values
from glasstree.closedloop.optimisers import (
    CovarianceSearch,
    Optimiser,
    PymooSearch,
    genetic_search,
)
from glasstree.closedloop.options import ReoptimisationOptions
from glasstree.closedloop.parameters import free_parameters, normalised_parameters, step_sizes
from glasstree.data.collection import visited_states
from glasstree.episodes.scoring import joined, play_candidates
from glasstree.episodes.seeds import Purpose, episode_seeds
from glasstree.policy.arrays import Floats, Ints
from glasstree.policy.tree import PolicyTree
from glasstree.tasks.base import Outcomes, Task

FIRST_SHARE = 0.25  # of a generation's episodes are played by all, the others by the better half
SCALES = (1.0, 0.3, 0.1, 0.03)  # first steps that are tried, as shares of step_sizes
PACE_SHARE = 0.2  # of racing and ranking episodes are played before the others
SAMPLE = 2000  # states on which first steps are measured
SURVIVING = 3  # of so many searches one goes on


class WeightSearch:
    """One tree's search, its best candidates and its training curve.

    The first step is the most promising of several, or the widest.
    """

    def __init__(
        self,
        tree: PolicyTree,
        task: Task,
        options: ReoptimisationOptions,
        seed: int,
        wide: bool = False,
    ) -> None:
        self.tree, self.task, self.options, self.seed = tree, task, options, seed
        self.wide = wide
        self.start, self.free = tree.parameters(), free_parameters(tree)
        self.generation, self.improved = 0, 0
        self.saturated = False
        self.best_curve: list[float] = []
        self.mean_curve: list[float] = []
        self.elites: list[tuple[float, Floats]] = []
        self.optimiser: Optimiser | None = None
        self.pace: Floats | None = None
        self.consider(self.start)

    @property
    def best(self) -> float:
        """Racing score of the incumbent, the best candidate so far."""
        return self.elites[0][0]

    @property
    def stale(self) -> int:
        """Generations since the incumbent changed."""
        return self.generation - self.improved

    def best_at(self, generation: int) -> float:
        """Racing score that the incumbent had after so many generations."""
        return (self.best_curve[:generation] or [self.best])[-1]

    def advance(self) -> None:
        """Play one generation."""
        if self.optimiser is None:
            self.optimiser = self._make_optimiser()
        candidates = self._whole(self.optimiser.ask())
        scores = self._scores_with_halving(candidates)
        self.optimiser.tell(scores)
        if self.task.simulator is not None or not isinstance(self.optimiser, CovarianceSearch):
            self.consider(candidates[scores.argmax()])
        if isinstance(self.optimiser, CovarianceSearch):
            self.consider(self._whole(self.optimiser.mean[np.newaxis])[0])
        self.best_curve.append(self.best)
        self.mean_curve.append(float(scores.mean()))
        self.generation += 1

    def consider(self, candidate: Floats) -> None:
        """Let a candidate race, unless it is behind early; keep it if it is among the best."""
        seeds = episode_seeds(Purpose.RACE, self.seed, self.options.racing_episodes)
        few = max(1, round(PACE_SHARE * len(seeds)))
        ends = self._play(candidate, seeds[:few])
        pace = values(ends, self.task, self.options)[0]
        if self._is_behind(pace):
            return
        if few < len(seeds):
            ends = joined([ends, self._play(candidate, seeds[few:])], axis=1)
        score = float(values(ends, self.task, self.options)[0].mean())
        self.saturated = self.saturated or self._is_perfect(ends)
        if not self.elites or score > self.best:
            self.improved, self.pace = self.generation, pace
        self.elites.append((score, candidate))
        self.elites.sort(key=lambda elite: -elite[0])
        del self.elites[self.options.finalists :]

    def best_of(self, seeds: Ints) -> tuple[float, PolicyTree]:
        """Return the best of elites and start over some episodes, with its score."""
        finalists = np.array([self.start, *(parameters for _, parameters in self.elites)])
        found = mean_scores(self.tree, finalists, self.task, seeds, self.options)
        chosen = int(found.argmax())
        tree = self.tree
        if chosen:
            tree = tree.with_parameters(normalised_parameters(tree, finalists[chosen]))
        return float(found[chosen]) - cost(tree, self.options), tree

    def _scores(
        self, candidates: Floats, count: int, first: int, purpose: Purpose = Purpose.TRAIN
    ) -> Floats:
        seeds = episode_seeds(purpose, self.seed, count, first)
        return mean_scores(self.tree, candidates, self.task, seeds, self.options)

    def _play(self, candidate: Floats, seeds: Ints) -> Outcomes:
        candidates = candidate[np.newaxis]
        return play_candidates(self.tree, candidates, self.task, seeds)

    def _is_behind(self, pace: Floats) -> bool:
        """Compare the first episodes with those of the incumbent."""
        return self.pace is not None and bool(pace.mean() < self.pace.mean())

    def _is_perfect(self, ends: Outcomes) -> bool:
        """Tell whether every episode lasted to the limit with the same reward, all successes."""
        if self.task.success is None or ends.steps.min() < self.task.step_limit:
            return False
        return bool(self.task.success(ends).all() and np.ptp(ends.rewards) == 0.0)

    def _scores_with_halving(self, candidates: Floats) -> Floats:
        """Play a first share of the episodes with all, the rest with the better half."""
        count = self.options.episodes
        first = self.generation * count
        few = max(1, round(FIRST_SHARE * count))
        scores = self._scores(candidates, few, first)
        if few < count:
            better = np.sort(np.argsort(-scores, kind="stable")[: -(-len(scores) // 2)])
            rest = self._scores(candidates[better], count - few, first + few)
            whole = (few * scores[better] + (count - few) * rest) / count
            floor = min(float(whole.min()), float(scores[better].min()))
            scores = np.minimum(scores, floor)
            scores[better] = whole
        return scores

    def _whole(self, free: Floats) -> Floats:
        candidates = np.tile(self.start, (len(free), 1))
        candidates[:, self.free] = free
        return candidates

    def _make_optimiser(self) -> Optimiser:
        start, options = self.start[self.free], self.options
        if not isinstance(options.search, str):
            return PymooSearch(deepcopy(options.search), len(start), self.seed)
        if options.search == "genetic":
            return genetic_search(start, options.population, self.seed)
        states = visited_states(self.tree, self.task, self.seed, SAMPLE)
        steps = step_sizes(self.tree, states)[self.free]

        def search(scale: float) -> CovarianceSearch:
            generator = np.random.default_rng([self.seed, int(Purpose.TRAIN), int(self.wide)])
            return CovarianceSearch(start, scale * steps, options.population, generator)

        few = max(1, round(FIRST_SHARE * options.episodes))

        def promise(scale: float) -> float:
            tried = self._whole(search(scale).ask())
            found = np.sort(self._scores(tried, few, 0, Purpose.STEP_SIZE))
            return float(found[len(found) // 2 :].mean())

        return search(SCALES[0] if self.wide else max(SCALES, key=promise))

    def state(self) -> dict[str, Any]:
        """Return all that is needed to go on, as plain values."""
        search = self.optimiser
        return {
            "generation": self.generation,
            "improved": self.improved,
            "saturated": self.saturated,
            "best": self.best_curve,
            "mean": self.mean_curve,
            "pace": None if self.pace is None else self.pace.tolist(),
            "leaders": [[score, parameters.tolist()] for score, parameters in self.elites],
            "search": search.state() if isinstance(search, CovarianceSearch) else None,
        }

    def restore(self, state: dict[str, Any]) -> None:
        """Go on from a saved state."""
        self.generation, self.improved = state["generation"], state["improved"]
        self.saturated = state["saturated"]
        self.best_curve, self.mean_curve = state["best"], state["mean"]
        self.pace = None if state["pace"] is None else np.array(state["pace"])
        self.elites = [(score, np.array(values)) for score, values in state["leaders"]]
        if state["search"] is not None:
            search = self._make_optimiser()
            assert isinstance(search, CovarianceSearch)
            search.restore(state["search"])
            self.optimiser = search
