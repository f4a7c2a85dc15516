"""What a cell measures: a tree that imitates, one that is re-optimised, or how one controls."""

import json
from collections.abc import Mapping
from dataclasses import replace
from time import process_time
from typing import Any

import numpy as np
import scipy.optimize  # noqa: F401  (its import must not count as time of a fit)

from glasstree.closedloop import ReengineeringOptions, ReoptimisationOptions, reengineer, reoptimise
from glasstree.data import AggregationOptions, collect
from glasstree.episodes import Purpose, episode_seeds
from glasstree.episodes.evaluation import BATCH
from glasstree.episodes.scoring import play_all
from glasstree.openloop import (
    GrowthOptions,
    ParsimoniousSearch,
    ScanSolver,
    Solver,
    cut,
    simplify,
)
from glasstree.openloop.lower.paper.rga import GeneticSolver
from glasstree.openloop.lower.paper.sqp import SQPSolver
from glasstree.openloop.upper.paper import PaperSearch
from glasstree.options import Options
from glasstree.oracles import load_oracle
from glasstree.pipeline import accuracy, follow, imitate, learn, run_stages
from glasstree.policy import PolicyTree
from glasstree.policy.arrays import Floats, Ints, Policy
from glasstree.policy.document import dumps, loads
from glasstree.runs.store import RunStore
from glasstree.studies.study import spread
from glasstree.tasks import Task, get_task

Settings = Mapping[str, Any]
DRAWN = ("cartpole", "psm5", "psm10")  # where the paper's oracle drew its actions at random
# budgets for a first look: as small as they can be
QUICK_SEARCH = PaperSearch(generations=3)
QUICK_SOLVER = GeneticSolver(population=10, generations=5)
QUICK_GROWTH = GrowthOptions(
    search=ParsimoniousSearch(
        starts=1, population=4, generations=1, climbers=0, refinements=0, finalists=1
    ),
    solver=ScanSolver(bins=32, step=0.1),
)
QUICK_CLOSED_LOOP: dict[str, Any] = {
    "generations": 2,
    "trial_generations": 1,
    "trees": 2,
    "population": 4,
    "episodes": 2,
    "racing_episodes": 4,
    "choosing_episodes": 4,
}
QUICK_ROUNDS = AggregationOptions(rounds=1, first=300, added=200, episodes=4)


class Sampled:
    """An oracle that draws its actions from its probabilities, as the paper's did."""

    def __init__(self, oracle: Policy, seed: int, purpose: Purpose) -> None:
        self.oracle: Any = oracle
        self.generator = np.random.default_rng([seed, int(purpose)])

    def actions(self, states: Floats) -> Ints:
        """Draw an action for each state."""
        bounds = self.oracle.preferences(states).cumsum(axis=1)[:, :-1]
        drawn = self.generator.random((len(bounds), 1)) > bounds
        return np.asarray(drawn.sum(axis=1), dtype=np.int64)


def teacher(task: Task, recipe: str, seed: int, purpose: Purpose) -> Policy:
    """Return the oracle whose actions are the labels: drawn or greedy ones."""
    oracle = load_oracle(task.name)
    return Sampled(oracle, seed, purpose) if recipe == "paper" and task.name in DRAWN else oracle


def imitation(settings: Settings) -> dict[str, Any]:
    """Grow a tree over an oracle's states; seconds are the processor's."""
    task, recipe, seed = get_task(settings["task"]), settings["recipe"], settings["seed"]
    student = teacher(task, recipe, seed, Purpose.COLLECT)
    train = collect(student, task, settings["samples"], settings["data"], seed=seed)
    examiner, apart = teacher(task, recipe, seed, Purpose.HELD_BACK), Purpose.HELD_BACK
    test = collect(examiner, task, settings["test_samples"], seed=seed, purpose=apart)
    depth, started = settings["depth"], process_time()
    if recipe == "paper":
        growth = papers_growth(depth, settings["solver"], settings["quick"])
        tree = simplify(learn(train, task, growth, seed))
    else:
        growth = QUICK_GROWTH if settings["quick"] else GrowthOptions()
        tree = imitate(train, task, Options.for_task(task, depth=depth, growth=growth, seed=seed))
    seconds = process_time() - started
    return {
        "train_accuracy": 100 * accuracy(tree, train, task),
        "test_accuracy": 100 * accuracy(tree, test, task),
        **size_of(tree),
        "seconds": seconds,
        "tree": document(tree),
    }


def papers_growth(depth: int, solver: str, quick: bool) -> GrowthOptions:
    """Return the paper's bilevel search with one of its lower levels."""
    lower: Solver = QUICK_SOLVER if quick else GeneticSolver()
    if solver == "sqp":
        lower = SQPSolver(literal=True)
    search = QUICK_SEARCH if quick else PaperSearch()
    return GrowthOptions(max_depth=depth, search=search, solver=lower)


