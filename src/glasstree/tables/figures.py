"""How right predictions are: labels class by class, quantities by their distances."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from glasstree.policy.arrays import Floats, Ints
from glasstree.tables.shares import Reliability


@dataclass(frozen=True, eq=False)
class Confusion:
    """How many rows of each class (first) were given each label (second): (classes, classes).

    >>> Confusion.of(["a", "a", "b"], ["a", "b", "b"]).counts.tolist()
    [[1, 1], [0, 1]]
    """

    names: tuple[str, ...]
    counts: Ints

    @classmethod
    def of(cls, labels: Sequence[str], predicted: Sequence[str]) -> "Confusion":
        """Count pairs of right and predicted labels."""
        names = sorted({*labels, *predicted})
        places = {name: place for place, name in enumerate(names)}
        counts = np.zeros((len(names), len(names)), dtype=np.int64)
        rows = [places[label] for label in labels]
        np.add.at(counts, (rows, [places[label] for label in predicted]), 1)
        return cls(tuple(names), counts)

    @property
    def rows(self) -> Ints:
        """Rows of each class."""
        result: Ints = self.counts.sum(axis=1)
        return result

    @property
    def accuracy(self) -> float:
        """Share of the rows that are right."""
        return float(self.counts.trace() / self.counts.sum())

    @property
    def recall(self) -> Floats:
        """Share of each class that is found; NaN where there is none of it."""
        with np.errstate(invalid="ignore"):
            return self.counts.diagonal() / self.rows

    @property
    def precision(self) -> Floats:
        """Share of each label's rows that are right; NaN where it is never given."""
        with np.errstate(invalid="ignore"):
            return self.counts.diagonal() / self.counts.sum(axis=0)

    @property
    def balanced_accuracy(self) -> float:
        """Mean recall of the classes that there are."""
        return float(np.nanmean(self.recall))

    @property
    def left_out(self) -> tuple[str, ...]:
        """Classes that are there and never predicted."""
        never = (self.counts.sum(axis=0) == 0) & (self.rows > 0)
        return tuple(name for name, one in zip(self.names, never, strict=True) if one)

    def figures(self) -> dict[str, Any]:
        """Return everything as plain data."""
        classes = zip(self.names, self.rows, self.precision, self.recall, strict=True)
        return {
            "accuracy": self.accuracy,
            "balanced_accuracy": self.balanced_accuracy,
            "classes": {
                name: {"rows": int(rows), "precision": _known(p), "recall": _known(r)}
                for name, rows, p, r in classes
            },
            "confusion": self.counts.tolist(),
        }


@dataclass(frozen=True, eq=False)
class Scored(Confusion):
    """The same, with how far shares can be relied on, where rules have any."""

    reliability: Reliability | None = None

    def figures(self) -> dict[str, Any]:
        """Return everything as plain data."""
        told = None if self.reliability is None else self.reliability.figures()
        return {**super().figures(), "reliability": told}


@dataclass(frozen=True)
class Distances:
    """How far predicted quantities are from the right ones.

    r2: the share of the variance that they explain.

    >>> Distances.of(np.array([1.0, 3.0]), np.array([1.0, 2.0]))
    Distances(rows=2, r2=0.5, mean_error=0.5, root_mean_square=0.7071067811865476)
    """

    rows: int
    r2: float
    mean_error: float
    root_mean_square: float

    @classmethod
    def of(cls, right: Floats, predicted: Floats) -> "Distances":
        """Compare (n,) quantities."""
        errors, spread = predicted - right, right - right.mean()
        squares, whole = float(errors @ errors), float(spread @ spread)
        explained = 1.0 - squares / whole if whole else float(squares == 0.0)
        mean = float(np.abs(errors).mean())
        return cls(len(right), explained, mean, float(np.sqrt(squares / len(right))))


def _known(value: float) -> float | None:
    return None if np.isnan(value) else float(value)
