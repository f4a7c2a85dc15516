"""Intervals hold the exact result of every operation, and what float64 rounds it to."""

from fractions import Fraction

import numpy as np
import pytest
from mpmath import iv, mp

from glasstree.prove.vectors import Intervals
from glasstree.tasks import intervals
from glasstree.tasks.intervals import Interval

OPERATIONS = {
    "add": lambda a, b: a + b,
    "subtract": lambda a, b: a - b,
    "multiply": lambda a, b: a * b,
    "divide": lambda a, b: a / b,
}


def random_interval(generator):
    middle = generator.normal() * 10.0 ** generator.integers(-8, 9)
    width = abs(generator.normal()) * 10.0 ** generator.integers(-12, 3)
    return Interval(middle - width, middle + width)


def inside(values, generator, count=3):
    ends = [values.low, values.high]
    return [*ends, *np.clip(generator.uniform(*ends, count), *ends).tolist()]


@pytest.mark.parametrize("name", OPERATIONS)
def test_results_of_both_kinds_of_intervals_hold_exact_and_rounded_ones(name):
    generator = np.random.default_rng(0)
    operation = OPERATIONS[name]
    for _ in range(300):
        first, second = random_interval(generator), random_interval(generator)
        if name == "divide" and second.low <= 0.0 <= second.high:
            assert intervals.divide(first, second) == (-np.inf, np.inf)
            continue
        found = getattr(intervals, name)(first, second)
        other = operation(Intervals.of(*first), Intervals.of(*second))
        for a in inside(first, generator):
            for b in inside(second, generator):
                exact, rounded = operation(Fraction(a), Fraction(b)), operation(a, b)
                for low, high in (found, (float(other.low), float(other.high))):
                    assert Fraction(low) <= exact <= Fraction(high)
                    assert low <= rounded <= high


@pytest.mark.parametrize("exponent", [1, 2, 3, 4, -1, -2, -3])
def test_powers_hold_exact_ones_and_products(exponent):
    generator = np.random.default_rng(1)
    for _ in range(300):
        base = random_interval(generator)
        if exponent < 0 and base.low <= 0.0 <= base.high:
            continue
        found = intervals.power(base, exponent)
        other = Intervals.of(*base) ** exponent
        for value in inside(base, generator):
            exact = Fraction(value) ** exponent
            product = value
            for _ in range(abs(exponent) - 1):
                product *= value
            rounded = 1.0 / product if exponent < 0 else product
            for low, high in (found, (float(other.low), float(other.high))):
                assert Fraction(low) <= exact <= Fraction(high)
                assert low <= rounded <= high


@pytest.mark.parametrize("name", ["cosine", "sine"])
def test_trigonometry_holds_what_mpmath_and_the_library_compute(name):
    generator = np.random.default_rng(2)
    mp.dps = 40
    exact, library = {"cosine": (mp.cos, np.cos), "sine": (mp.sin, np.sin)}[name]
    for _ in range(1000):
        low = generator.uniform(-7.0, 7.0)
        angle = Interval(low, low + abs(generator.normal()) * 10.0 ** generator.integers(-12, 1))
        found = getattr(intervals, name)(angle)
        arrays = Intervals.of([angle.low], [angle.high])
        other = arrays.cos() if name == "cosine" else arrays.sin()
        for value in inside(angle, generator):
            for least, most in (found, (float(other.low[0]), float(other.high[0]))):
                assert least <= exact(mp.mpf(value)) <= most
                assert least <= library(value) <= most


def test_the_series_is_as_narrow_as_float64_allows():
    angles = np.linspace(-6.0, 6.0, 1001)
    found = Intervals.of(angles, angles).sin()
    assert (found.high - found.low).max() < 1e-13
    assert iv.sin(0.5).a > found.low[0] - 2.0


def test_peaks_are_in_the_range():
    assert intervals.cosine(Interval(-0.1, 0.1)).high == 1.0
    assert intervals.cosine(Interval(3.1, 3.2)).low == -1.0
    assert intervals.sine(Interval(1.5, 1.6)).high == 1.0
    assert intervals.sine(Interval(-1.6, -1.5)).low == -1.0


def test_single_precision_keeps_the_order():
    values = Interval(0.1, 0.3)
    found = intervals.single(values)
    assert found == (float(np.float32(0.1)), float(np.float32(0.3)))
