"""Formulas as people write them, in any notation."""

from dataclasses import replace
from typing import Protocol

import numpy as np

from glasstree.policy.formula import (
    MOST_DIGITS,
    Formula,
    Units,
    as_it_is,
    formula,
    scaled,
    significant,
)
from glasstree.policy.rule import Rule
from glasstree.policy.scaling import Scaling


class Style(Protocol):
    """How a notation writes the parts of a formula."""

    @property
    def at_most(self) -> str:
        """The sign of <=."""
        ...

    @property
    def at_least(self) -> str:
        """The sign of >=."""
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


def total(formula: Formula, style: Style, constant: bool = True) -> str:
    """Write the sum of the terms, with the constant last if it is wanted."""
    pieces = [
        (coefficient, _term(formula, style, term))
        for term, coefficient in enumerate(formula.coefficients.tolist())
    ]
    if constant and (formula.constant != 0 or not pieces):
        pieces.append((formula.constant, _number(abs(formula.constant), formula, style)))
    if not pieces:
        return style.number(0.0)
    written = ("-" if pieces[0][0] < 0 else "") + pieces[0][1]
    for sign, piece in pieces[1:]:
        written += f" {'-' if sign < 0 else '+'} {piece}"
    return written


def condition(formula: Formula, style: Style) -> str:
    """Write when the rule goes left: sum <= bound, or |sum| <= width."""
    if formula.width is not None:
        inside = style.modulus(total(formula, style))
        return f"{inside} {style.at_most} {_number(formula.width, formula, style)}"
    bound = _number(-formula.constant, formula, style)
    return f"{total(formula, style, constant=False)} {style.at_most} {bound}"


def readable(rule: Rule, scaling: Scaling, units: Units, style: Style) -> str:
    """Write when a rule goes left: as it is in normalised variables, else as people do."""
    written = formula(rule, scaling, units)
    if units == "normalised" and not rule.raw:
        return condition(written, style)
    return interval(written, style)


def is_flipped(formula: Formula) -> bool:
    """Tell whether a rule is better read with all signs turned: most of them are minus."""
    negative = formula.coefficients < 0
    return 2 * int(negative.sum()) + bool(negative[:1].any()) > len(negative)


def interval(formula: Formula, style: Style) -> str:
    """Write when the rule goes left, positive terms first, a modulus as a double inequality."""
    flipped = is_flipped(formula)
    formula = _positive_first(scaled(formula, -1.0) if flipped else formula)
    inside = total(formula, style, constant=False)
    if formula.width is not None and formula.constant == 0:
        return condition(formula, style)
    high = _number(-formula.constant + (formula.width or 0.0), formula, style)
    if formula.width is None:
        return f"{inside} {style.at_least if flipped else style.at_most} {high}"
    low = _number(-formula.constant - formula.width, formula, style)
    return f"{low} {style.at_most} {inside} {style.at_most} {high}"


def _positive_first(formula: Formula) -> Formula:
    order = np.argsort(formula.coefficients < 0, kind="stable")
    return replace(
        formula, exponents=formula.exponents[order], coefficients=formula.coefficients[order]
    )


def one_sided(formula: Formula, style: Style) -> str:
    """Write the rule as the paper does, with everything on one side."""
    if formula.width is None:
        return f"{total(formula, style)} {style.at_most} 0"
    inside = style.modulus(total(formula, style))
    return f"{inside} - {_number(formula.width, formula, style)} {style.at_most} 0"


def terms(rule: Rule, digits: int, style: Style) -> list[str]:
    """Write each term of a rule in the variables that it reads, with its sign."""
    written = replace(as_it_is(rule, "original" if rule.raw else "normalised"), digits=digits)
    return [
        ("-" if weight < 0 else "") + _term(written, style, term)
        for term, weight in enumerate(rule.weights.tolist())
    ]


def _number(value: float, formula: Formula, style: Style) -> str:
    # sums of short decimals come out short
    shown = significant(value, min(formula.digits, MOST_DIGITS - 2))
    return ("-" if shown < 0 else "") + style.number(abs(shown))


def _term(formula: Formula, style: Style, term: int) -> str:
    row = formula.exponents[term]
    factors = []
    for variable in np.flatnonzero(row).tolist():
        shift = significant(float(formula.shifts[variable]), formula.digits)
        factors.append((style.base(variable, shift, formula.units), int(row[variable])))
    size = significant(abs(float(formula.coefficients[term])), formula.digits)
    return style.product("" if size == 1.0 else style.number(size), factors)
