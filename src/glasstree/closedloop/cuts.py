"""The paper's NLDT-d: one deep tree, cut to several depths, each re-optimised."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from glasstree import progress
from glasstree.closedloop.options import ReoptimisationOptions
from glasstree.closedloop.reoptimisation import reoptimise
from glasstree.episodes.evaluation import Performance, evaluate
from glasstree.errors import OptionError
from glasstree.openloop.pruning import cut, simplify
from glasstree.policy.tree import PolicyTree
from glasstree.runs.store import CUTS, RunStore
from glasstree.tasks.base import Task

STAGE = "cuts"


@dataclass(frozen=True)
class Cut:
    """A tree of one depth before and after re-optimisation, and what both are worth."""

    depth: int
    open_loop: PolicyTree
    closed_loop: PolicyTree
    before: Performance
    after: Performance

    def figures(self) -> dict[str, Any]:
        """Return all figures as plain values."""
        return {
            "depth": self.depth,
            "rules": self.open_loop.n_rules,
            "rule_length": self.open_loop.rule_length,
            "before": self.before.figures(),
            "after": self.after.figures(),
        }


def cut_and_reoptimise(
    deep: PolicyTree,
    task: Task,
    depths: Sequence[int],
    options: ReoptimisationOptions,
    seed: int,
    episodes: int,
    store: RunStore | None = None,
) -> list[Cut]:
    """Cut a deep tree to each depth, re-optimise it, and score both over unseen episodes."""
    if not depths or min(depths) < 1:
        raise OptionError("depths to cut to must be at least 1")
    store, found = store or RunStore(), []
    progress.emit(progress.Stage(STAGE, total=len(depths)))
    for number, depth in enumerate(depths, 1):
        before = simplify(cut(deep, depth))
        with progress.silence():
            after = store.policy(
                f"{CUTS}/{depth:02d}.json",
                partial(reoptimise, before, task.for_training, options, seed),
            )
            scores = (
                evaluate(tree, task, episodes=episodes, seed=seed) for tree in (before, after)
            )
            found.append(Cut(depth, before, after, *scores))
        figures = {"depth": float(depth), "reward": found[-1].after.mean_reward}
        progress.emit(progress.Advance(STAGE, number, figures))
    return found
