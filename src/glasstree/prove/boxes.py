"""What a tree may do somewhere in a box of states, in compiled intervals.

The kernels read the flat arrays of `policy/flat.py` and repeat its operations one by one, so that
the float64 value of a rule, not only the exact one, lies in the range that is found.
"""

import numpy as np

from glasstree.compiled import integer, integers, kernel, nothing, reals, reals2, tuple_of
from glasstree.policy.arrays import Floats, Ints
from glasstree.policy.flat import HEADER, MODULUS, RAW
from glasstree.policy.scaling import HIGHEST, LOWEST
from glasstree.tasks.intervals import (
    Interval,
    add,
    divide,
    exactly,
    interval,
    multiply,
    outward,
    power,
    subtract,
    times,
)

MOST_ACTIONS = 60  # sets of actions are bits of an integer
LEFT, RIGHT = 1, 2
ROUNDING = 2.0**-51  # of one operation, four times


@kernel(interval(integers, reals, integer, integer, reals, reals))
def base_range(
    program: Ints, numbers: Floats, kind: int, variable: int, low: Floats, high: Floats
) -> Interval:
    """Return what a rule reads of one variable: scaled and limited, or as it is."""
    values = Interval(low[variable], high[variable])
    if kind & RAW:
        return values
    span = numbers[program[0] + variable]
    if not span > 0.0:
        return exactly(1.0)
    shifted = subtract(values, exactly(numbers[variable]))
    scaled = add(exactly(1.0), divide(shifted, exactly(span)))
    return Interval(min(max(scaled.low, LOWEST), HIGHEST), min(max(scaled.high, LOWEST), HIGHEST))


@kernel(interval(integers, integer, reals, reals))
def term_range(program: Ints, term: int, low: Floats, high: Floats) -> Interval:
    """Return the range of a power law over what its rule reads of each variable."""
    n_splits, n_terms, n_factors = program[1], program[2], program[3]
    factor_start = HEADER + 3 * n_splits + n_splits + 1
    variables = factor_start + n_terms + 1
    value = exactly(1.0)
    for factor in range(program[factor_start + term], program[factor_start + term + 1]):
        variable = program[variables + factor]
        exponent = program[variables + n_factors + factor]
        value = multiply(value, power(Interval(low[variable], high[variable]), exponent))
    return value


@kernel(interval(integers, reals, integer, reals, reals))
def sum_range(program: Ints, numbers: Floats, split: int, low: Floats, high: Floats) -> Interval:
    """Return the range of the weighted sum of a rule, term by term."""
    n_variables, n_splits, n_terms = program[0], program[1], program[2]
    term_start = HEADER + 3 * n_splits
    total = exactly(0.0)
    for term in range(program[term_start + split], program[term_start + split + 1]):
        weight = numbers[2 * n_variables + term]
        total = add(total, times(weight, term_range(program, term, low, high)))
    return add(total, exactly(numbers[2 * n_variables + n_terms + split]))


@kernel(tuple_of((interval, integer))(integers, reals, integer, integer, reals, reals))
def slope(
    program: Ints, numbers: Floats, split: int, variable: int, low: Floats, high: Floats
) -> tuple[Interval, int]:
    """Return x df/dx of a variable of a scaled rule, and in how many terms it stands."""
    n_variables, n_splits, n_terms, n_factors = program[0], program[1], program[2], program[3]
    term_start = HEADER + 3 * n_splits
    factor_start = term_start + n_splits + 1
    variables = factor_start + n_terms + 1
    total, seen = exactly(0.0), 0
    for term in range(program[term_start + split], program[term_start + split + 1]):
        for factor in range(program[factor_start + term], program[factor_start + term + 1]):
            if program[variables + factor] == variable:
                seen += 1
                exponent = program[variables + n_factors + factor]
                part = times(float(exponent), term_range(program, term, low, high))
                total = add(total, times(numbers[2 * n_variables + term], part))
    return total, seen


