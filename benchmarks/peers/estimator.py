"""glasstree on tables: its scikit-learn classifier as a contender."""

from time import process_time
from typing import Any

import numpy as np
from sklearn.model_selection import StratifiedKFold

from glasstree.data import Dataset
from glasstree.openloop.classifier import NLDTClassifier

from .cells import Contest, Figures
from .origins import OURS
from .readable import Readable
from .tables import FOLDS, TABLES, classify

AUTOMATIC = 0  # the size that left-out samples choose
FRONT = 9  # the best tree of the front, by the samples that are held back for it
WITHIN = (5, 13, 29, 61, 125, 253)  # symbols of a CART of 2, 4, 8, 16, 32 and 64 leaves


def fit(data: Dataset, size: int, seed: int) -> Readable:
    """Grow a tree of a depth, or of the size that left-out samples choose."""
    model = NLDTClassifier(size or None, random_state=seed).fit(data.states, data.actions)
    return Readable(model.tree_)


def on_a_table(cell: Contest) -> Figures:
    """Return the figures of a cell of classification, whoever learns."""
    if (cell.rival, cell.size) == (OURS, FRONT):
        return fronts(cell)
    return classify(cell)


def fronts(cell: Contest) -> Figures:
    """Return the figures of the best tree of each fold's front, and of those within few symbols.

    A front is ordered by samples that it held back from its training set, so that nothing is
    picked by the test samples.
    """
    X, y = TABLES[cell.task]()
    rows: dict[int, list[tuple[float, Readable]]] = {most: [] for most in (*WITHIN, FRONT)}
    started = process_time()
    splits = StratifiedKFold(FOLDS, shuffle=True, random_state=cell.seed).split(X, y)
    for train, test in splits:
        model = NLDTClassifier(front=True, random_state=cell.seed).fit(X[train], y[train])
        for most, found in rows.items():
            row = model.front_[-1] if most == FRONT else model.front_.pick(most)
            policy = Readable(row.tree)
            found.append((float((policy.actions(X[test]) == y[test]).mean()), policy))
    seconds = (process_time() - started) / FOLDS
    within = [{"size": most, **_means(rows[most])} for most in WITHIN]
    return {**_means(rows[FRONT]), "within": within, "seconds": seconds}


def _means(found: list[tuple[float, Readable]]) -> dict[str, Any]:
    names = ("splits", "occurrences", "complexity")
    sizes = {name: float(np.mean([getattr(one, name) for _, one in found])) for name in names}
    accuracies = [accuracy for accuracy, _ in found]
    first = found[0][1].text()
    return {"accuracy": float(np.mean(accuracies)), **sizes, "folds": accuracies, "text": first}
