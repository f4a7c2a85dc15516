"""Normalisation of states to [1, 2], learnt from the training set alone.

docs/algorithm.md, section 1.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from glasstree.errors import DataError
from glasstree.policy.arrays import Floats, frozen

LOWEST, HIGHEST = 0.5, 2.5  # half a range beyond [1, 2]: no value comes near to 0


@dataclass(frozen=True, eq=False)
class Scaling:
    """x-hat = 1 + (x - min) / (max - min), clipped to [0.5, 2.5]; a constant variable maps to 1.

    >>> Scaling([0.0, 3.0], [10.0, 3.0]).normalise([[5.0, 3.0], [99.0, 4.0]])
    array([[1.5, 1. ],
           [2.5, 1. ]])
    """

    minimum: Floats
    maximum: Floats

    def __init__(self, minimum: ArrayLike, maximum: ArrayLike) -> None:
        object.__setattr__(self, "minimum", frozen(minimum, np.float64))
        object.__setattr__(self, "maximum", frozen(maximum, np.float64))
        if self.minimum.ndim != 1 or self.minimum.shape != self.maximum.shape:
            raise ValueError("a scaling needs one minimum and one maximum per variable")
        if not np.isfinite([self.minimum, self.maximum]).all():
            raise ValueError("minimum and maximum must be finite")
        with np.errstate(over="ignore"):
            span = self.maximum - self.minimum
        if (span < 0).any() or not np.isfinite(span).all():
            raise ValueError("each maximum must be at least its minimum, with a finite difference")

    @classmethod
    def fit(cls, states: Floats) -> "Scaling":
        """Learn the ranges of (n, variables) states."""
        low, high = states.min(axis=0), states.max(axis=0)
        with np.errstate(over="ignore"):
            wide = np.flatnonzero(~np.isfinite(high - low))
        if len(wide):
            column = wide[0]
            raise DataError(
                f"column {column} runs from {low[column]:g} to {high[column]:g}, which is more "
                "than a number can hold; rescale it or remove the outliers"
            )
        return cls(low, high)

    @property
    def span(self) -> Floats:
        """Maximum less minimum of each variable."""
        return self.maximum - self.minimum

    def normalise(self, states: ArrayLike) -> Floats:
        """Map (n, variables) states to normalised ones of the same shape."""
        array = np.asarray(states, dtype=np.float64)
        span = self.span
        constant = span == 0
        with np.errstate(over="ignore"):
            scaled = 1.0 + (array - self.minimum) / np.where(constant, 1.0, span)
        clipped: Floats = np.clip(scaled, LOWEST, HIGHEST)
        clipped[:, constant] = 1.0
        return clipped

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, Scaling)
            and np.array_equal(self.minimum, other.minimum)
            and np.array_equal(self.maximum, other.maximum)
        )

    def __hash__(self) -> int:
        return hash((self.minimum.tobytes(), self.maximum.tobytes()))
