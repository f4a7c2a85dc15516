"""One cell of classification: a contender on a known table, 10-fold, repeated with other folds."""

from collections.abc import Callable
from time import process_time
from typing import Any

import numpy as np
from sklearn.datasets import load_breast_cancer, load_digits, load_iris, load_wine
from sklearn.model_selection import StratifiedKFold

from glasstree.data import Dataset
from glasstree.policy.arrays import Floats, Ints

from .cells import Contest, Figures
from .measure import MOST
from .rivals import RIVALS, Sized

Table = tuple[Floats, Ints]
FOLDS = 10
FOLDED = "folds"
SIZES: dict[str, tuple[int, ...]] = {
    "glasstree": (0, 1, 2, 3, 9),  # 0: as left-out samples choose, 9: the best of the front
    "cart": (2, 4, 8, 16),
    "oblique": (1, 2, 3),
    "oblique3": (1, 2, 3),
    "streed": (1, 2, 3),
    "figs": (1, 3, 7, 15),
    "soft": (1, 2),
    "crisp": (2, 3),
    "gplearn": (3,),
    "network": (64,),
}


def pair(first: int, second: int) -> Table:
    """Return two of the ten digits."""
    pixels, digits = load_digits(return_X_y=True)
    chosen = np.isin(digits, (first, second))
    return pixels[chosen], (digits[chosen] == second).astype(np.int64)


TABLES: dict[str, Callable[[], Table]] = {
    "iris": lambda: load_iris(return_X_y=True),
    "wine": lambda: load_wine(return_X_y=True),
    "cancer": lambda: load_breast_cancer(return_X_y=True),
    "digits-0-1": lambda: pair(0, 1),
    "digits-3-8": lambda: pair(3, 8),
    "digits-4-9": lambda: pair(4, 9),
}


class Names:
    """What a printed policy calls the columns and classes of a table."""

    def __init__(self, width: int, classes: int) -> None:
        self.state_names = tuple(f"x{number}" for number in range(width))
        self.action_names = tuple(str(number) for number in range(classes))


def table_cells(names: list[str], rivals: list[str], seeds: range, quick: bool) -> list[Contest]:
    """Return the cells of tables, one repetition after another; quick ones are few."""
    return [
        Contest(name, rival, size, FOLDED, seed)
        for seed in seeds
        for name in names
        for rival in rivals
        for size in SIZES.get(rival, ())[: 2 if quick else None]
    ]


def classify(cell: Contest) -> Figures:
    """Return the mean figures over the folds of one repetition, and the accuracy of each fold.

    The text is that of the first fold.
    """
    X, y = TABLES[cell.task]()
    folds = StratifiedKFold(FOLDS, shuffle=True, random_state=cell.seed)
    rows, first = [], ""
    if cell.rival in RIVALS:
        RIVALS[cell.rival].unpack()
    started = process_time()
    for train, test in folds.split(X, y):
        model: Any = fitted(cell, Dataset.of(X[train], y[train], int(y.max()) + 1))
        accuracy = float((model.actions(np.ascontiguousarray(X[test])) == y[test]).mean())
        rows.append([accuracy, model.splits, model.occurrences, model.complexity])
        if not first and model.complexity <= MOST:
            first = model.text(Names(X.shape[1], int(y.max()) + 1))
    seconds = (process_time() - started) / FOLDS
    names = ("accuracy", "splits", "occurrences", "complexity")
    figures = dict(zip(names, np.mean(rows, axis=0).tolist(), strict=True))
    every = {"folds": [row[0] for row in rows]}
    return {**figures, **every, "seconds": seconds, **({"text": first} if first else {})}


def fitted(cell: Contest, data: Dataset) -> Sized:
    """Fit a contender to a table."""
    if cell.rival == "glasstree":
        from .estimator import fit

        return fit(data, cell.size, cell.seed)
    rival = RIVALS[cell.rival]
    assert rival.fit is not None
    return rival.fit(data, cell.size, cell.seed)
