"""The whole method on one page: task + oracle in, a few nonlinear rules out.

dataset -> open loop -> prune -> closed loop -> re-engineer, as in the paper's Fig. 3; then the
front: the best policy of each complexity, of which one is picked.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from glasstree import progress
from glasstree.closedloop import Front, explore, reengineer, reoptimise
from glasstree.data import Dataset, aggregate, collect
from glasstree.data.collection import Kind
from glasstree.episodes import Performance, Purpose, evaluate
from glasstree.openloop import (
    GrowthOptions,
    LineSearch,
    grow,
    limit_rules,
    prune,
    simplify,
    soft_roots,
)
from glasstree.openloop.truths import plain_truths
from glasstree.options import Options
from glasstree.oracles import oracle_for
from glasstree.policy import Node, PolicyTree, Scaling
from glasstree.policy.arrays import Policy
from glasstree.runs.reading import finished
from glasstree.runs.store import METRICS, REWARDS, RunStore
from glasstree.tasks import Task

SEEDS_APART = 1_000_003  # between seeds of rounds, so that runs of neighbouring seeds share none
PARSIMONIES = (1.0, 0.4, 0.15)  # factors of the price of an exponent, round after round
IN_LEVELS = "oracle in levels"  # where continuous actions are replaced by the nearest level
SOFT_DEPTH = 4  # of trees of lines that are trained as a whole
DEEP = 5  # depths of trees of lines that are tried one by one; of deeper ones only the deepest
LINE_PARSIMONIES = (0.03, 0.015, 0.007, 0.003, 0.001)  # prices of a variable in trees of lines


@dataclass(frozen=True)
class Result:
    """Each stage's policy, what it is worth on unseen episodes, and the figures of the way."""

    task: Task
    options: Options
    policies: dict[str, PolicyTree]
    performances: dict[str, Performance]
    figures: dict[str, Any]
    curve: dict[str, list[float]]
    front: Front | None = None

    @property
    def final(self) -> str:
        """The name of the last stage."""
        return list(self.policies)[-1]

    @property
    def policy(self) -> PolicyTree:
        """The final policy."""
        return self.policies[self.final]

    def summary(self) -> dict[str, Any]:
        """Return all figures as plain values; the final policy's stand on top."""
        return {
            "task": self.task.name,
            "seed": self.options.seed,
            **self.figures,
            **self.performances[self.final].figures(),
            "stages": {name: found.figures() for name, found in self.performances.items()},
            "closed_loop": self.curve,
        }


def run_stages(
    task: Task,
    oracle: str | Callable[..., Any] | Policy | None,
    options: Options,
    store: RunStore | None = None,
) -> Result:
    """Turn a black-box policy into a few rules that control as well.

    The store keeps what each stage makes, so that an interrupted run can go on.
    """
    with store or RunStore() as held:
        return _run_stages(task, oracle_for(task, oracle), options, held)


def _run_stages(task: Task, black_box: Policy, options: Options, store: RunStore) -> Result:
    seed = options.seed

    progress.emit(progress.Stage("collect"))
    test = store.dataset("test.npz", lambda: held_back(black_box, task, options))
    if options.data == "dagger":
        train, trees = follow(black_box, task.varied, options, store)
    else:
        train = store.dataset("train.npz", lambda: sample(black_box, task.varied, options))
        trees = [store.policy("open_loop.json", lambda: imitate(train, task, options))]
    open_loop = store.policy("open_loop.json", lambda: trees[0])
    closed_loop = store.policy(
        "closed_loop.json",
        lambda: reoptimise(trees, task.for_training, options.closed_loop, seed, store),
    )
    visits = (options.reengineering, options.closed_loop)
    reengineered = store.policy(
        "reengineered.json", lambda: reengineer(closed_loop, task.for_training, *visits, seed)
    )
    policies = {"open loop": open_loop, "closed loop": closed_loop, "re-engineered": reengineered}
    front, last = None, reengineered
    if options.front is not None:
        budget = (options.front, options.closed_loop, options.episodes, seed, store)
        first = (reengineered, closed_loop, *trees)
        front = explore(
            lambda: [*first, *plain_trees(train, task, options)],
            *(train, task, black_box, *budget),
            more=partial(soft_trees, train, task, options, options.front.soft),
        )
        last = front.pick(options.pick).policy
    final = store.policy("policy.json", lambda: last)  # what was picked later stays
    if front is not None:
        policies["chosen"] = final

    progress.emit(progress.Stage("evaluate"))
    judging: dict[str, Any] = {"episodes": options.episodes, "seed": seed}
    players = {IN_LEVELS: black_box, **policies} if task.bounds else policies
    kept = finished(store.folder, ["oracle", *players], final.sizes)
    performances, seconds = kept or (
        {
            name: evaluate(policy, task.free if name == "oracle" else task, **judging)
            for name, policy in {"oracle": black_box, **players}.items()
        },
        store.seconds,
    )
    figures = {
        "train_accuracy": accuracy(open_loop, train, task),
        "test_accuracy": accuracy(open_loop, test, task),
        "agreement": accuracy(final, test, task),
        "agreements": {
            str(row.complexity): accuracy(row.policy, test, task) for row in front or ()
        },
        **final.sizes,
        "seconds": seconds,
    }
    result = Result(task, options, policies, performances, figures, store.curve(), front)
    if kept is None:
        store.arrays(REWARDS, {name: found.rewards for name, found in performances.items()})
    store.document(METRICS, result.summary())
    return result


