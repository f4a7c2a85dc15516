"""The states that a claim is about: what was seen, unless somebody says otherwise."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from glasstree.errors import ClaimError
from glasstree.policy import PolicyTree
from glasstree.policy.arrays import Floats
from glasstree.prove.claims.language import Reader
from glasstree.prove.claims.syntax import All, Condition, Negative, Number, Product, Sum, Variable

ALWAYS = All(())


@dataclass(frozen=True)
class Range:
    """A box of states, and a condition that they meet besides."""

    low: Floats
    high: Floats
    condition: Condition = ALWAYS

    @property
    def middle(self) -> Floats:
        """The state in the middle."""
        return self.low / 2 + self.high / 2

    @property
    def width(self) -> Floats:
        """The width of each variable, 1 where it has none."""
        width = self.high - self.low
        return np.where(width > 0.0, width, 1.0)


def range_of(tree: PolicyTree, within: Sequence[str] = ()) -> Range:
    """Return what was seen, with the variables that are mentioned as wide as is said.

    A condition such as `x in [-1, 1]` or `x > 0` sets ends of a variable; any other is kept beside.
    """
    low, high = tree.scaling.minimum.copy(), tree.scaling.maximum.copy()
    others: list[Condition] = []
    for text in within:
        condition = Reader(text, tree.state_names, tree.action_names, tree.units).whole_condition()
        parts = condition.parts if isinstance(condition, All) else (condition,)
        for part in _flat(parts):
            strict = isinstance(part, Negative) and part.strict
            if not _set_end(part, low, high) or strict:
                others.append(part)
    for name, first, last in zip(tree.state_names, low, high, strict=True):
        if first > last:
            raise ClaimError(
                f"no {name} is within {', '.join(within)}: it would run from {first:g} to "
                f"{last:g}; give both ends, such as '{name} in [{last:g}, {first:g}]'"
            )
    return Range(low, high, All(tuple(others)))


def _flat(parts: Sequence[Condition]) -> list[Condition]:
    found: list[Condition] = []
    for part in parts:
        found += _flat(part.parts) if isinstance(part, All) else [part]
    return found


def _set_end(part: Condition, low: Floats, high: Floats) -> bool:
    """Set an end of a variable if the condition is one, such as x - 1 <= 0."""
    match part:
        case Negative(Sum(Variable(index), Number(value)), _):
            high[index] = float(-value)
        case Negative(Sum(Number(value), Product(Number(sign), Variable(index))), _) if sign == -1:
            low[index] = float(value)
        case _:
            return False
    return True
