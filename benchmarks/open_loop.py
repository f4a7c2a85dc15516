"""The open loop's solvers and prices side by side, and its cost as samples and variables grow.

    python benchmarks/open_loop.py solvers --results DIR     accuracy, size, seconds, ratio
    python benchmarks/open_loop.py scaling --results DIR     cost, with a plot
    python benchmarks/open_loop.py prices --results DIR      exponents or printed symbols paid for

Seconds are those of the processor. With --docs PAGE, the table goes into that page too.
Every finished cell is kept in DIR at once; a second call goes on where the first stopped.
"""

import argparse
import json
import resource
from collections.abc import Iterator
from pathlib import Path
from time import perf_counter, process_time
from typing import get_args

import numpy as np
from pages import put, table
from sklearn.datasets import load_iris, load_wine
from sklearn.model_selection import StratifiedKFold

from glasstree.data import Dataset, collect
from glasstree.episodes import Purpose
from glasstree.openloop.classifier import NLDTClassifier
from glasstree.openloop.upper.archive import PricedBy
from glasstree.oracles import load_oracle, oracle_names
from glasstree.policy.document import write_atomically
from glasstree.tasks import get_task

SHALLOW = ("cartpole", "carfollowing", "mountaincar")
SOLVERS = ("scan", "sqp", "rga")
SIZE = 10_000
PRICED, FOLDS, PARSIMONIES = 3_000, 5, (0.005, 0.02)


def datasets(folder: Path, task: str, kind: str) -> tuple[Dataset, Dataset]:
    """Collect, once, 10,000 training and 10,000 test states of a task's shipped oracle."""
    paths = folder / f"{task}-{kind}.npz", folder / f"{task}-test.npz"
    known = get_task(task)
    oracle = load_oracle(task, known)
    if not paths[0].exists():
        collect(oracle, known, SIZE, kind, seed=0).save(paths[0])
    if not paths[1].exists():
        collect(oracle, known, SIZE, seed=0, purpose=Purpose.HELD_BACK).save(paths[1])
    return Dataset.load(paths[0]), Dataset.load(paths[1])


def fit_cell(train: Dataset, test: Dataset, depth: int, solver: str, seed: int) -> dict:
    """Fit once and measure."""
    started, used = perf_counter(), process_time()
    model = NLDTClassifier(depth, solver, random_state=seed).fit(train.states, train.actions)
    return {
        "seconds": process_time() - used,
        "elapsed": perf_counter() - started,
        "train": model.score(train.states, train.actions),
        "test": model.score(test.states, test.actions),
        "rules": model.tree_.n_rules,
        "rule_length": model.tree_.rule_length,
    }


def cell(folder: Path, name: str, make) -> dict:
    """Return a kept cell, or make and keep it."""
    path = folder / f"{name}.json"
    if not path.exists():
        write_atomically(path, json.dumps(make()).encode())
    return json.loads(path.read_text())


def solvers(folder: Path, tasks: list[str], names: list[str], seeds: int) -> str:
    """Return one table: all tasks, both kinds of data, all solvers."""
    warm_up(names)
    rows = []
    for task in tasks:
        depth = 2 if task in SHALLOW else 3
        for kind in ("regular", "balanced"):
            train, test = datasets(folder, task, kind)
            base = None
            for solver in names:
                cells = [
                    cell(
                        folder,
                        f"{task}-{kind}-{solver}-{seed}",
                        lambda s=seed, w=solver, t=train, e=test, d=depth: fit_cell(t, e, d, w, s),
                    )
                    for seed in range(seeds)
                ]
                mean = {key: float(np.mean([c[key] for c in cells])) for key in cells[0]}
                base = base or mean["seconds"]
                rows.append([task, kind, solver, *words_of(mean, base)])
                print(*rows[-1], flush=True)
    return table(
        ["task", "data", "solver", "train", "test", "rules", "length", "seconds", "ratio"], rows
    )


def words_of(mean: dict[str, float], base: float) -> list[str]:
    """Word the means of one row."""
    shares = [f"{100 * mean[key]:.2f}" for key in ("train", "test")]
    sizes = [f"{mean[key]:.2f}" for key in ("rules", "rule_length", "seconds")]
    return [*shares, *sizes, f"{mean['seconds'] / base:.1f}"]


def hidden_rule(samples: int, variables: int, seed: int = 0) -> tuple[np.ndarray, np.ndarray]:
    """Make data from one rule over three variables."""
    states = np.random.default_rng(seed).uniform(1, 2, (samples, variables))
    last = min(2, variables - 1)
    value = states[:, 0] * states[:, 1] - 1.5 / states[:, last] ** 2
    return states, (value > np.median(value)).astype(np.int64)


def scaling_cells() -> Iterator[tuple[str, int, int, int]]:
    """Yield (axis, samples, variables, depth)."""
    for samples in (10**3, 10**4, 10**5, 10**6):
        yield "samples", samples, 10, 3
    for variables in (2, 10, 50, 200, 500):
        yield "variables", SIZE, variables, 3
    for depth in range(1, 7):
        yield "depth", SIZE, 10, depth