@kernel(interval(integers, reals, integer, reals, reals))
def monotone_range(
    program: Ints, numbers: Floats, split: int, low: Floats, high: Floats
) -> Interval:
    """Return the range of the sum from the ends of variables that only raise or only lower it.

    For positive bases; what float64 may add to the exact sum is added on both sides.
    """
    n_variables, n_splits, n_terms, n_factors = program[0], program[1], program[2], program[3]
    lowest_low, lowest_high, highest_low, highest_high = (
        low.copy(),
        high.copy(),
        low.copy(),
        high.copy(),
    )
    for variable in range(n_variables):
        change, seen = slope(program, numbers, split, variable, low, high)
        if seen > 1 and change.low >= 0.0:
            lowest_high[variable], highest_low[variable] = low[variable], high[variable]
        elif seen > 1 and change.high <= 0.0:
            lowest_low[variable], highest_high[variable] = high[variable], low[variable]
    least = sum_range(program, numbers, split, lowest_low, lowest_high).low
    most = sum_range(program, numbers, split, highest_low, highest_high).high
    term_start = HEADER + 3 * n_splits
    size = abs(numbers[2 * n_variables + n_terms + split])
    for term in range(program[term_start + split], program[term_start + split + 1]):
        size += abs(numbers[2 * n_variables + term]) * term_range(program, term, low, high).high
    exponents = HEADER + 3 * n_splits + n_splits + 1 + n_terms + 1 + n_factors
    operations = 4 + n_terms
    for factor in range(n_factors):
        operations += abs(program[exponents + factor]) + 1
    error = size * operations * ROUNDING
    return outward(least - error, most + error)


@kernel(interval(integers, reals, integer, reals, reals))
def rule_range(program: Ints, numbers: Floats, split: int, low: Floats, high: Floats) -> Interval:
    """Return an interval that holds the value f of a split for every state of a box (Eq. 3)."""
    n_variables, n_splits, n_terms = program[0], program[1], program[2]
    kind = program[HEADER + 2 * n_splits + split]
    bases_low, bases_high = np.empty(n_variables), np.empty(n_variables)
    for variable in range(n_variables):
        base = base_range(program, numbers, kind, variable, low, high)
        bases_low[variable], bases_high[variable] = base.low, base.high
    total = sum_range(program, numbers, split, bases_low, bases_high)
    undecided = total.low <= 0.0 < total.high or kind & MODULUS != 0
    if undecided and kind & RAW == 0:
        other = monotone_range(program, numbers, split, bases_low, bases_high)
        total = Interval(max(total.low, other.low), min(total.high, other.high))
    if kind & MODULUS:
        width = abs(numbers[2 * n_variables + n_terms + n_splits + split])
        least, most = min(abs(total.low), abs(total.high)), max(abs(total.low), abs(total.high))
        if total.low <= 0.0 <= total.high:
            least = 0.0
        return outward(least - width, most - width)
    return total


@kernel(integer(integers, reals, reals, reals))
def actions_in(program: Ints, numbers: Floats, low: Floats, high: Floats) -> int:
    """Return the actions that a tree may take in a box, as bits."""
    n_splits = program[1]
    waiting = np.empty(n_splits + 1, dtype=np.int64)
    waiting[0] = program[4]
    count, found = 1, 0
    while count > 0:
        count -= 1
        node = waiting[count]
        if node < 0:
            found |= 1 << ~node
            continue
        value = rule_range(program, numbers, node, low, high)
        if not value.low > 0.0:
            waiting[count] = program[HEADER + node]
            count += 1
        if not value.high <= 0.0:
            waiting[count] = program[HEADER + n_splits + node]
            count += 1
    return found


@kernel(nothing(integers, reals, reals2, reals2, integers))
def actions_in_all(program: Ints, numbers: Floats, low: Floats, high: Floats, found: Ints) -> None:
    """Fill in the actions that a tree may take in each of many boxes."""
    for row in range(len(low)):
        found[row] = actions_in(program, numbers, low[row], high[row])