def sample(oracle: Policy, task: Task, options: Options) -> Dataset:
    """Record training states and the oracle's actions."""
    kind: Kind = "balanced" if options.data == "balanced" else "regular"
    return collect(oracle, task, options.samples, kind, seed=options.seed)


def held_back(oracle: Policy, task: Task, options: Options) -> Dataset:
    """Record states to test on, as the oracle meets them."""
    purpose = Purpose.HELD_BACK
    return collect(oracle, task, options.samples, seed=options.seed, purpose=purpose)


def imitate(train: Dataset, task: Task, options: Options) -> PolicyTree:
    """Grow a tree on labelled states, then prune what is worth too little accuracy."""
    tree = learn(train, task, options.growth, options.seed)
    pruned = prune(tree, train.states, train.actions, options.prune_tolerance)
    return limit_rules(simplify(pruned), options.rules)


def follow(
    oracle: Policy, task: Task, options: Options, store: RunStore
) -> tuple[Dataset, list[PolicyTree]]:
    """Grow trees on states that earlier trees went to; return the best-controlling first.

    Rounds differ in the price of an exponent, so that short and long rules compete.
    """

    def grow_round(data: Dataset, number: int) -> PolicyTree:
        factor = PARSIMONIES[number % len(PARSIMONIES)]
        growth, seed = options.growth.with_parsimony(factor), options.seed + number * SEEDS_APART
        return limit_rules(simplify(learn(data, task, growth, seed)), options.rules)

    found = aggregate(oracle, task, grow_round, options.aggregation, options.seed, store)
    return found.data, found.trees


def learn(data: Dataset, task: Task, growth: GrowthOptions, seed: int) -> PolicyTree:
    """Grow a tree over labelled states, the scaling learnt from them alone."""
    scaling = Scaling.fit(data.states)
    normalised = scaling.normalise(data.states)
    return named(
        grow(normalised, data.actions, data.n_actions, growth, seed, data.weights), scaling, task
    )


def named(root: Node, scaling: Scaling, task: Task) -> PolicyTree:
    """Return a tree in the words of a task."""
    names = (task.state_names, task.action_names, task.units)
    return plain_truths(PolicyTree(root, scaling, *names, task=task.name, plant=task.plant))


def plain_trees(data: Dataset, task: Task, options: Options) -> list[PolicyTree]:
    """Grow trees of lines alone, of several depths, with several prices of a variable."""
    found = []
    deepest = options.growth.max_depth + 1
    for depth in (*range(1, min(deepest, DEEP) + 1), *([deepest] if deepest > DEEP else [])):
        for parsimony in LINE_PARSIMONIES:
            growth = replace(
                options.growth, max_depth=depth, search=LineSearch(parsimony=parsimony)
            )
            with progress.silence():
                tree = simplify(learn(data, task, growth, options.seed))
            found.append(tree.over_raw_values())
    return found


def soft_trees(data: Dataset, task: Task, options: Options, wanted: int) -> list[PolicyTree]:
    """Train trees of lines as a whole, of several depths, and make them plainer and plainer."""
    scaling, deepest = Scaling.fit(data.states), min(options.growth.max_depth + 1, SOFT_DEPTH)
    labelled = (data.states, data.actions, data.n_actions)
    found = [
        soft_roots(*labelled, depth, wanted, options.seed, data.weights)
        for depth in range(1, deepest + 1)
    ]
    places = zip(*found, strict=True)  # the best of all depths, the second ones of all depths
    return [
        named(root, scaling, task).over_raw_values()
        for same in places
        for roots in same
        for root in roots
    ]


def accuracy(policy: PolicyTree, data: Dataset, task: Task) -> float:
    """Share of states in which a policy does what the oracle did."""
    return data.agreement(policy, task.environment.choices if task.bounds else None)
