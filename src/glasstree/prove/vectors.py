"""Intervals over NumPy arrays, many at once, rounded outwards after every operation.

Nothing here is shared with the compiled intervals: cosine and sine are sums of powers with a bound
of what is left out, so that certificates are checked by other means than those that found them.
"""

from dataclasses import dataclass
from math import factorial

import numpy as np
from numpy.typing import ArrayLike

from glasstree.policy.arrays import Bools, Floats

# a number less that share of it, and less the least number, is below the next lower number
SHARE, LEAST = 2.0**-52, 5e-324
HALF_PI = np.pi / 2.0
REDUCTION = 1e-15  # error of pi / 2 in float64, ten times
SERIES = 11  # terms of sine; what is left out up to |angle| = 1.6 is below 1e-17
# each term is rounded at most 36 times, by a share of 2^-53; together they are below sinh(1.6)
SERIES_ERROR = 1e-14
TERMS = [(-1.0) ** term / factorial(2 * term + 1) for term in range(SERIES)]


@dataclass(frozen=True)
class Intervals:
    """All numbers from low to high, element by element."""

    low: Floats
    high: Floats

    @classmethod
    def of(cls, low: ArrayLike, high: ArrayLike | None = None) -> "Intervals":
        """Take numbers, or ends, as they are."""
        first = np.asarray(low, dtype=np.float64)
        return cls(first, first if high is None else np.asarray(high, dtype=np.float64))

    def __add__(self, other: "Operand") -> "Intervals":
        second = operand(other)
        return outward(self.low + second.low, self.high + second.high)

    def __sub__(self, other: "Operand") -> "Intervals":
        second = operand(other)
        return outward(self.low - second.high, self.high - second.low)

    def __mul__(self, other: "Operand") -> "Intervals":
        with np.errstate(all="ignore"):
            if not isinstance(other, Intervals):
                return ordered(self.low * other, self.high * other, other >= 0.0)
            a, b = self.low * other.low, self.low * other.high
            c, d = self.high * other.low, self.high * other.high
        return outward(
            np.minimum(np.minimum(a, b), np.minimum(c, d)),
            np.maximum(np.maximum(a, b), np.maximum(c, d)),
        )

    def __truediv__(self, other: "Operand") -> "Intervals":
        second = operand(other)
        with np.errstate(all="ignore"):
            if not isinstance(other, Intervals) and other != 0.0:
                return ordered(self.low / other, self.high / other, other > 0.0)
            inverse = outward(1.0 / second.high, 1.0 / second.low)
        through = (second.low <= 0.0) & (second.high >= 0.0)
        safe = Intervals(
            np.where(through, -np.inf, inverse.low), np.where(through, np.inf, inverse.high)
        )
        return self * safe

    def __neg__(self) -> "Intervals":
        return Intervals(-self.high, -self.low)

    def __abs__(self) -> "Intervals":
        nearest = np.maximum(np.maximum(self.low, -self.high), 0.0)
        return Intervals(nearest, np.maximum(-self.low, self.high))

    def __pow__(self, exponent: int) -> "Intervals":
        size = abs(self) if exponent % 2 == 0 else self
        raised = size
        for _ in range(abs(exponent) - 1):
            raised = raised * size
        if exponent % 2 == 0:
            raised = Intervals(np.maximum(raised.low, 0.0), raised.high)
        return Intervals.of(1.0) / raised if exponent < 0 else raised

    def clip(self, low: float, high: float) -> "Intervals":
        """Move the ends into [low, high]."""
        return Intervals(np.clip(self.low, low, high), np.clip(self.high, low, high))

    def meet(self, other: "Intervals") -> "Intervals":
        """Return what lies in both, which both are known to hold."""
        return Intervals(np.maximum(self.low, other.low), np.minimum(self.high, other.high))

    def single(self) -> "Intervals":
        """Return what the numbers may become in single precision."""
        low, high = self.low.astype(np.float32), self.high.astype(np.float32)
        return Intervals(low.astype(np.float64), high.astype(np.float64))

    def cos(self) -> "Intervals":
        """Return the cosine of angles."""
        return (self + Intervals.of(HALF_PI - REDUCTION, HALF_PI + REDUCTION)).sin()

    def sin(self) -> "Intervals":
        """Return the sine of angles."""
        ends = sine_at(np.stack([self.low, self.high]))
        low, high = ends.low.min(axis=0), ends.high.max(axis=0)
        top, bottom = passes(self, 0.25), passes(self, 0.75)
        return Intervals(np.where(bottom, -1.0, low), np.where(top, 1.0, high)).clip(-1.0, 1.0)


Operand = Intervals | float


def operand(value: Operand) -> Intervals:
    """Return intervals of what may be a number."""
    return value if isinstance(value, Intervals) else Intervals.of(value)


def ordered(first: Floats, last: Floats, rising: bool) -> Intervals:
    """Return the intervals between ends, of which the first are the lower ones if rising."""
    return outward(first, last) if rising else outward(last, first)


def outward(low: Floats, high: Floats) -> Intervals:
    """Return wider intervals, by at least the next number; what is not a number may be any."""
    with np.errstate(all="ignore"):
        low = low - (np.abs(low) * SHARE + LEAST)
        high = high + (np.abs(high) * SHARE + LEAST)
    if np.isnan(low).any() or np.isnan(high).any():
        low, high = np.where(np.isnan(low), -np.inf, low), np.where(np.isnan(high), np.inf, high)
    return Intervals(low, high)


def passes(angles: Intervals, share: float) -> Bools:
    """Whether angles may pass that share of a turn."""
    turns = Intervals(angles.low / (2 * np.pi) - share, angles.high / (2 * np.pi) - share)
    within: Bools = np.floor(turns.high + 1e-9) > np.floor(turns.low - 1e-9)
    return within


def sine_at(angle: Floats) -> Intervals:
    """Return the sine of single angles by its series about the nearest multiple of pi."""
    turns = np.round(angle / np.pi)
    rest = angle - turns * np.pi
    square = rest * rest
    value = np.zeros_like(rest)
    for term in reversed(TERMS):
        value = value * square + term
    value = np.where(turns % 2 == 1, -rest, rest) * value
    error = SERIES_ERROR + np.abs(turns) * 4.0 * REDUCTION
    return outward(value - error, value + error)
