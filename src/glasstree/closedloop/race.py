"""The re-optimisation of one tree: candidates compared on episodes that all of them play."""

from copy import deepcopy
from typing import TYPE_CHECKING, Any

import numpy as np

from glasstree.closedloop.optimisers import (
    CovarianceSearch,
    Optimiser,
    PymooSearch,
    genetic_search,
)
from glasstree.closedloop.parameters import free_parameters, normalised_parameters, step_sizes
from glasstree.policy.arrays import Floats, Ints
from glasstree.policy.tree import PolicyTree
from glasstree.rollout.scoring import play_candidates
from glasstree.rollout.seeds import Purpose, episode_seeds
from glasstree.tasks.base import Ends, Task

if TYPE_CHECKING:
    from glasstree.closedloop.reoptimisation import ReoptimisationOptions

RACING = 1 << 20
SCALING = 1 << 22
FIRST_SHARE = 0.25
SCALES = (1.0, 0.3, 0.1, 0.03)


class Race:
    """One tree's search, its best candidates and its training curve."""

    def __init__(
        self, tree: PolicyTree, task: Task, options: "ReoptimisationOptions", seed: int
    ) -> None:
        self.tree, self.task, self.options, self.seed = tree, task, options, seed
        self.start, self.free = tree.parameters(), free_parameters(tree)
        self.generation, self.improved = 0, 0
        self.saturated = False
        self.best_curve: list[float] = []
        self.mean_curve: list[float] = []
        self.leaders: list[tuple[float, Floats]] = []
        self.optimiser: Optimiser | None = None
        self.challenge(self.start)

    @property
    def best(self) -> float:
        """Racing score of the leader."""
        return self.leaders[0][0]

    @property
    def stale(self) -> int:
        """Generations since the leader changed."""
        return self.generation - self.improved

    def advance(self) -> None:
        """Play one generation."""
        if self.optimiser is None:
            self.optimiser = self._make_optimiser()
        candidates = self._whole(self.optimiser.ask())
        scores = self._scores_with_halving(candidates)
        self.optimiser.tell(scores)
        if self.task.simulator is not None or not isinstance(self.optimiser, CovarianceSearch):
            self.challenge(candidates[scores.argmax()])
        if isinstance(self.optimiser, CovarianceSearch):
            self.challenge(self._whole(self.optimiser.mean[np.newaxis])[0])
        self.best_curve.append(self.best)
        self.mean_curve.append(float(scores.mean()))
        self.generation += 1

    def challenge(self, candidate: Floats) -> None:
        """Let a candidate race; keep it if it is among the best."""
        seeds = episode_seeds(Purpose.TRAIN, self.seed, self.options.racing_episodes, RACING)
        ends = self._play(candidate[np.newaxis], seeds)
        score = self._scores_of(ends)[0]
        self.saturated = self.saturated or self._is_perfect(ends)
        if not self.leaders or score > self.best:
            self.improved = self.generation
        self.leaders.append((float(score), candidate))
        self.leaders.sort(key=lambda leader: -leader[0])
        del self.leaders[self.options.finalists :]

    def winner(self, fallback: PolicyTree) -> PolicyTree:
        """Return the best of leaders, start and fallback on episodes that no search has seen."""
        count = self.options.choosing_episodes
        finalists = np.array([self.start, *(parameters for _, parameters in self.leaders)])
        scores = self.scores(finalists, Purpose.CHOOSE, count)
        chosen = int(scores.argmax())
        tree = self.tree
        if chosen:
            tree = tree.with_parameters(normalised_parameters(tree, finalists[chosen]))
        if fallback is self.tree:
            return tree
        given = self.scores(fallback.parameters()[np.newaxis], Purpose.CHOOSE, count, tree=fallback)
        return tree if scores[chosen] >= given[0] else fallback

    def scores(
        self,
        candidates: Floats,
        purpose: Purpose,
        count: int,
        first: int = 0,
        tree: PolicyTree | None = None,
    ) -> Floats:
        """Return the mean reward, or success, of each candidate over the same episodes."""
        seeds = episode_seeds(purpose, self.seed, count, first)
        return self._scores_of(self._play(candidates, seeds, tree))

    def _play(self, candidates: Floats, seeds: Ints, tree: PolicyTree | None = None) -> Ends:
        workers = self.options.workers
        return play_candidates(tree or self.tree, candidates, self.task, seeds, workers)

    def _scores_of(self, ends: Ends) -> Floats:
        if self.options.objective == "success" and self.task.success is not None:
            return self.task.success(ends).mean(axis=1)
        means: Floats = ends.rewards.mean(axis=1)
        return means

    def _is_perfect(self, ends: Ends) -> bool:
        """Tell whether every episode lasted to the limit with the same reward, all successes."""
        if self.task.success is None or ends.steps.min() < self.task.step_limit:
            return False
        return bool(self.task.success(ends).all() and np.ptp(ends.rewards) == 0.0)

    def _scores_with_halving(self, candidates: Floats) -> Floats:
        """Play a first share of the episodes with all, the rest with the better half."""
        count = self.options.episodes
        first = self.generation * count
        few = max(1, round(FIRST_SHARE * count))
        scores = self.scores(candidates, Purpose.TRAIN, few, first)
        if few < count:
            better = np.sort(np.argsort(-scores, kind="stable")[: -(-len(scores) // 2)])
            rest = self.scores(candidates[better], Purpose.TRAIN, count - few, first + few)
            whole = (few * scores[better] + (count - few) * rest) / count
            floor = min(float(whole.min()), float(scores[better].min()))
            worse = np.setdiff1d(np.arange(len(scores)), better)
            scores[worse] = np.minimum(scores[worse], floor)
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
        steps = step_sizes(self.tree, self.task, self.seed)[self.free]

        def search(scale: float) -> CovarianceSearch:
            generator = np.random.default_rng([self.seed, int(Purpose.TRAIN)])
            return CovarianceSearch(start, scale * steps, options.population, generator)

        few = max(1, round(FIRST_SHARE * options.episodes))

        def promise(scale: float) -> float:
            scores = self.scores(self._whole(search(scale).ask()), Purpose.TRAIN, few, SCALING)
            return float(np.sort(scores)[len(scores) // 2 :].mean())

        return search(max(SCALES, key=promise))

    def state(self) -> dict[str, Any]:
        """Return all that is needed to go on, as plain values."""
        search = self.optimiser
        return {
            "generation": self.generation,
            "improved": self.improved,
            "saturated": self.saturated,
            "best": self.best_curve,
            "mean": self.mean_curve,
            "leaders": [[score, parameters.tolist()] for score, parameters in self.leaders],
            "search": search.state() if isinstance(search, CovarianceSearch) else None,
        }

    def restore(self, state: dict[str, Any]) -> None:
        """Go on from a saved state."""
        self.generation, self.improved = state["generation"], state["improved"]
        self.saturated = state["saturated"]
        self.best_curve, self.mean_curve = state["best"], state["mean"]
        self.leaders = [(score, np.array(values)) for score, values in state["leaders"]]
        if state["search"] is not None:
            search = self._make_optimiser()
            assert isinstance(search, CovarianceSearch)
            search.restore(state["search"])
            self.optimiser = search
