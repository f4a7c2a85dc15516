"""Table 6: LunarLander, NLDT-2 to NLDT-6 before and after re-optimisation."""

from functools import partial
from typing import Any

from glasstree.studies.recipes import (
    CONTROL,
    control_figures,
    control_of_all,
    controlled,
    default_runs,
    imitations,
    median,
    median_tree,
    oracle_row,
    reoptimised,
    rounds_of,
    within_rules,
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
RECIPES = ("paper", "glasstree")
STAGES = {"before": "before", "after": "tree"}


def papers_cut(bench: Bench, plan: Plan, depth: int) -> Measured:
    """Return the median deep tree, cut to a depth, before and after re-optimisation."""
    deep = median(bench(*imitations(plan, TASK, "paper", data="balanced", depth=DEEPEST)))["tree"]
    return bench(reoptimised(plan, TASK, deep, depth))[0]


def papers(bench: Bench, plan: Plan, depth: int, stage: str) -> Figures:
    """Return the control of that tree, and of the deep trees of all runs, cut alike."""
    runs = bench(*imitations(plan, TASK, "paper", data="balanced", depth=DEEPEST))
    every = bench(*(reoptimised(plan, TASK, run["tree"], depth) for run in runs))
    return {
        **control_figures(bench, plan, TASK, papers_cut(bench, plan, depth)[STAGES[stage]]),
        **control_of_all(bench, plan, TASK, [found[STAGES[stage]] for found in every]),
    }


def trees(bench: Bench, plan: Plan, depth: int, stage: str) -> list[Any]:
    """Return the best trees of the rounds, or of the fronts, that have as many rules."""
    if stage == "before":
        return [run["tree"] for run in bench(*rounds_of(plan, TASK, depth, RULES[depth]))]
    return [within_rules(run, RULES[depth]) for run in bench(*default_runs(plan, TASK))]


def ours(bench: Bench, plan: Plan, depth: int) -> Any:
    """Return the tree of the front with so many rules, of the seed of median reward."""
    every = trees(bench, plan, depth, "after")
    scores = bench(*(controlled(plan, TASK, tree) for tree in every))
    pairs = [{"tree": tree, **score} for tree, score in zip(every, scores, strict=True)]
    return median(pairs, key="reward")["tree"]


def rows(plan: Plan) -> list[Row]:
    """Return two rows a depth, and the oracle."""

    def figures(recipe: str, depth: int, stage: str, bench: Bench) -> Figures:
        if recipe == "paper":
            return papers(bench, plan, depth, stage)
        return median_tree(bench, plan, TASK, trees(bench, plan, depth, stage))

    return [
        *(
            Row(
                f"NLDT-{depth} {stage}",
                {recipe: partial(figures, recipe, depth, stage) for recipe in RECIPES},
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
    columns=(
        Column("rules", "rules"),
        Column("rule_length", "rule length"),
        Column("complexity", "symbols"),
        *CONTROL,
    ),
    rows=rows,
    notes=(
        "`paper`: the balanced depth-6 tree of median accuracy, cut, re-optimised by the GA. "
        "`glasstree`: the best of the default run's front with at most as many rules as the "
        "paper's tree, but three for NLDT-2; before: the best tree of rounds of that depth. All "
        "runs are the ten trees of `paper`, three seeds of `glasstree`."
    ),
)
