"""Table 1: how much data the open loop needs on CartPole."""

from collections.abc import Mapping, Sequence
from typing import Any

from glasstree.options import Options
from glasstree.oracles import load_oracle
from glasstree.pipeline import accuracy, imitate
from glasstree.rollout import Purpose, collect, evaluate
from glasstree.rollout.evaluation import BATCH
from glasstree.studies.study import (
    Cell,
    Column,
    Measured,
    Plan,
    Row,
    Study,
    paper_values,
    spread,
)
from glasstree.tasks import get_task

NAME = "table1"
SIZES = (100, 500, 1000, 5000, 10_000)
TEST_SIZE = 10_000
EPISODES = 5000
QUICK_SIZES, QUICK_TEST_SIZE, QUICK_EPISODES = (100, 1000), 1000, 200
OVER_RUNS = ("train_accuracy", "test_accuracy", "rules", "rule_length")


def cells(plan: Plan) -> list[Cell]:
    """Return every training size, once a run; the run's number is its seed."""
    test_size, episodes = (QUICK_TEST_SIZE, QUICK_EPISODES) if plan.quick else (TEST_SIZE, EPISODES)
    return [
        Cell(
            f"{size}-{seed}{'-quick' if plan.quick else ''}",
            {"size": size, "seed": seed, "test_size": test_size, "episodes": episodes},
        )
        for size in (QUICK_SIZES if plan.quick else SIZES)
        for seed in range(plan.runs)
    ]


def measure(settings: Mapping[str, Any]) -> dict[str, Any]:
    """Imitate the oracle on so many states and no others, then let the open-loop tree control."""
    task = get_task("cartpole")
    oracle, seed = load_oracle(task.name), settings["seed"]
    train = collect(oracle, task, settings["size"], seed=seed)
    test = collect(oracle, task, settings["test_size"], seed=seed, purpose=Purpose.HELD_BACK)
    tree = imitate(train, task, Options(samples=settings["size"], seed=seed))
    found = evaluate(tree, task, episodes=settings["episodes"], seed=seed)
    whole = found.rewards[: len(found.rewards) // BATCH * BATCH].reshape(-1, BATCH)
    return {
        "train_accuracy": 100 * accuracy(tree, train),
        "test_accuracy": 100 * accuracy(tree, test),
        "rules": tree.n_rules,
        "rule_length": tree.rule_length,
        "reward": spread(whole.mean(axis=1).tolist()),
        "completion": spread((100 * (whole >= task.step_limit).mean(axis=1)).tolist()),
    }


def rows(finished: Sequence[tuple[Cell, Measured]]) -> list[Row]:
    """Summarise the runs of each size; control is that of the median tree, as in the paper."""
    paper = paper_values(NAME)
    sizes: dict[int, list[Measured]] = {}
    for cell, measured in finished:
        sizes.setdefault(cell.settings["size"], []).append(measured)
    result = []
    for size, runs in sizes.items():
        ranked = sorted(runs, key=lambda run: run["test_accuracy"])
        median = ranked[(len(ranked) - 1) // 2]
        ours = {key: spread([run[key] for run in runs]) for key in OVER_RUNS}
        control = {key: tuple(median[key]) for key in ("reward", "completion")}
        everyone = {"all_completion": spread([run["completion"][0] for run in runs])}
        result.append(Row(f"{size:,}", paper[str(size)], {**ours, **control, **everyone}))
    return result


STUDY = Study(
    name=NAME,
    title="Table 1: training data and the open loop on CartPole",
    setting="training states",
    columns=(
        Column("train_accuracy", "train accuracy %"),
        Column("test_accuracy", "test accuracy %"),
        Column("rules", "rules"),
        Column("rule_length", "rule length"),
        Column("reward", "reward, of 200"),
        Column("completion", "completion %"),
        Column("all_completion", "completion %, all runs"),
    ),
    cells=cells,
    measure=measure,
    rows=rows,
    notes=(
        "Accuracies, rules and lengths: mean and deviation over runs. Reward and completion: the "
        "open-loop tree of median test accuracy, before any closed-loop work, mean and deviation "
        "over batches of 100 episodes. All runs: mean and deviation over the trees of all runs."
    ),
)
