"""Many tables: our trees against other trees, rules and models, by balanced accuracy.

    python benchmarks/classification.py [TABLE ...] [--docs docs/tables.md]

Three folds of each table, at most 1,000 rows of it; every learner is told that classes count alike.
What was measured stays in benchmarks/results/tables.jsonl and is measured again when the code of
the learner has changed. It needs `pip install -r benchmarks/tables/requirements.txt`.
"""

import argparse
import json
from pathlib import Path
from time import process_time
from typing import Any

import numpy as np
from pages import put, table
from sklearn.metrics import accuracy_score, balanced_accuracy_score
from sklearn.model_selection import StratifiedKFold
from tables.data import TABLES, read
from tables.ranks import chance, critical_difference, mean_ranks, plot
from tables.rivals import LEARNERS, TREES, answer

from glasstree.digests import digest, sources

HERE = Path(__file__).parent
KEPT = HERE / "results" / "tables.jsonl"
FOLDS = 3
PEERS = tuple(f"peers/rivals/{name}.py" for name in ("base", "forest"))
FILES = {  # of single learners
    "obliquetree": (*PEERS, "peers/rivals/oblique.py"),
    "pystreed": (*PEERS, "peers/rivals/streed.py", "tables/streed.py"),
}
OWN = HERE.parent / "src" / "glasstree" / "openloop" / "classifier.py"


def code_of(learner: str) -> str:
    """Return the digest of what decides a learner's figures."""
    files = [HERE / "tables" / name for name in ("data.py", "rivals.py")]
    files += (HERE / name for name in FILES.get(learner, ()))
    return digest([*files, *(sources(OWN) if learner == "glasstree" else ())])


def measure(name: str, learner: str) -> dict[str, Any]:
    """Return the mean figures of a learner over the folds of a table."""
    X, y = read(name)
    rows = []
    for train, test in StratifiedKFold(FOLDS, shuffle=True, random_state=0).split(X, y):
        started = process_time()
        found = answer(learner, X.iloc[train], y[train], X.iloc[test])
        seconds = process_time() - started
        scores = [
            score(y[test], found.labels) for score in (accuracy_score, balanced_accuracy_score)
        ]
        rows.append([*scores, np.nan if found.symbols is None else found.symbols, seconds])
    accuracy, balanced, symbols, seconds = np.mean(rows, axis=0).tolist()
    return {
        "table": name,
        "learner": learner,
        "code": code_of(learner),
        "accuracy": accuracy,
        "balanced": balanced,
        "seconds": seconds,
        "symbols": None if np.isnan(symbols) else symbols,
    }


def kept() -> dict[tuple[str, str], dict[str, Any]]:
    """Return what was measured by the present code."""
    lines = KEPT.read_text(encoding="utf-8").splitlines() if KEPT.exists() else []
    cells = [json.loads(line) for line in lines]
    return {
        (cell["table"], cell["learner"]): cell
        for cell in cells
        if cell["learner"] in LEARNERS and cell["code"] == code_of(cell["learner"])
    }


def summary(cells: dict[tuple[str, str], dict[str, Any]], names: list[str]) -> tuple[str, str]:
    """Return the table of learners and that of tables."""
    learners = [one for one in LEARNERS if all((name, one) in cells for name in names)]
    every = np.array([[cells[name, one]["balanced"] for one in learners] for name in names])
    ranks = mean_ranks(every)
    trees = [one for one in TREES if one in learners]
    among = dict(
        zip(trees, mean_ranks(every[:, [learners.index(one) for one in trees]]), strict=True)
    )
    rows = []
    for one, rank in zip(learners, ranks, strict=True):
        own = [cells[name, one] for name in names]
        figures = [
            f"{100 * np.mean([c[key] for c in own]):.2f}" for key in ("balanced", "accuracy")
        ]
        symbols = "" if own[0]["symbols"] is None else f"{np.mean([c['symbols'] for c in own]):.1f}"
        seconds = f"{np.mean([c['seconds'] for c in own]):.2f}"
        place = f"{among[one]:.2f}" if one in among else ""
        rows.append([one, f"{rank:.2f}", place, *figures, symbols, seconds])
    head = ["learner", "rank", "among trees", "balanced", "accuracy", "symbols", "seconds"]
    difference = critical_difference(len(names), len(learners))
    plot(learners, ranks, difference, HERE.parent / "docs" / "table_ranks.svg")
    told = (
        f"\n\n{len(names)} tables; mean ranks differ if by {difference:.2f}; that all are alike "
        f"has a probability of {chance(every):.1e} (Friedman). "
    )
    told += beaten({n: {one: cells[n, one]["balanced"] for one in trees} for n in names})
    lines = [
        [name, *(f"{100 * cells[name, one]['balanced']:.1f}" for one in learners)] for name in names
    ]
    return table(head, rows) + told, table(["table", *learners], lines)


def beaten(figures: dict[str, dict[str, float]]) -> str:
    """Name the tables on which another single tree is better than ours, and which one.

    figures: balanced accuracies of each tree, by table.

    >>> beaten({"iris": {"glasstree": 0.9, "CART": 0.95}, "wine": {"glasstree": 0.9, "CART": 0.9}})
    'Another single tree is better on 1 of 2 tables: iris (CART).'
    """
    best = {name: max(own, key=lambda one: own[one]) for name, own in figures.items()}
    lost = [
        f"{name} ({best[name]})"
        for name, own in figures.items()
        if round(own[best[name]], 6) > round(own["glasstree"], 6)
    ]
    named = f": {', '.join(lost)}" if lost else ""
    return f"Another single tree is better on {len(lost)} of {len(figures)} tables{named}."


def main() -> None:
    """Measure what is missing, print both tables, and put them into a page if asked to."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("tables", nargs="*", metavar="TABLE")
    parser.add_argument("--learners", default=",".join(LEARNERS))
    parser.add_argument("--docs", type=Path)
    words = parser.parse_args()
    names = words.tables or list(TABLES)
    KEPT.parent.mkdir(exist_ok=True)
    cells = kept()
    for learner in words.learners.split(","):
        for name in names:
            if (name, learner) not in cells:
                cell = cells[name, learner] = measure(name, learner)
                with KEPT.open("a", encoding="utf-8") as file:
                    file.write(json.dumps(cell) + "\n")
                print(name, learner, f"{cell['balanced']:.3f}", cell["symbols"], flush=True)
    learners, tables = summary(cells, names)
    print(learners, tables, sep="\n\n")
    if words.docs:
        put(words.docs, "ranks", learners)
        put(words.docs, "tables", tables)


if __name__ == "__main__":
    main()
