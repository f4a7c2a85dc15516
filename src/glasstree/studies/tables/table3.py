"""Table 3: CarFollowing under the oracle, the open-loop tree and the re-optimised one."""

from functools import partial
from typing import Any

from glasstree.studies.recipes import (
    CONTROL,
    control_figures,
    control_of_all,
    default_runs,
    imitations,
    median,
    median_default,
    oracle_row,
    reoptimised,
)
from glasstree.studies.study import Bench, Column, Figures, Plan, Row, Study
from glasstree.studies.tables.table2 import DEPTH, TASK


def papers_tree(bench: Bench, plan: Plan) -> Any:
    """Return the open loop's median tree."""
    return median(bench(*imitations(plan, TASK, "paper", depth=DEPTH)))["tree"]


def papers_final(bench: Bench, plan: Plan) -> Any:
    """Return that tree, re-optimised."""
    return bench(reoptimised(plan, TASK, papers_tree(bench, plan)))[0]["tree"]


def papers_all(bench: Bench, plan: Plan, stage: str) -> list[Any]:
    """Return the trees of all runs, before or after re-optimisation."""
    runs = bench(*imitations(plan, TASK, "paper", depth=DEPTH))
    trees = [run["tree"] for run in runs]
    if stage == "before":
        return trees
    return [found["tree"] for found in bench(*(reoptimised(plan, TASK, tree) for tree in trees))]


def rows(plan: Plan) -> list[Row]:
    """Return the oracle, NLDT_OL and NLDT*."""

    def figures(recipe: str, stage: str, bench: Bench) -> Figures:
        if recipe == "glasstree":
            tree = median_default(bench, plan, TASK)[stage]
            every = [run[stage] for run in bench(*default_runs(plan, TASK))]
        else:
            tree = (papers_final if stage == "tree" else papers_tree)(bench, plan)
            every = papers_all(bench, plan, stage)
        one = control_figures(bench, plan, TASK, tree)
        return {**one, **control_of_all(bench, plan, TASK, every)}

    stages = {"NLDT_OL": "before", "NLDT*": "tree"}
    return [
        oracle_row(plan, "DNN", TASK),
        *(
            Row(
                name, {recipe: partial(figures, recipe, stage) for recipe in ("paper", "glasstree")}
            )
            for name, stage in stages.items()
        ),
    ]


STUDY = Study(
    name="table3",
    title="CarFollowing: closed loop",
    setting="policy",
    columns=(
        Column("best", "best reward"),
        *CONTROL,
        Column("rules", "rules"),
        Column("rule_length", "rule length"),
        Column("complexity", "symbols"),
    ),
    rows=rows,
    notes=(
        "Best: the best episode. `glasstree`: the default run, its open loop and its result; all "
        "runs are three seeds."
    ),
)
