"""Table 8: the manipulators by SQP and by RGA, and the one-rule policy of the 5-link arm."""

from functools import partial
from typing import Any

from glasstree.studies.recipes import (
    CONTROL,
    OPEN_LOOP,
    best,
    control_figures,
    control_of_all,
    default_runs,
    imitations,
    median_default,
    oracle_row,
    over_runs,
    reengineered,
    reoptimised,
)
from glasstree.studies.study import Bench, Column, Figures, Measured, Plan, Row, Study
from glasstree.tasks import get_task

ARMS = {"5-link": "psm5", "10-link": "psm10"}
SOLVERS = ("SQP", "RGA")
DEPTH = 3


def open_loops(bench: Bench, plan: Plan, task: str, recipe: str, solver: str) -> list[Measured]:
    """Return the open loops of all runs."""
    lower = solver.lower()
    cells = imitations(plan, task, recipe, data="balanced", depth=DEPTH, solver=lower)
    return bench(*cells)


def papers_final(bench: Bench, plan: Plan, task: str, solver: str) -> Any:
    """Return the best open loop, re-optimised."""
    tree = best(open_loops(bench, plan, task, "paper", solver))["tree"]
    return bench(reoptimised(plan, task, tree))[0]["tree"]


def papers_all(bench: Bench, plan: Plan, task: str, solver: str) -> list[Any]:
    """Return the open loops of all runs, each re-optimised."""
    runs = open_loops(bench, plan, task, "paper", solver)
    found = bench(*(reoptimised(plan, task, run["tree"]) for run in runs))
    return [one["tree"] for one in found]


def papers_one_rule(bench: Bench, plan: Plan) -> Measured:
    """Return the 5-link arm's NLDT* (SQP) before and after re-engineering."""
    return bench(reengineered("psm5", papers_final(bench, plan, "psm5", "SQP")))[0]


def rows(plan: Plan) -> list[Row]:
    """Return SQP, RGA, the oracle and the better constant torque of each arm; the one rule."""

    def figures(task: str, solver: str, recipe: str, bench: Bench) -> Figures:
        runs = open_loops(bench, plan, task, recipe, solver)
        if recipe == "paper":
            tree = papers_final(bench, plan, task, solver)
            every = papers_all(bench, plan, task, solver)
        else:
            tree = median_default(bench, plan, task)["tree"]
            every = [run["tree"] for run in bench(*default_runs(plan, task))]
        return {
            **control_figures(bench, plan, task, tree),
            **control_of_all(bench, plan, task, every),
            **over_runs(runs),
        }

    def constant(task: str, bench: Bench) -> Figures:
        every = range(get_task(task).n_actions)
        return best([control_figures(bench, plan, task, action) for action in every], "reward")

    def one_rule(recipe: str, bench: Bench) -> Figures:
        found = papers_one_rule if recipe == "paper" else partial(median_default, task="psm5")
        return control_figures(bench, plan, "psm5", found(bench, plan)["tree"])

    found = []
    for name, task in ARMS.items():
        found += [
            Row(
                f"{name} {solver}",
                {
                    recipe: partial(figures, task, solver, recipe)
                    for recipe in ("paper", "glasstree")
                },
            )
            for solver in SOLVERS
        ]
        found.append(oracle_row(plan, f"{name} DNN", task))
        found.append(Row(f"{name} constant torque", {"oracle": partial(constant, task)}))
    works = {recipe: partial(one_rule, recipe) for recipe in ("paper", "glasstree")}
    return [*found, Row("5-link re-engineered", works)]


STUDY = Study(
    name="table8",
    title="Planar serial manipulators: SQP against RGA",
    setting="arm, lower level",
    columns=(*OPEN_LOOP, Column("seconds", "training time s"), *CONTROL),
    rows=rows,
    notes=(
        "Time: of the processor, for one open loop. `paper`: depth 3 on balanced data; SQP is "
        "SciPy's SLSQP from one dipole on the raw impurity; the best of the runs is re-optimised. "
        "`glasstree`: our solver on the same kind of data for accuracy, rules, length, symbols and "
        "time (the same figures in both rows), the default run for control. All runs: the ten open "
        "loops of `paper`, each re-optimised; three seeds of `glasstree`."
    ),
)