def reoptimisation(settings: Settings) -> dict[str, Any]:
    """Re-optimise a tree, cut to a depth where one is given, by the paper's GA."""
    task, tree = get_task(settings["task"]), tree_of(settings["tree"])
    if settings["depth"] is not None:
        tree = simplify(cut(tree, settings["depth"]))
    options, keep = ReoptimisationOptions.paper(), RunStore()
    if settings["quick"]:
        options = replace(options, **QUICK_CLOSED_LOOP)
    found = reoptimise(tree, task, options, settings["seed"], keep)
    return {"before": document(tree), "tree": document(found), "curve": keep.curve()}


def reengineering(settings: Settings) -> dict[str, Any]:
    """Drop what a tree does not visit in control; the tree comes with its visits counted."""
    from glasstree.closedloop.reengineering import recount
    from glasstree.data.collection import visited_states

    task, tree = get_task(settings["task"]), tree_of(settings["tree"])
    visited = visited_states(tree, task, settings["seed"], 10_000)
    budget = ReengineeringOptions(min_share=settings["min_share"], episodes=0)
    smaller = reengineer(tree, task, budget, ReoptimisationOptions.paper(), settings["seed"])
    counted = recount(tree, visited)
    return {"before": document(counted), "tree": document(smaller)}


def default_run(settings: Settings) -> dict[str, Any]:
    """Do what `glasstree run` does; the front has the worth of each policy by choosing episodes."""
    task, depth = get_task(settings["task"]), settings["depth"]
    growth = QUICK_GROWTH if settings["quick"] else GrowthOptions()
    budget = {"growth": growth, "episodes": 1, "seed": settings["seed"]}
    options = Options.for_task(task, depth=depth, **budget)
    if settings["rules"] is not None:
        options = replace(options, rules=settings["rules"])
    if settings["quick"]:
        options = replace(
            options,
            samples=500,
            aggregation=QUICK_ROUNDS,
            closed_loop=replace(options.closed_loop, **QUICK_CLOSED_LOOP),
            front=None,
            reengineering=ReengineeringOptions(episodes=0),
        )
    started = process_time()
    found = run_stages(task, None, options)
    return {
        "seconds": process_time() - started,
        "before": document(found.policies["open loop"]),
        "tree": document(found.policy),
        "front": [
            {"rules": row.policy.n_rules, "worth": row.worth, "tree": document(row.policy)}
            for row in found.front or ()
        ],
        "curve": found.curve,
    }


def rounds(settings: Settings) -> dict[str, Any]:
    """Do what `glasstree run` does before its closed loop: the best tree of its rounds."""
    task = get_task(settings["task"])
    growth = QUICK_GROWTH if settings["quick"] else GrowthOptions()
    options = Options.for_task(task, depth=settings["depth"], growth=growth, seed=settings["seed"])
    options = replace(options, rules=settings["rules"])
    if settings["quick"]:
        options = replace(options, aggregation=QUICK_ROUNDS)
    trees = follow(load_oracle(task.name, task), task, options, RunStore())[1]
    return {"tree": document(trees[0])}


def control(settings: Settings) -> dict[str, Any]:
    """Play unseen episodes with a tree, an oracle, or one action for ever."""
    task, player = get_task(settings["task"]), settings["player"]
    policy: Policy
    if player == "oracle":
        policy = load_oracle(task.name)
    elif isinstance(player, int):
        policy = load_oracle(lambda states: np.full(len(states), player), task)
    else:
        policy = tree_of(player)
    episodes = settings["episodes"]
    ends = play_all(policy, task, episode_seeds(Purpose.FINAL, settings["seed"], episodes))
    assert task.success is not None
    batch = min(BATCH, max(1, episodes // 2))
    successes = task.success(ends).astype(np.float64) * 100
    return {
        "reward": over_batches(ends.rewards, batch),
        "completion": over_batches(successes, batch),
        "best": [float(ends.rewards.max())],
        "episode_sd": [float(ends.rewards.std())],
        **(size_of(policy) if isinstance(policy, PolicyTree) else {}),
    }


def over_batches(values: Floats, batch: int) -> tuple[float, float]:
    """Return mean and deviation of the means of whole batches.

    >>> over_batches(np.array([1.0, 3.0, 5.0, 7.0, 100.0]), 2)
    (4.0, 2.0)
    """
    whole = values[: len(values) // batch * batch].reshape(-1, batch)
    return spread(whole.mean(axis=1).tolist())


def size_of(tree: PolicyTree) -> dict[str, float]:
    """Return how large a tree is."""
    return {
        "rules": tree.n_rules,
        "rule_length": tree.rule_length,
        "complexity": tree.complexity,
    }


def document(tree: PolicyTree) -> Any:
    """Return a tree as plain values."""
    return json.loads(dumps(tree))


def tree_of(document: Any) -> PolicyTree:
    """Return the tree of plain values."""
    return loads(json.dumps(document))
