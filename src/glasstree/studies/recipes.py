"""The cells of tables: runs of an open loop, the run that goes on, and how it controls."""

from collections.abc import Sequence
from functools import partial
from typing import Any

from glasstree.studies import measures
from glasstree.studies.study import Bench, Cell, Column, Figures, Measured, Plan, Row, Work, spread
from glasstree.tasks import get_task

SAMPLES, QUICK_SAMPLES = 10_000, 400  # states to learn from; the paper has 10,000
# that give a figure; the paper has 100 in each of 50 batches
EPISODES, QUICK_EPISODES, QUICK_SLOW_EPISODES = 5000, 100, 6
SEEDS = 3  # runs of the default recipe where it is compiled
SIZES = ("rules", "rule_length", "complexity")
OVER_RUNS = ("train_accuracy", "test_accuracy", *SIZES, "seconds")
ALL = {"reward": "reward_all", "completion": "completion_all"}  # of every run, not the median's
OPEN_LOOP = (
    Column("train_accuracy", "train accuracy %"),
    Column("test_accuracy", "test accuracy %"),
    Column("rules", "rules"),
    Column("rule_length", "rule length"),
    Column("complexity", "symbols"),
)
CONTROL = (
    Column("reward", "reward"),
    Column("completion", "completion %"),
    Column("episode_sd", "deviation of an episode"),
    Column("reward_all", "reward, all runs"),
    Column("completion_all", "completion %, all runs"),
)


def imitations(
    plan: Plan,
    task: str,
    recipe: str,
    *,
    data: str = "regular",
    depth: int | None,
    samples: int = SAMPLES,
    solver: str = "rga",
) -> list[Cell]:
    """Return one open loop a run; the number of the run is its seed."""
    most = QUICK_SAMPLES if plan.quick else SAMPLES
    lower = solver if recipe == "paper" else "scan"
    return [
        Cell(
            f"imitation-{task}-{recipe}-{lower}-{data}-{depth or 'default'}-{seed}",
            measures.imitation,
            {
                "task": task,
                "recipe": recipe,
                "solver": lower,
                "data": data,
                "depth": depth,
                "samples": min(samples, most),
                "test_samples": most,
                "seed": seed,
                "quick": plan.quick,
            },
        )
        for seed in range(plan.runs)
    ]


