"""Table 6: LunarLander, NLDT-2 to NLDT-6 before and after re-optimisation."""

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
from glasstree.studies.study import Bench, Column, Figures, Measured, Plan, Row, Study

TASK, DEEPEST = "lunarlander", 6
RULES = {
    2: 3,
    3: 4,
    4: 7,
    5: 13,
    6: 26,
}  # that a tree of each depth may have: as many as the paper's, or one more
QUICK_DEPTHS = (3,)
STAGES = {"before": "before", "after": "tree"}


def papers_cut(bench: Bench, plan: Plan, depth: int) -> Measured:
    """Return the median deep tree, cut to a depth, before and after re-optimisation."""
    deep = median(bench(*imitations(plan, TASK, "paper", data="balanced", depth=DEEPEST)))["tree"]
    return bench(reoptimised(plan, TASK, deep, depth))[0]


def ours(bench: Bench, plan: Plan, depth: int) -> Measured:
    """Return the default run with so many rules."""
    return median_default(bench, plan, TASK, depth, RULES[depth])


def rows(plan: Plan) -> list[Row]:
    """Return two rows a depth, and the oracle."""
    makers: dict[str, Any] = {"paper": papers_cut, "glasstree": ours}

    def figures(recipe: str, depth: int, stage: str, bench: Bench) -> Figures:
        found = makers[recipe](bench, plan, depth)
        return control_figures(bench, plan, TASK, found[STAGES[stage]])

    return [
        *(
            Row(
                f"NLDT-{depth} {stage}",
                {recipe: partial(figures, recipe, depth, stage) for recipe in makers},
            )
            for depth in (QUICK_DEPTHS if plan.quick else RULES)
            for stage in STAGES
        ),
        oracle_row(plan, "DNN", TASK),
    ]


STUDY = Study(
    name="table6",
    title="LunarLander: cut trees before and after re-optimisation",
    setting="tree",
    columns=(Column("rules", "rules"), Column("rule_length", "rule length"), *CONTROL),
    rows=rows,
    notes=(
        "`paper`: the balanced depth-6 tree of median accuracy, cut, re-optimised by the GA. "
        "`glasstree`: the default run (seed 0) of that depth, with at most as many rules as the "
        "paper's tree, but three for NLDT-2; before: the best tree of its rounds."
    ),
)
