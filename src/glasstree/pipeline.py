"""The whole method on one page: task + oracle in, a few nonlinear rules out.

dataset -> open loop -> prune -> closed loop -> re-engineer, as in the paper's Fig. 3.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from time import perf_counter
from typing import Any

from glasstree import progress
from glasstree.closedloop import ReoptimisationOptions, reengineer, reoptimise
from glasstree.data import Dataset
from glasstree.errors import OptionError
from glasstree.openloop import GrowthOptions, grow, prune, simplify
from glasstree.oracles import load_oracle
from glasstree.policy import PolicyTree, Scaling
from glasstree.policy.arrays import Policy
from glasstree.rollout import Performance, Purpose, collect, evaluate
from glasstree.rollout.collection import Kind
from glasstree.rollout.seeds import check_seed
from glasstree.runs import Keeper
from glasstree.tasks import Task, get_task


@dataclass(frozen=True)
class Options:
    """Everything that decides a result, apart from task and oracle."""

    data: Kind = "regular"
    samples: int = 10_000
    growth: GrowthOptions = field(default_factory=lambda: GrowthOptions(max_depth=2))
    prune_tolerance: float = 0.002
    closed_loop: ReoptimisationOptions = field(default_factory=ReoptimisationOptions)
    episodes: int = 1000
    seed: int = 0

    def __post_init__(self) -> None:
        if self.samples < 2 or self.episodes < 1:
            raise OptionError(
                f"at least 2 samples and 1 episode are needed, got {self.samples} and "
                f"{self.episodes}"
            )
        check_seed(self.seed)


@dataclass(frozen=True)
class Result:
    """Each stage's policy, what it is worth on unseen episodes, and the figures of the way."""

    task: Task
    options: Options
    policies: dict[str, PolicyTree]
    performances: dict[str, Performance]
    figures: dict[str, Any]
    best_rewards: list[float]
    mean_rewards: list[float]

    @property
    def policy(self) -> PolicyTree:
        """The final policy."""
        return self.policies["re-engineered"]

    def summary(self) -> dict[str, Any]:
        """Return all figures as plain values; the final policy's stand on top."""
        return {
            "task": self.task.name,
            "seed": self.options.seed,
            **self.figures,
            **self.performances["re-engineered"].figures(),
            "stages": {name: found.figures() for name, found in self.performances.items()},
            "closed_loop": {"best": self.best_rewards, "mean": self.mean_rewards},
        }


def distill(
    task: str | Task,
    oracle: str | Path | Callable[..., Any] | Policy | None = None,
    options: Options | None = None,
    keep: Keeper | None = None,
) -> Result:
    """Turn a black-box policy into a few rules that control as well.

    keep holds on to what each stage makes, so that an interrupted run can go on.
    """
    options, task, keep = options or Options(), get_task(task), keep or Keeper()
    black_box = load_oracle(task.name if oracle is None else oracle, task)
    seed, started = options.seed, perf_counter()

    def sample(purpose: Purpose, kind: Kind) -> Dataset:
        return collect(black_box, task, options.samples, kind, seed=seed, purpose=purpose)

    progress.emit(progress.Stage("collect"))
    train = keep.dataset("train.npz", lambda: sample(Purpose.COLLECT, options.data))
    test = keep.dataset("test.npz", lambda: sample(Purpose.HELD_BACK, "regular"))
    open_loop = keep.policy("open_loop.json", lambda: imitate(train, test, task, options))
    better = keep.reoptimised(lambda: reoptimise(open_loop, task, options.closed_loop, seed))
    final = keep.policy("policy.json", lambda: reengineer(better.tree, task, seed))
    seconds = perf_counter() - started

    policies = {"open loop": open_loop, "closed loop": better.tree, "re-engineered": final}
    progress.emit(progress.Stage("evaluate"))
    performances = {
        name: evaluate(policy, task, episodes=options.episodes, seed=seed)
        for name, policy in {"oracle": black_box, **policies}.items()
    }
    figures = {
        "train_accuracy": accuracy(open_loop, train),
        "test_accuracy": accuracy(open_loop, test),
        "rules": final.n_rules,
        "rule_length": final.rule_length,
        "depth": final.depth,
        "seconds": seconds,
    }
    result = Result(task, options, policies, performances, figures, better.best, better.mean)
    keep.document("metrics.json", result.summary())
    return result


def imitate(train: Dataset, held_back: Dataset, task: Task, options: Options) -> PolicyTree:
    """Grow a tree on labelled states, then prune what held-back states do not miss."""
    scaling = Scaling.fit(train.states)
    normalised = scaling.normalise(train.states)
    root = grow(normalised, train.actions, train.n_actions, options.growth, options.seed)
    tree = PolicyTree(
        root, scaling, task.state_names, task.action_names, task.units, task=task.name
    )
    return simplify(prune(tree, held_back.states, held_back.actions, options.prune_tolerance))


def accuracy(policy: Policy, data: Dataset) -> float:
    """Share of states in which a policy does what the oracle did."""
    return float((policy.actions(data.states) == data.actions).mean())
