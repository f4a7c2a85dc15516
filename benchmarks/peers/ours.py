"""glasstree as a contender: its default runs, and runs with fewer or more rules."""

from pathlib import Path
from typing import Any

from glasstree.cli.run import plain
from glasstree.options import Options
from glasstree.pipeline import distill
from glasstree.policy import PolicyTree, load
from glasstree.runs import open_run
from glasstree.tasks import get_task

from .rivals import Sized

STAGES = {"glasstree": "policy.json", "imitation": "open_loop.json"}
SIZES = {
    "cartpole": (1, 2),
    "carfollowing": (1, 2),
    "mountaincar": (1, 2, 3),
    "lunarlander": (2, 4),
    "psm5": (1, 2),
    "psm10": (1, 2),
    "acrobot": (1, 2, 3),
}


class Readable:
    """A tree of glasstree with its size in the rivals' terms."""

    def __init__(self, tree: PolicyTree) -> None:
        self.tree = tree
        self.splits = tree.n_rules
        self.occurrences = sum(split.rule.length for split in tree.splits())
        self.actions = tree.actions


def tree_of(folder: Path, name: str, rules: int, seed: int, stage: str) -> tuple[PolicyTree, float]:
    """Return the tree of a stage and the seconds of its run, which is made or resumed if need be.

    The folder of a default run has the name that benchmarks/control.py gives it.
    """
    task = get_task(name)
    options = Options.for_task(task, rules=rules, seed=seed)
    config: dict[str, Any] = {"task": name, "oracle": name, "options": plain(options)}
    kind = "default" if rules == task.rules else f"rules{rules}"
    place = folder / f"{name}-{kind}-{seed}"
    keep = open_run(place, config, resume=(place / "config.toml").exists())
    if not (place / "metrics.json").exists():
        distill(task, None, options, keep)
    return load(place / STAGES[stage]), keep.checkpoint("metrics.json")["seconds"]


def readable(tree: PolicyTree) -> Sized:
    """Return a tree with its size."""
    return Readable(tree)