def scaling(folder: Path) -> str:
    """Return the cost table and draw it."""
    warm_up(["scan"])
    rows, lines = [], []
    for axis, samples, variables, depth in scaling_cells():

        def make(samples=samples, variables=variables, depth=depth) -> dict:
            states, labels = hidden_rule(samples, variables)
            if depth > 1:
                noise = np.random.default_rng(1).random(samples) < 0.1
                labels = np.where(noise, 1 - labels, labels)
            started = process_time()
            model = NLDTClassifier(depth, random_state=0).fit(states, labels)
            seconds = process_time() - started
            fresh, truth = hidden_rule(SIZE, variables, seed=7)
            peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20
            figures = {"seconds": seconds, "accuracy": model.score(fresh, truth), "peak": peak}
            return {**figures, "rules": model.tree_.n_rules}

        found = cell(folder, f"scaling-{axis}-{samples}-{variables}-{depth}", make)
        rows.append((axis, {"samples": samples, "variables": variables, "depth": depth}, found))
        sizes = [axis, f"{samples:,}", str(variables), str(depth), f"{found['seconds']:.2f}"]
        shares = [f"{100 * found['accuracy']:.2f}", str(found["rules"]), f"{found['peak']:.2f}"]
        lines.append([*sizes, *shares])
        print(*lines[-1], flush=True)
    draw(folder / "scaling.svg", rows)
    head = ["varied", "samples", "variables", "depth", "seconds", "accuracy", "rules", "peak GiB"]
    return table(head, lines)


def priced_tables(folder: Path) -> Iterator[tuple[str, int, tuple[np.ndarray, ...]]]:
    """Yield (name, fold, training and test samples with labels): two tables and a controller."""
    for name, load in (("iris", load_iris), ("wine", load_wine)):
        X, y = load(return_X_y=True)
        folds = StratifiedKFold(FOLDS, shuffle=True, random_state=0).split(X, y)
        for fold, (train, test) in enumerate(folds):
            yield name, fold, (X[train], y[train], X[test], y[test])
    train, test = datasets(folder, "cartpole", "regular")
    for fold in range(FOLDS):
        rows = np.random.default_rng(fold).choice(len(train.states), PRICED, replace=False)
        some = train.states[rows], train.actions[rows]
        yield "cartpole", fold, (*some, test.states, test.actions)


def priced_cell(samples: tuple[np.ndarray, ...], parsimony: float, price: str) -> dict:
    """Fit with one price, and measure what is read and how often it is right."""
    X, y, fresh, truth = samples
    started = process_time()
    model = NLDTClassifier(3, parsimony=parsimony, price=price, random_state=0).fit(X, y)
    return {
        "seconds": process_time() - started,
        "train": model.score(X, y),
        "test": model.score(fresh, truth),
        "complexity": model.tree_.complexity,
        "exponents": model.tree_.n_exponents,
    }


def prices(folder: Path) -> str:
    """Return one table: three data sets, prices of exponents and of printed symbols."""
    warm_up(["scan"])
    found: dict[tuple[str, float, str], list[dict]] = {}
    for name, fold, samples in priced_tables(folder):
        for parsimony in PARSIMONIES:
            for price in get_args(PricedBy):
                made = cell(
                    folder,
                    f"prices-{name}-{fold}-{parsimony}-{price}",
                    lambda s=samples, p=parsimony, b=price: priced_cell(s, p, b),
                )
                found.setdefault((name, parsimony, price), []).append(made)
    rows = []
    for (name, parsimony, price), cells in found.items():
        mean = {key: float(np.mean([c[key] for c in cells])) for key in cells[0]}
        shares = [f"{100 * mean[key]:.2f}" for key in ("train", "test")]
        sizes = [f"{mean[key]:.1f}" for key in ("complexity", "exponents")]
        rows.append([name, f"{parsimony}", price, *shares, *sizes, f"{mean['seconds']:.2f}"])
    head = ["data", "parsimony", "price", "train", "test", "symbols", "exponents", "seconds"]
    return table(head, rows)


def draw(path: Path, rows: list) -> None:
    """Draw seconds against each varied quantity."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(9, 3), layout="constrained")
    for axes, name in zip(
        figure.subplots(1, 3, sharey=True), ("samples", "variables", "depth"), strict=True
    ):
        points = [(where[name], found["seconds"]) for axis, where, found in rows if axis == name]
        axes.plot(*zip(*points, strict=True), "o-", color="#0072b2")
        axes.set(xlabel=name, yscale="log", xscale="linear" if name == "depth" else "log")
    figure.axes[0].set_ylabel("seconds")
    figure.savefig(path)


def warm_up(names: list[str]) -> None:
    """Load or compile the kernels before anything is timed."""
    states, labels = hidden_rule(200, 3)
    for solver in names:
        NLDTClassifier(1, solver, random_state=0).fit(states, labels)


def main() -> None:
    """Read the words and run."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("what", choices=("solvers", "scaling", "prices"))
    parser.add_argument("--results", type=Path, default=Path("benchmarks/results/open_loop"))
    parser.add_argument("--tasks", default=",".join(oracle_names()))
    parser.add_argument("--solvers", default=",".join(SOLVERS))
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("--docs", type=Path)
    words = parser.parse_args()
    words.results.mkdir(parents=True, exist_ok=True)
    if words.what == "solvers":
        tasks, names = words.tasks.split(","), words.solvers.split(",")
        text = solvers(words.results, tasks, names, words.seeds)
    else:
        text = {"scaling": scaling, "prices": prices}[words.what](words.results)
    print(text)
    if words.docs:
        put(words.docs, words.what, text)


if __name__ == "__main__":
    main()
