"""Rules as people write them: in normalised or original units, with sensibly few digits."""

from dataclasses import dataclass, replace
from decimal import Decimal
from typing import Literal, Protocol

import numpy as np

from glasstree.policy import Rule, Scaling
from glasstree.policy.arrays import Floats, Ints

Units = Literal["normalised", "original"]
FEWEST_DIGITS, MOST_DIGITS = 3, 17
SAMPLES = 4096
TOLERATED = 0.001


@dataclass(frozen=True)
class Formula:
    """sum_i c_i prod_j (v_j + shift_j)^b_ij + constant, inside a modulus where a width is set.

    The v_j are normalised or original variables; exponents: (terms, variables).
    """

    exponents: Ints
    coefficients: Floats
    shifts: Floats
    constant: float
    width: float | None
    units: Units

    def holds(self, variables: Floats) -> Floats:
        """Tell for (n, variables) values which of them satisfy the rule."""
        with np.errstate(all="ignore"):
            powers = (variables + self.shifts)[:, np.newaxis, :] ** self.exponents.astype(float)
            total = powers.prod(axis=2) @ self.coefficients + self.constant
        result: Floats = (total if self.width is None else np.abs(total) - self.width) <= 0
        return result

    def rounded(self, digits: int) -> "Formula":
        """Return the formula with so many significant digits."""
        return replace(
            self,
            coefficients=np.array([significant(value, digits) for value in self.coefficients]),
            shifts=np.array([significant(value, digits) for value in self.shifts]),
            constant=significant(self.constant, digits),
            width=None if self.width is None else significant(self.width, digits),
        )


class Style(Protocol):
    """How a notation writes the parts of a formula."""

    @property
    def at_most(self) -> str:
        """The sign of <=."""
        ...

    def number(self, value: float) -> str:
        """Write a number."""
        ...

    def base(self, variable: int, shift: float, units: Units) -> str:
        """Write a variable with its shift, ready for an exponent."""
        ...

    def product(self, coefficient: str, factors: list[tuple[str, int]]) -> str:
        """Write a product of powers; the coefficient is empty where it is one."""
        ...

    def modulus(self, inside: str) -> str:
        """Write an absolute value."""
        ...


def significant(value: float, digits: int) -> float:
    """Round to significant digits.

    >>> significant(0.012345, 3)
    0.0123
    """
    return float(f"{value:.{digits - 1}e}")


def formula(rule: Rule, scaling: Scaling, units: Units) -> Formula:
    """Write a rule in one kind of units, with as few digits as keep its decisions."""
    exact = _normalised(rule) if units == "normalised" else _original(rule, scaling)
    generator = np.random.default_rng(0)
    variables = generator.uniform(1.0, 2.0, (SAMPLES, rule.exponents.shape[1]))
    if exact.units == "original":
        variables = scaling.minimum + (variables - 1.0) * scaling.span
    wanted = exact.holds(variables)
    for digits in range(FEWEST_DIGITS, MOST_DIGITS):
        shorter = exact.rounded(digits)
        if np.mean(shorter.holds(variables) != wanted) <= TOLERATED:
            return shorter
    return exact


def is_linear(rule: Rule) -> bool:
    """Tell whether every term is one variable to the power of one, or a constant."""
    return bool(((rule.exponents == 0) | (rule.exponents == 1)).all()) and bool(
        (rule.exponents.sum(axis=1) <= 1).all()
    )


def _normalised(rule: Rule) -> Formula:
    shifts = np.zeros(rule.exponents.shape[1])
    return _gathered(
        Formula(rule.exponents, rule.weights, shifts, rule.bias, rule.width, "normalised")
    )


