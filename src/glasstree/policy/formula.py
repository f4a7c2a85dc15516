"""Rules as formulas: in normalised or original units, with sensibly few digits."""

from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Literal

import numpy as np

from glasstree.policy.arrays import Bools, Floats, Ints
from glasstree.policy.rule import Rule
from glasstree.policy.scaling import Scaling

Units = Literal["normalised", "original"]
FEWEST_DIGITS, MOST_DIGITS = 3, 17  # of numbers that are rounded for print
SHORT_DIGITS = 7  # numbers with no more of them are printed as they are
SAMPLES = 4096  # states on which rounding for print is tried
TOLERATED = 0.001  # share of them that may be decided otherwise by the printed numbers


@dataclass(frozen=True)
class Formula:
    """sum_i c_i prod_j (v_j + shift_j)^b_ij + constant, inside a modulus where a width is set.

    The v_j are normalised or original variables; exponents: (terms, variables). Numbers are
    exact; digits is how many of them are written.
    """

    exponents: Ints
    coefficients: Floats
    shifts: Floats
    constant: float
    width: float | None
    units: Units
    digits: int = MOST_DIGITS

    def holds(self, variables: Floats) -> Bools:
        """Tell for (n, variables) values which of them satisfy the rule."""
        with np.errstate(all="ignore"):
            powers = (variables + self.shifts)[:, np.newaxis, :] ** self.exponents.astype(float)
            total = powers.prod(axis=2) @ self.coefficients + self.constant
        result: Bools = total <= 0 if self.width is None else np.abs(total) <= self.width
        return result

    def finite(self) -> bool:
        """Tell whether all numbers are finite."""
        numbers = [*self.coefficients, *self.shifts, self.constant, self.width or 0.0]
        return bool(np.isfinite(numbers).all())

    def is_short(self) -> bool:
        """Tell whether no number has more than a few digits."""
        numbers = np.array([*self.coefficients, *self.shifts, self.constant, self.width or 0.0])
        short = np.array([significant(number, SHORT_DIGITS) for number in numbers])
        return bool(np.allclose(numbers, short, rtol=1e-13, atol=0.0))

    def rounded(self, digits: int) -> "Formula":
        """Return the formula with so many significant digits."""
        return replace(
            self,
            coefficients=np.array([significant(value, digits) for value in self.coefficients]),
            shifts=np.array([significant(value, digits) for value in self.shifts]),
            constant=significant(self.constant, digits),
            width=None if self.width is None else significant(self.width, digits),
        )


def significant(value: float, digits: int) -> float:
    """Round to significant digits.

    >>> significant(0.012345, 3)
    0.0123
    """
    return float(f"{value:.{digits - 1}e}")


@lru_cache(maxsize=4096)
def formula(rule: Rule, scaling: Scaling, units: Units) -> Formula:
    """Write a rule in one kind of units, with as few digits as keep its decisions.

    A raw rule is written as it is, whatever the units.
    """
    if rule.raw:
        return gathered(as_it_is(rule, "original"))
    if units == "normalised":
        return sensible(gathered(as_it_is(rule, "normalised")), scaling)
    return sensible(alone(original(rule, scaling)), scaling)


def as_raw(rule: Rule, scaling: Scaling) -> Rule:
    """Return a line over original units that stands for a line over normalised variables.

    Both decide alike where no variable is limited. One variable stands alone in it.
    """
    exact = alone(gathered(as_it_is(rule, "original")) if rule.raw else original(rule, scaling))
    if exact.units == "normalised" or exact.shifts.any():
        return rule
    first = np.argsort(np.abs(exact.coefficients) != 1.0, kind="stable")
    exponents, weights = exact.exponents[first], exact.coefficients[first]
    return Rule(exponents, weights, exact.constant, exact.width, raw=True)


def alone(formula: Formula) -> Formula:
    """Divide a rule so that one term stands alone, of a line as many as can: else the plainest.

    In a line these are the terms whose coefficients are alike, or the largest if none are.
    """
    if formula.units == "normalised" or not len(formula.coefficients):
        return formula
    sizes = np.abs(formula.coefficients)
    if (formula.exponents.sum(axis=1) == 1).all():
        shared = max(sizes.tolist(), key=lambda size: (np.count_nonzero(sizes == size), size))
        return divided(formula, shared) or formula
    plain = [(row < 0).any() for row in formula.exponents]
    return divided(formula, float(sizes[plain.index(min(plain))])) or formula


def sensible(exact: Formula, scaling: Scaling) -> Formula:
    """Choose the fewest digits that change at most one decision in a thousand.

    Numbers that are short already are written as they are.
    """
    if exact.is_short():
        return replace(exact, digits=SHORT_DIGITS)
    generator = np.random.default_rng(0)
    variables = generator.uniform(1.0, 2.0, (SAMPLES, len(exact.shifts)))
    if exact.units == "original":
        variables = scaling.minimum + (variables - 1.0) * scaling.span
    wanted = exact.holds(variables)
    for digits in range(FEWEST_DIGITS, MOST_DIGITS):
        shorter = exact.rounded(digits)
        if shorter.finite() and np.mean(shorter.holds(variables) != wanted) <= TOLERATED:
            return replace(exact, digits=digits)
    return exact


def divided(formula: Formula, divisor: float) -> Formula | None:
    """Divide the whole rule by a positive number; nothing if that is too much for floats."""
    with np.errstate(all="ignore"):
        changed = replace(
            formula,
            coefficients=formula.coefficients / divisor,
            constant=formula.constant / divisor,
            width=None if formula.width is None else formula.width / divisor,
        )
    return changed if changed.finite() and (changed.coefficients != 0).all() else None


def scaled(formula: Formula, factor: float) -> Formula:
    """Multiply the whole rule by a number that is not zero; the width keeps its sign."""
    return replace(
        formula,
        coefficients=formula.coefficients * factor,
        constant=formula.constant * factor,
        width=None if formula.width is None else formula.width * abs(factor),
    )


def is_linear(rule: Rule) -> bool:
    """Tell whether every term is one variable to the power of one, or a constant."""
    return bool(((rule.exponents == 0) | (rule.exponents == 1)).all()) and bool(
        (rule.exponents.sum(axis=1) <= 1).all()
    )


def as_it_is(rule: Rule, units: Units) -> Formula:
    shifts = np.zeros(rule.exponents.shape[1])
    return Formula(rule.exponents, rule.weights, shifts, rule.bias, rule.width, units)


def original(rule: Rule, scaling: Scaling) -> Formula:
    """Return a rule in original units, exactly.

    (v + shift) / span stands for each normalised v; a constant variable is one.
    """
    varying = scaling.span > 0
    exponents = np.where(varying, rule.exponents, 0)
    span = np.where(varying, scaling.span, 1.0)
    with np.errstate(all="ignore"):
        shifts = np.where(varying, span - scaling.minimum, 0.0)
        coefficients = rule.weights * np.prod(span ** (-exponents.astype(float)), axis=1)
        moved = float(np.sum(coefficients @ exponents * shifts))
    usable = np.isfinite(coefficients) & ((coefficients != 0) | (rule.weights == 0))
    if not usable.all() or not np.isfinite([*shifts, moved]).all():
        return gathered(as_it_is(rule, "normalised"))
    constant = rule.bias
    if is_linear(rule):
        constant += moved
        shifts = np.zeros_like(shifts)
    return gathered(Formula(exponents, coefficients, shifts, constant, rule.width, "original"))


def gathered(formula: Formula) -> Formula:
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
