"""Rivals' policies as people read them: nested if-then-else, as glasstree prints its own."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from glasstree.policy.arrays import Floats
from glasstree.policy.formula import Formula, Units, alone
from glasstree.policy.notation import interval

DIGITS = 4
INDENT = "    "


@dataclass(frozen=True)
class PlainStyle:
    """Lines in plain text."""

    names: Sequence[str]
    at_most: str = "<="
    at_least: str = ">="

    def number(self, value: float) -> str:
        """Write a number in a few digits."""
        return f"{value:.{DIGITS}g}"

    def base(self, variable: int, shift: float, units: Units) -> str:
        """Write a variable."""
        return self.names[variable]

    def product(self, coefficient: str, factors: list[tuple[str, int]]) -> str:
        """Write a coefficient and a variable."""
        return " ".join([*([coefficient] if coefficient else []), *(base for base, _ in factors)])

    def modulus(self, inside: str) -> str:
        """Write an absolute value with bars."""
        return f"|{inside}|"


def line(coefficients: Floats, threshold: float) -> Formula:
    """Return coefficients . x <= threshold as glasstree writes its own lines."""
    used = np.flatnonzero(coefficients)
    exponents = np.eye(len(coefficients), dtype=np.int64)[used]
    shifts = np.zeros(len(coefficients))
    return alone(Formula(exponents, coefficients[used], shifts, -threshold, None, "original"))


def condition(coefficients: Floats, threshold: float, names: Sequence[str]) -> str:
    """Print coefficients . x <= threshold.

    >>> condition(np.array([0.5, -2.0]), 1.0, ("x", "y"))
    '0.25 x - y <= 0.5'
    """
    return interval(replace(line(coefficients, threshold), digits=DIGITS), PlainStyle(names))


def weighted_sum(weights: Floats, constant: float, names: Sequence[str]) -> str:
    """Print weights . x + constant.

    >>> weighted_sum(np.array([0.5, 0.0, -2.0]), -1.0, ("x", "y", "z"))
    '0.5 x - 2 z - 1'
    """
    parts = [(w, f"{abs(w):.{DIGITS}g} {n}") for w, n in zip(weights, names, strict=True) if w]
    parts += [(constant, f"{abs(constant):.{DIGITS}g}")] if constant or not parts else []
    first = ("-" if parts[0][0] < 0 else "") + parts[0][1]
    return first + "".join(f" {'-' if w < 0 else '+'} {word}" for w, word in parts[1:])


def sum_symbols(weights: Floats, constant: float) -> int:
    """Count what `weighted_sum` prints: numbers, variables, and the signs between them.

    >>> sum_symbols(np.array([0.5, 0.0, -2.0]), -1.0)  # 0.5 * x - 2 * z - 1
    9
    """
    used = int(np.count_nonzero(weights))
    return 4 * used - 1 + 2 * bool(constant) if used else 1


def nested(
    left: Sequence[int],
    right: Sequence[int],
    when: Callable[[int], str],
    leaf: Callable[[int], str],
    node: int,
) -> list[str]:
    """Print a node and all below it; a leaf has -1 for its children."""
    if left[node] == -1:
        return [leaf(node)]
    sides = [nested(left, right, when, leaf, child) for child in (left[node], right[node])]
    return [
        f"if {when(node)}:",
        *(INDENT + words for words in sides[0]),
        "else:",
        *(INDENT + words for words in sides[1]),
    ]