def _original(rule: Rule, scaling: Scaling) -> Formula:
    """Substitute (v + shift) / span for each normalised v; a constant variable is one."""
    varying = scaling.span > 0
    exponents = np.where(varying, rule.exponents, 0)
    span = np.where(varying, scaling.span, 1.0)
    shifts = np.where(varying, span - scaling.minimum, 0.0)
    with np.errstate(all="ignore"):
        coefficients = rule.weights * np.prod(span ** (-exponents.astype(float)), axis=1)
    usable = np.isfinite(coefficients) & ((coefficients != 0) | (rule.weights == 0))
    if not usable.all() or not np.isfinite(shifts).all():
        return _normalised(rule)
    constant = rule.bias
    if is_linear(rule):
        constant += float(sum(coefficients @ exponents * shifts))
        shifts = np.zeros_like(shifts)
    return _gathered(Formula(exponents, coefficients, shifts, constant, rule.width, "original"))


def _gathered(formula: Formula) -> Formula:
    """Add up terms with equal exponents, and drop those that vanish."""
    sums: dict[bytes, float] = {}
    rows: dict[bytes, Ints] = {}
    constant = formula.constant
    for row, coefficient in zip(formula.exponents, formula.coefficients, strict=True):
        if not row.any():
            constant += float(coefficient)
            continue
        key = row.tobytes()
        rows[key] = row
        sums[key] = sums.get(key, 0.0) + float(coefficient)
    kept = [key for key, value in sums.items() if value != 0.0]
    exponents = np.array([rows[key] for key in kept], dtype=np.int64)
    return replace(
        formula,
        exponents=exponents.reshape(len(kept), len(formula.shifts)),
        coefficients=np.array([sums[key] for key in kept]),
        constant=constant,
    )


def total(formula: Formula, style: Style, constant: bool = True) -> str:
    """Write the sum of the terms, with the constant last if it is wanted."""
    pieces = [
        (coefficient, _term(formula, style, term))
        for term, coefficient in enumerate(formula.coefficients.tolist())
    ]
    if constant and (formula.constant != 0 or not pieces):
        pieces.append((formula.constant, style.number(abs(formula.constant))))
    if not pieces:
        return "0"
    written = ("-" if pieces[0][0] < 0 else "") + pieces[0][1]
    for sign, piece in pieces[1:]:
        written += f" {'-' if sign < 0 else '+'} {piece}"
    return written


def condition(formula: Formula, style: Style) -> str:
    """Write when the rule goes left: sum <= bound, or |sum| <= width."""
    if formula.width is not None:
        inside = style.modulus(total(formula, style))
        return f"{inside} {style.at_most} {style.number(formula.width)}"
    bound = signed(-formula.constant, style)
    return f"{total(formula, style, constant=False)} {style.at_most} {bound}"


def interval(formula: Formula, style: Style) -> str:
    """Write when the rule goes left, a modulus as a double inequality."""
    if formula.width is None:
        return condition(formula, style)
    flipped = len(formula.coefficients) > 0 and formula.coefficients[0] < 0
    sign = -1.0 if flipped else 1.0
    low = signed(-_sum(sign * formula.constant, formula.width), style)
    high = signed(_sum(formula.width, -sign * formula.constant), style)
    formula = replace(formula, coefficients=sign * formula.coefficients)
    inside = total(formula, style, constant=False)
    return f"{low} {style.at_most} {inside} {style.at_most} {high}"


def signed(value: float, style: Style) -> str:
    """Write a number with its sign."""
    return ("-" if value < 0 else "") + style.number(abs(value))


def _sum(first: float, second: float) -> float:
    """Add as on paper, so that 0.67 - 0.24 is 0.43."""
    return float(Decimal(repr(first)) + Decimal(repr(second)))


def _term(formula: Formula, style: Style, term: int) -> str:
    row = formula.exponents[term]
    factors = [
        (style.base(variable, float(formula.shifts[variable]), formula.units), int(row[variable]))
        for variable in np.flatnonzero(row).tolist()
    ]
    size = abs(float(formula.coefficients[term]))
    return style.product("" if size == 1.0 else style.number(size), factors)
