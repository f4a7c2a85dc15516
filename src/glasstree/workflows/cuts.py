"""`cuts`: one deep tree, cut to several depths, each scored before and after re-optimisation."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from glasstree.closedloop.cuts import Cut, cut_and_reoptimise
from glasstree.errors import OptionError
from glasstree.options import Options
from glasstree.pipeline import learn, sample
from glasstree.tasks import get_task
from glasstree.workflows.distillation import Asked, make_plan, working
from glasstree.workflows.settings.config import WORDS

DEPTH = 6  # this and the depths of its cuts as in the paper's table for LunarLander
DEPTHS = (2, 3, 4, 5, 6)
USUAL = {"recipe": "paper", "data": "balanced", "depth": DEPTH}


def cuts(
    task: Any,
    oracle: Asked = None,
    *,
    depths: Sequence[int] = DEPTHS,
    out: str | Path | None = None,
    resume: bool = False,
    overwrite: bool = False,
    workers: int | None = None,
    engine: str = "local",
    address: str | None = None,
    trust: bool = False,
    **chosen: Any,
) -> list[Cut]:
    """Grow one deep tree, cut it to several depths, and score each cut; as in the paper.

    Other keyword arguments are those of get_task and of `Options.for_task`, on top of the paper's
    recipe, balanced data and a depth of 6.
    """
    words = {name: chosen.pop(name) for name in WORDS if name in chosen}
    known = get_task(task, **words)
    if known.bounds is not None and not known.n_actions:
        raise OptionError(f"{known.name} has continuous actions; give levels, or use glasstree run")
    options = Options.for_task(known, **{**USUAL, **chosen})
    deepest = options.growth.max_depth
    if options.data == "dagger":
        raise OptionError("a deep tree to cut is grown on --data regular or balanced")
    found = sorted(set(depths))
    if not found or not 1 <= found[0] <= found[-1] <= deepest:
        raise OptionError(f"--cut needs depths from 1 to {deepest}, got {list(depths)}")
    plan = make_plan(known, oracle, options, trust=trust)
    with plan.store(out, resume, overwrite) as store, working(workers, engine, address):
        states = store.dataset("train.npz", lambda: sample(plan.oracle, known, options))
        growth = (options.growth, options.seed)
        deep = store.policy("open_loop.json", lambda: learn(states, known, *growth))
        how = (options.closed_loop, options.seed, options.episodes, store)
        return cut_and_reoptimise(deep, known, found, *how)
