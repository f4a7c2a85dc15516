"""What the upper level searches: the exponents of a rule and whether it has a modulus."""

from dataclasses import dataclass
from functools import cached_property
from math import gcd

import numpy as np
from numpy.typing import ArrayLike

from glasstree.openloop.lower.discriminants import ranked_groupings
from glasstree.policy.arrays import Floats, Ints
from glasstree.policy.complexity import symbols
from glasstree.policy.formula import Formula, alone


@dataclass(frozen=True, eq=False)
class Structure:
    """Exponents (terms, variables) in canonical order, and the modulus flag."""

    exponents: Ints
    modulus: bool

    @classmethod
    def of(cls, exponents: ArrayLike, modulus: bool) -> "Structure":
        """Return the canonical form: no empty or repeated terms, one order, one of each synonym.

        A single term is positive, so that any power of it splits the same way:

        >>> Structure.of([[-2, 4], [0, 0]], False).exponents
        array([[ 1, -2]])
        """
        table = np.atleast_2d(np.asarray(exponents, dtype=np.int64))
        rows = sorted({row for row in map(tuple, table.tolist()) if any(row)})
        if len(rows) == 1:
            divisor = gcd(*rows[0])
            sign = next(1 if value > 0 else -1 for value in rows[0] if value)
            rows = [tuple(sign * value // divisor for value in rows[0])]
        n_variables = table.shape[-1]
        return cls(np.array(rows, dtype=np.int64).reshape(len(rows), n_variables), bool(modulus))

    @property
    def length(self) -> int:
        """Number of non-zero exponents (F_U, Eq. 5)."""
        return int(np.count_nonzero(self.exponents))

    @property
    def size(self) -> int:
        """Sum of the exponents' magnitudes: breaks ties in favour of plain variables."""
        return int(np.abs(self.exponents).sum())

    @cached_property
    def symbols(self) -> int:
        """Number of symbols that its rule has in print, in original units.

        >>> Structure.of([[1, 0], [0, 1]], False).symbols  # x + 2 y <= 3
        7
        >>> Structure.of([[1, -2]], False).symbols  # (x + 1)/(y + 1)^2 <= 3
        11
        """
        n_terms, n_variables = self.exponents.shape
        is_line = bool(
            (np.abs(self.exponents).sum(axis=1) == 1).all() and self.exponents.min() >= 0
        )
        shifts = np.zeros(n_variables) if is_line else np.ones(n_variables)
        weights = np.arange(2.0, 2.0 + n_terms)
        width = 0.5 if self.modulus else None
        return symbols([alone(Formula(self.exponents, weights, shifts, 3.0, width, "original"))])

    @property
    def key(self) -> tuple[bytes, bool]:
        """What identifies the structure."""
        return self.exponents.tobytes(), self.modulus


@dataclass(frozen=True, eq=False)
class NodeData:
    """The states of one node, transposed for the kernels.

    columns: (variables, n) normalised, labels: (n,), sample_weights: (n,).
    """

    columns: Floats
    labels: Ints
    sample_weights: Floats
    n_classes: int

    def __len__(self) -> int:
        return len(self.labels)

    @cached_property
    def counts(self) -> Floats:
        """Weight of each class."""
        return np.bincount(self.labels, self.sample_weights, self.n_classes).astype(np.float64)

    @cached_property
    def groups(self) -> tuple[Ints, Ints]:
        """Ways to divide the classes in two, the most telling first; without and with modulus."""
        arguments = (self.columns, self.labels, self.sample_weights, self.counts)
        return ranked_groupings(*arguments, False), ranked_groupings(*arguments, True)

    def take(self, rows: Ints | np.ndarray[tuple[int], np.dtype[np.bool_]]) -> "NodeData":
        """Return the chosen samples."""
        return NodeData(
            np.ascontiguousarray(self.columns[:, rows]),
            self.labels[rows],
            self.sample_weights[rows],
            self.n_classes,
        )

    def merged(self, most: int) -> "NodeData":
        """Return the samples with all but the most frequent classes made one."""
        if self.n_classes <= most:
            return self
        codes = np.full(self.n_classes, most - 1)
        codes[np.argsort(-self.counts, kind="stable")[: most - 1]] = np.arange(most - 1)
        return NodeData(self.columns, codes[self.labels], self.sample_weights, most)

    def sample(self, size: int, generator: np.random.Generator) -> "NodeData":
        """Return about `size` samples, one class after the other.

        Rare classes are kept whole, weights make up for it.
        """
        if len(self) <= size:
            return self.take(np.argsort(self.labels, kind="stable"))
        chosen, factors = [], []
        floor = max(1, size // (4 * self.n_classes))
        for label in range(self.n_classes):
            rows = np.flatnonzero(self.labels == label)
            if not len(rows):
                continue
            count = min(len(rows), max(floor, round(size * len(rows) / len(self))))
            chosen.append(np.sort(generator.choice(rows, count, replace=False)))
            factors.append(np.full(count, len(rows) / count))
        rows = np.concatenate(chosen)
        part = self.take(rows)
        weights = part.sample_weights * np.concatenate(factors)
        return NodeData(part.columns, part.labels, weights, self.n_classes)


@dataclass(frozen=True)
class Solution:
    """The weights of a structure and the impurity that they reach."""

    weights: Floats
    bias: float
    width: float | None
    impurity: float
