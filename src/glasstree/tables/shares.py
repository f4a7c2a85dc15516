"""Shares of classes in a leaf, and how far they can be relied on."""

from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from glasstree.policy.arrays import Bools, Floats

TENTHS = 10  # into which shares are divided


def leaf_shares(counts: Any) -> Floats:
    """Return the shares of the classes in a leaf, one more sample of each being assumed.

    >>> leaf_shares((8.0, 0.0))
    array([0.9, 0.1])
    """
    smoothed: Floats = np.asarray(counts, dtype=np.float64) + 1.0
    return smoothed / smoothed.sum()


@dataclass(frozen=True)
class Tenth:
    """Rows whose labels were given about the same share: the mean of it, and of being right."""

    rows: int
    expected: float
    right: float


@dataclass(frozen=True)
class Reliability:
    """How often labels are right, by how often they were expected to be."""

    tenths: tuple[Tenth, ...]

    @classmethod
    def of(cls, shares: Floats, right: Bools) -> "Reliability":
        """Sort (n,) rows by the share of their label.

        >>> found = Reliability.of(np.array([0.95, 0.91, 0.6]), np.array([True, False, True]))
        >>> [tenth.rows for tenth in found.tenths], round(found.error, 4)
        ([1, 2], 0.42)
        """
        places = np.minimum((TENTHS * shares).astype(np.int64), TENTHS - 1)
        groups = [places == place for place in np.unique(places)]
        return cls(
            tuple(
                Tenth(int(own.sum()), float(shares[own].mean()), float(right[own].mean()))
                for own in groups
            )
        )

    @property
    def error(self) -> float:
        """Mean distance between what was expected and what is right, row by row."""
        distances = [tenth.rows * abs(tenth.expected - tenth.right) for tenth in self.tenths]
        return sum(distances) / sum(tenth.rows for tenth in self.tenths)

    def figures(self) -> dict[str, Any]:
        """Return everything as plain data."""
        return {"error": self.error, "tenths": [asdict(tenth) for tenth in self.tenths]}
