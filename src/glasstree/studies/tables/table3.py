"""Table 3: CarFollowing under the oracle, the open-loop tree and the re-optimised one."""

from functools import partial
from typing import Any

from glasstree.studies.recipes import (
    CONTROL,
    control_figures,
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


def rows(plan: Plan) -> list[Row]:
    """Return the oracle, NLDT_OL and NLDT*."""

    def figures(recipe: str, stage: str, bench: Bench) -> Figures:
        if recipe == "glasstree":
            tree = median_default(bench, plan, TASK)[stage]
        else:
            tree = (papers_final if stage == "tree" else papers_tree)(bench, plan)
        return control_figures(bench, plan, TASK, tree)

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
    ),
    rows=rows,
    notes="Best: the best episode. `glasstree`: the default run, its open loop and its result.",
)
