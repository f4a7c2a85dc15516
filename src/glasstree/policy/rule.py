"""One split: a sum of at most a few power-law terms, possibly inside a modulus.

docs/algorithm.md, section 1.
"""

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike

from glasstree.policy.arrays import Floats, Ints, frozen

if TYPE_CHECKING:
    from glasstree.policy.scaling import Scaling


def power(base: Floats, exponent: int) -> Floats:
    """Raise to an integer power by products, the way that every export does.

    >>> power(np.array([2.0]), -2)
    array([0.25])
    """
    product = np.ones_like(base)
    for _ in range(abs(exponent)):
        product = product * base
    return 1.0 / product if exponent < 0 else product


@dataclass(frozen=True, eq=False)
class Rule:
    """f(x) = sum_i w_i prod_j x_j^b_ij + bias, or |that| - width; f <= 0 goes left.

    exponents: (terms, variables), weights: (terms,). The x_j are normalised, or, in a raw rule,
    the values as they are, without limits; so a raw rule divides by none of them.

    >>> Rule([[1, 0], [0, -2]], [0.5, -1.0], 0.25).value([[1.0, 2.0]])
    array([0.5])
    """

    exponents: Ints
    weights: Floats
    bias: float
    width: float | None = None
    raw: bool = False

    def __init__(
        self,
        exponents: ArrayLike,
        weights: ArrayLike,
        bias: float,
        width: float | None = None,
        raw: bool = False,
    ) -> None:
        object.__setattr__(self, "exponents", frozen(exponents, np.int64))
        object.__setattr__(self, "weights", frozen(weights, np.float64))
        object.__setattr__(self, "bias", float(bias))
        object.__setattr__(self, "width", None if width is None else abs(float(width)))
        object.__setattr__(self, "raw", bool(raw))
        if self.exponents.ndim != 2 or self.weights.shape != (len(self.exponents),):
            raise ValueError("a rule needs (terms, variables) exponents and one weight per term")
        if not np.isfinite([*self.weights, self.bias, self.width or 0.0]).all():
            raise ValueError("weights, bias and width of a rule must be finite")
        if self.raw and (self.exponents < 0).any():
            raise ValueError("a rule over raw values cannot divide by them")

    @property
    def modulus(self) -> bool:
        """Whether the sum stands inside an absolute value."""
        return self.width is not None

    @property
    def length(self) -> int:
        """Number of non-zero exponents: the paper's F_U (Eq. 5)."""
        return int(np.count_nonzero(self.exponents))

    @property
    def n_terms(self) -> int:
        """Number of power-law terms."""
        return len(self.weights)

    def variables(self, states: Floats, scaling: "Scaling") -> Floats:
        """Return what the rule reads of (n, variables) states: normalised ones, or themselves."""
        return states if self.raw else scaling.normalise(states)

    def terms(self, variables: ArrayLike) -> Floats:
        """Evaluate the power laws: (n, variables) to (n, terms)."""
        states = np.asarray(variables, dtype=np.float64)
        columns = np.ones((len(states), self.n_terms))
        for term, row in enumerate(self.exponents):
            for variable in np.flatnonzero(row):
                columns[:, term] *= power(states[:, variable], int(row[variable]))
        return columns

    def value(self, variables: ArrayLike) -> Floats:
        """Evaluate f on (n, variables) that the rule reads (Eq. 3)."""
        terms = self.terms(variables)
        total = np.zeros(len(terms))
        for weight, column in zip(self.weights, terms.T, strict=True):
            total = total + weight * column
        total = total + self.bias
        return total if self.width is None else np.abs(total) - self.width

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Rule) and self._key() == other._key()

    def __hash__(self) -> int:
        return hash(self._key())

    def _key(self) -> tuple[object, ...]:
        return (
            self.exponents.shape,
            self.exponents.tobytes(),
            self.weights.tobytes(),
            self.bias,
            self.width,
            self.raw,
        )
