"""How much there is to read: the symbols of a policy as it is printed in original units."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from glasstree.policy.formula import Formula, Units, formula
from glasstree.policy.notation import interval

if TYPE_CHECKING:
    from glasstree.policy.tree import PolicyTree

SYMBOL = "s"


@dataclass(frozen=True)
class CountingStyle:
    """Writes one letter for every variable, number, operator and comparison."""

    at_most: str = SYMBOL
    at_least: str = SYMBOL

    def number(self, value: float) -> str:
        """Write a number as one symbol."""
        return SYMBOL

    def base(self, variable: int, shift: float, units: Units) -> str:
        """Write a variable, or a variable, a sign and a number."""
        return 3 * SYMBOL if shift and units == "original" else SYMBOL

    def product(self, coefficient: str, factors: list[tuple[str, int]]) -> str:
        """Write factors with a sign between any two; a power is a sign and a number."""
        above = [base for base, exponent in factors if exponent > 0]
        signs = len(factors) - 1 + bool(coefficient or not above)
        powers = 2 * sum(abs(exponent) != 1 for _, exponent in factors)
        written = [coefficient or ("" if above else SYMBOL), *(base for base, _ in factors)]
        return "".join(written) + (signs + powers) * SYMBOL

    def modulus(self, inside: str) -> str:
        """Write the bars as one symbol."""
        return SYMBOL + inside


def complexity(tree: "PolicyTree") -> int:
    """Count variables, numbers, operators and comparisons of all rules, and actions of leaves.

    A leaf is one symbol, or as many as there are controls where actions are continuous.
    """
    rules = (formula(split.rule, tree.scaling, "original") for split in tree.splits())
    width = 1 if tree.levels is None else tree.levels.shape[1]
    return symbols(rules) + width * len(tree.leaves())


def symbols(rules: Iterable[Formula]) -> int:
    """Count what is read in rules that are written out; the sign of a number is part of it.

    >>> import numpy as np
    >>> weights, shifts = np.array([1.0, 0.04]), np.zeros(2)
    >>> line = Formula(np.eye(2, dtype=int), weights, shifts, 0.0, None, "original")
    >>> symbols([line])  # x + 0.04 y <= 0
    7
    """
    style = CountingStyle()
    return sum(map(_letters, (interval(rule, style) for rule in rules)))


def _letters(written: str) -> int:
    operators = written.count(" + ") + written.count(" - ")
    return operators + written.count(SYMBOL)
