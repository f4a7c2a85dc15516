"""Interval arithmetic for kernels, rounded outwards after every operation.

An interval that holds the exact operands gives one that holds the exact result, and the result
that float64 would round to. Cosine and sine are taken from the C library, whose error, and that of
whoever else computes them, is at most TRIGONOMETRY.
"""

from typing import NamedTuple

import numpy as np
from numba import types

from glasstree.compiled import integer, kernel, real
from glasstree.policy.arrays import Floats
from glasstree.tasks.twins import OBSERVE_BOX

TRIGONOMETRY = 1e-15  # nine units in the last place of 1; libraries err by less than one
TURN = 2.0 * np.pi
# an angle is divided by the turn in float64: near a peak, the peak is taken
PEAK = 1e-9


class Interval(NamedTuple):
    """All numbers from low to high."""

    low: float
    high: float


interval = types.NamedUniTuple(real, 2, Interval)
UNARY = interval(interval)
BINARY = interval(interval, interval)


@kernel(interval(real, real))
def outward(low: float, high: float) -> Interval:
    """Return the next wider interval; what is not a number may be any."""
    if np.isnan(low) or np.isnan(high):
        return Interval(-np.inf, np.inf)
    return Interval(np.nextafter(low, -np.inf), np.nextafter(high, np.inf))


@kernel(interval(real))
def exactly(value: float) -> Interval:
    """Return the interval of one number."""
    return Interval(value, value)


@kernel(BINARY)
def add(first: Interval, second: Interval) -> Interval:
    """Return first + second."""
    return outward(first.low + second.low, first.high + second.high)


@kernel(BINARY)
def subtract(first: Interval, second: Interval) -> Interval:
    """Return first - second."""
    return outward(first.low - second.high, first.high - second.low)


@kernel(BINARY)
def multiply(first: Interval, second: Interval) -> Interval:
    """Return first * second."""
    a, b = first.low * second.low, first.low * second.high
    c, d = first.high * second.low, first.high * second.high
    if np.isnan(a) or np.isnan(b) or np.isnan(c) or np.isnan(d):
        return Interval(-np.inf, np.inf)
    return outward(min(min(a, b), min(c, d)), max(max(a, b), max(c, d)))


@kernel(interval(real, interval))
def times(factor: float, values: Interval) -> Interval:
    """Return a number times an interval."""
    if factor >= 0.0:
        return outward(factor * values.low, factor * values.high)
    return outward(factor * values.high, factor * values.low)


@kernel(BINARY, error_model="numpy")
def divide(first: Interval, second: Interval) -> Interval:
    """Return first / second; any number where the divisor may be 0."""
    if second.low <= 0.0 <= second.high:
        return Interval(-np.inf, np.inf)
    a, b = first.low / second.low, first.low / second.high
    c, d = first.high / second.low, first.high / second.high
    if np.isnan(a) or np.isnan(b) or np.isnan(c) or np.isnan(d):
        return Interval(-np.inf, np.inf)
    return outward(min(min(a, b), min(c, d)), max(max(a, b), max(c, d)))


@kernel(real(real, integer, real))
def product(base: float, count: int, towards: float) -> float:
    """Multiply a base of 0 or more count times by itself, rounding towards a side."""
    value = base
    for _ in range(count - 1):
        value = np.nextafter(value * base, towards)
    return value


@kernel(interval(interval, integer))
def power(base: Interval, exponent: int) -> Interval:
    """Return base^exponent, for an exponent that is not 0."""
    count = abs(exponent)
    odd = count % 2 == 1
    if base.low >= 0.0:
        raised = Interval(product(base.low, count, 0.0), product(base.high, count, np.inf))
    elif base.high <= 0.0:
        small, large = product(-base.high, count, 0.0), product(-base.low, count, np.inf)
        raised = Interval(-large, -small) if odd else Interval(small, large)
    else:
        below, above = product(-base.low, count, np.inf), product(base.high, count, np.inf)
        raised = Interval(-below, above) if odd else Interval(0.0, max(below, above))
    if exponent < 0:
        return divide(Interval(1.0, 1.0), raised)
    return raised


@kernel(UNARY)
def cosine(angle: Interval) -> Interval:
    """Return the cosine, with its error on both sides."""
    if not angle.high - angle.low < TURN:
        return Interval(-1.0, 1.0)
    first, last = np.cos(angle.low), np.cos(angle.high)
    low, high = min(first, last) - 2 * TRIGONOMETRY, max(first, last) + 2 * TRIGONOMETRY
    if np.floor(angle.high / TURN + PEAK) > np.floor(angle.low / TURN - PEAK):
        high = 1.0
    if np.floor(angle.high / TURN + 0.5 + PEAK) > np.floor(angle.low / TURN + 0.5 - PEAK):
        low = -1.0
    return Interval(max(low, -1.0), min(high, 1.0))


@kernel(UNARY)
def sine(angle: Interval) -> Interval:
    """Return the sine, with its error on both sides."""
    if not angle.high - angle.low < TURN:
        return Interval(-1.0, 1.0)
    first, last = np.sin(angle.low), np.sin(angle.high)
    low, high = min(first, last) - 2 * TRIGONOMETRY, max(first, last) + 2 * TRIGONOMETRY
    if np.floor(angle.high / TURN - 0.25 + PEAK) > np.floor(angle.low / TURN - 0.25 - PEAK):
        high = 1.0
    if np.floor(angle.high / TURN + 0.25 + PEAK) > np.floor(angle.low / TURN + 0.25 - PEAK):
        low = -1.0
    return Interval(max(low, -1.0), min(high, 1.0))


@kernel(interval(interval, real, real))
def clip(values: Interval, low: float, high: float) -> Interval:
    """Return the interval with its ends moved into [low, high]."""
    return Interval(min(max(values.low, low), high), min(max(values.high, low), high))


@kernel(UNARY)
def single(values: Interval) -> Interval:
    """Return what the numbers may become in single precision; rounding keeps their order."""
    return Interval(np.float64(np.float32(values.low)), np.float64(np.float32(values.high)))


@kernel(OBSERVE_BOX)
def observe_box(low: Floats, high: Floats, seen_low: Floats, seen_high: Floats) -> None:
    """Enclose what is observed in a box of states that are seen in single precision."""
    for variable in range(len(seen_low)):
        seen = single(Interval(low[variable], high[variable]))
        seen_low[variable], seen_high[variable] = seen.low, seen.high
