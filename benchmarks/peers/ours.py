"""glasstree as a contender: its default runs, and runs with other numbers of rules."""

from collections.abc import Sequence
from pathlib import Path

import numpy as np

from glasstree.options import Options
from glasstree.pipeline import run_stages
from glasstree.policy import PolicyTree, load
from glasstree.policy.arrays import Floats, Ints
from glasstree.policy.flat import decide_all
from glasstree.runs.store import open_store
from glasstree.tasks import get_task
from glasstree.workflows.settings.config import config_for

METRICS = "metrics.json"
STAGES = {"glasstree": "policy.json", "imitation": "open_loop.json"}
SIZES = {
    "cartpole": (1,),
    "carfollowing": (1,),
    "mountaincar": (1, 3),
    "lunarlander": (3, 4),
    "psm5": (1,),
    "psm10": (1,),
    "acrobot": (1, 3, 5),
}


class Readable:
    """A tree of glasstree with its size in the rivals' terms, walked as theirs are."""

    def __init__(self, tree: PolicyTree) -> None:
        self.flat = tree.flat
        self.splits = tree.n_rules
        self.occurrences = tree.n_exponents
        self.complexity = tree.complexity

    def actions(self, states: Floats) -> Ints:
        """Return one action a state."""
        actions = np.empty(len(states), dtype=np.int64)
        decide_all(*self.flat, np.ascontiguousarray(states, dtype=np.float64), actions)
        return actions


def tree_of(
    folders: Sequence[Path], name: str, rules: int, seed: int, stage: str
) -> tuple[PolicyTree, float, bool]:
    """Return the tree of a stage, the seconds of its run, and whether the last folder has it.

    A finished run in any of the folders will do; else it is made, or resumed, in the last.
    The folder of a default run has the name that benchmarks/control.py gives it.
    """
    task = get_task(name)
    options = Options.for_task(task, rules=rules, seed=seed)
    config = config_for(task, None, options)
    kind = "default" if rules == task.rules else f"rules{rules}"
    places = [folder / f"{name}-{kind}-{seed}" for folder in folders]
    finished = [place for place in places if (place / METRICS).exists()]
    place = (finished or places[-1:])[0]
    keep = open_store(place, config, resume=(place / "config.toml").exists())
    if not finished:
        run_stages(task, None, options, keep)
    seconds = keep.checkpoint(METRICS)["seconds"]
    return load(place / STAGES[stage]), seconds, place.parent == folders[-1]