def median(runs: Sequence[Measured], key: str = "test_accuracy") -> Measured:
    """Return the run in the middle, of two the lower one.

    >>> median([{"test_accuracy": a} for a in (3, 1, 9, 4)])
    {'test_accuracy': 3}
    """
    ranked = sorted(runs, key=lambda run: _first(run[key]))
    return ranked[(len(ranked) - 1) // 2]


def best(runs: Sequence[Measured], key: str = "test_accuracy") -> Measured:
    """Return the run with the highest figure."""
    return max(runs, key=lambda run: _first(run[key]))


def over_runs(runs: Sequence[Measured]) -> dict[str, tuple[float, float]]:
    """Return mean and deviation over runs of every figure of an open loop."""
    return {key: spread([run[key] for run in runs]) for key in OVER_RUNS}


def controlled(plan: Plan, task: str, player: Any) -> Cell:
    """Return how a tree (as a document), the oracle, or one action controls."""
    slow = get_task(task).simulator is None
    episodes = EPISODES
    if plan.quick:
        episodes = QUICK_SLOW_EPISODES if slow else QUICK_EPISODES
    who = player if isinstance(player, str | int) else "tree"
    return Cell(
        f"control-{task}-{who}",
        measures.control,
        {"task": task, "player": player, "seed": 0, "episodes": episodes},
        effort=2.0 if slow else 0.5,
    )


def control_figures(bench: Bench, plan: Plan, task: str, player: Any) -> dict[str, Any]:
    """Return figures of control, those of the tree's size as bare numbers in lists."""
    (found,) = bench(controlled(plan, task, player))
    sizes = {key: [found[key]] for key in SIZES if key in found}
    return {**found, **sizes}


def control_of_all(
    bench: Bench, plan: Plan, task: str, trees: Sequence[Any]
) -> dict[str, tuple[float, float]]:
    """Return mean and deviation, over the trees of all runs, of how each controls."""
    found = bench(*(controlled(plan, task, tree) for tree in trees))
    return {key: spread([_first(run[one]) for run in found]) for one, key in ALL.items()}


def reoptimised(plan: Plan, task: str, tree: Any, depth: int | None = None) -> Cell:
    """Return the re-optimisation of a tree by the paper's GA."""
    return Cell(
        f"reoptimisation-{task}-{depth or 'whole'}",
        measures.reoptimisation,
        {"task": task, "tree": tree, "depth": depth, "seed": 0, "quick": plan.quick},
        effort=3.0,
    )


def reengineered(task: str, tree: Any) -> Cell:
    """Return a tree without what at most one visit in a hundred needs."""
    return Cell(
        f"reengineering-{task}",
        measures.reengineering,
        {"task": task, "tree": tree, "seed": 0, "min_share": 0.01},
    )


def default_runs(
    plan: Plan, task: str, depth: int | None = None, rules: int | None = None
) -> list[Cell]:
    """Return default runs of a few seeds; of one seed where episodes are slow."""
    seeds = 1 if get_task(task).simulator is None else min(plan.runs, SEEDS)
    return [
        Cell(
            f"default-{task}-{depth or 'default'}-{seed}",
            measures.default_run,
            {"task": task, "depth": depth, "rules": rules, "seed": seed, "quick": plan.quick},
            effort=4.0,
        )
        for seed in range(1 if plan.quick else seeds)
    ]


def rounds_of(plan: Plan, task: str, depth: int, rules: int) -> list[Cell]:
    """Return what default runs of a depth have before their closed loop, one a seed."""
    return [
        Cell(
            f"rounds-{task}-{depth}-{seed}",
            measures.rounds,
            {"task": task, "depth": depth, "rules": rules, "seed": seed, "quick": plan.quick},
            effort=2.0,
        )
        for seed in range(1 if plan.quick else min(plan.runs, SEEDS))
    ]


def median_tree(bench: Bench, plan: Plan, task: str, trees: Sequence[Any]) -> Figures:
    """Return the control of the tree of median reward, and that of all."""
    scores = bench(*(controlled(plan, task, tree) for tree in trees))
    pairs = [{"tree": tree, **score} for tree, score in zip(trees, scores, strict=True)]
    chosen = median(pairs, key="reward")["tree"]
    return {
        **control_figures(bench, plan, task, chosen),
        **control_of_all(bench, plan, task, trees),
    }


def within_rules(run: Measured, most: int) -> Any:
    """Return the tree of most worth on a run's front with so many rules, or its result.

    >>> front = [{"rules": r, "worth": w, "tree": r} for r, w in ((1, 2.0), (3, 9.0), (5, 7.0))]
    >>> within_rules({"front": front, "tree": None}, 4)
    3
    """
    short = [row for row in run["front"] if row["rules"] <= most]
    return max(short, key=lambda row: row["worth"])["tree"] if short else run["tree"]


def median_default(
    bench: Bench, plan: Plan, task: str, depth: int | None = None, rules: int | None = None
) -> Measured:
    """Return the default run whose final policy has the median reward."""
    runs = bench(*default_runs(plan, task, depth, rules))
    scores = bench(*(controlled(plan, task, run["tree"]) for run in runs))
    return median([{**run, **score} for run, score in zip(runs, scores, strict=True)], key="reward")


def open_loop_row(
    plan: Plan,
    name: str,
    task: str,
    *,
    depths: tuple[int | None, int | None],
    data: str = "regular",
    samples: int = SAMPLES,
) -> Row:
    """Return a row of both recipes: figures over runs, and control by the median tree."""

    def figures(recipe: str, depth: int | None, bench: Bench) -> Figures:
        cells = imitations(plan, task, recipe, data=data, depth=depth, samples=samples)
        runs = bench(*cells)
        return {
            **control_figures(bench, plan, task, median(runs)["tree"]),
            **control_of_all(bench, plan, task, [run["tree"] for run in runs]),
            **over_runs(runs),
        }

    works: dict[str, Work] = {
        recipe: partial(figures, recipe, depth)
        for recipe, depth in zip(("paper", "glasstree"), depths, strict=True)
    }
    return Row(name, works)


def oracle_row(plan: Plan, name: str, task: str) -> Row:
    """Return the row of the black box itself."""
    return Row(name, {"oracle": partial(control_figures, plan=plan, task=task, player="oracle")})


def _first(value: Any) -> float:
    return float(value[0] if isinstance(value, list | tuple) else value)
