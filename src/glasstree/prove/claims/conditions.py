"""Where a condition holds: surely or possibly in boxes, exactly in one state."""

from fractions import Fraction

import numpy as np

from glasstree.policy.arrays import Bools, Floats
from glasstree.prove.claims.syntax import (
    All,
    Condition,
    Expression,
    Modulus,
    Negative,
    Not,
    Number,
    Product,
    Some,
    Sum,
    Variable,
)
from glasstree.prove.vectors import Intervals


def values(expression: Expression, states: Intervals) -> Intervals:
    """Return the ranges of an expression over (n, variables) boxes."""
    match expression:
        case Number(value):
            near = float(value)
            if Fraction(near) == value:
                return Intervals.of(near)
            return Intervals.of(np.nextafter(near, -np.inf), np.nextafter(near, np.inf))
        case Variable(index):
            return Intervals(states.low[:, index], states.high[:, index])
        case Sum(first, second):
            return values(first, states) + values(second, states)
        case Product(first, second):
            return values(first, states) * values(second, states)
        case Modulus(inner):
            return abs(values(inner, states))


def holds(condition: Condition, states: Intervals) -> tuple[Bools, Bools]:
    """Return where a condition surely and where it possibly holds in (n, variables) boxes."""
    match condition:
        case Negative(expression, strict):
            found = values(expression, states)
            low = np.broadcast_to(found.low, len(states.low))
            high = np.broadcast_to(found.high, len(states.low))
            return (high < 0.0, low < 0.0) if strict else (high <= 0.0, low <= 0.0)
        case Not(inner):
            surely, possibly = holds(inner, states)
            return ~possibly, ~surely
        case All(parts):
            both = [holds(part, states) for part in parts]
            every = np.ones(len(states.low), dtype=np.bool_)
            return (
                np.logical_and.reduce([every, *(surely for surely, _ in both)]),
                np.logical_and.reduce([every, *(possibly for _, possibly in both)]),
            )
        case Some(parts):
            either = [holds(part, states) for part in parts]
            return (
                np.logical_or.reduce([surely for surely, _ in either]),
                np.logical_or.reduce([possibly for _, possibly in either]),
            )


def value_at(expression: Expression, state: Floats) -> Fraction:
    """Return an expression in one state, exactly."""
    match expression:
        case Number(value):
            return value
        case Variable(index):
            return Fraction(float(state[index]))
        case Sum(first, second):
            return value_at(first, state) + value_at(second, state)
        case Product(first, second):
            return value_at(first, state) * value_at(second, state)
        case Modulus(inner):
            return abs(value_at(inner, state))


def holds_at(condition: Condition, state: Floats) -> bool:
    """Return whether a condition holds in one state, exactly."""
    match condition:
        case Negative(expression, strict):
            value = value_at(expression, state)
            return value < 0 if strict else value <= 0
        case Not(inner):
            return not holds_at(inner, state)
        case All(parts):
            return all(holds_at(part, state) for part in parts)
        case Some(parts):
            return any(holds_at(part, state) for part in parts)


def variables_of(part: Condition | Expression) -> set[int]:
    """Return the variables that a condition or an expression reads."""
    match part:
        case Variable(index):
            return {index}
        case Number():
            return set()
        case Sum(first, second) | Product(first, second):
            return variables_of(first) | variables_of(second)
        case Modulus(inner) | Negative(inner):
            return variables_of(inner)
        case Not(negated):
            return variables_of(negated)
        case All(parts) | Some(parts):
            return set().union(*(variables_of(one) for one in parts))
