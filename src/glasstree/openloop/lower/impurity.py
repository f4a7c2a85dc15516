"""Gini impurity of splits, and the best biases of a projection by scanning, not by search.

docs/algorithm.md, section 2.
"""

import numpy as np

from glasstree.compiled import (
    integer,
    integers,
    kernel,
    real,
    reals,
    reals2,
    truth,
    tuple_of,
)
from glasstree.policy.arrays import Floats, Ints

WIDE = 10.0  # how far beyond all states an edge lies that divides none of them


def gini(counts: Floats) -> float:
    """Gini impurity of class counts.

    >>> gini(np.array([5.0, 5.0]))
    0.5
    """
    total = counts.sum()
    return float(1.0 - np.square(counts / total).sum()) if total > 0 else 0.0


@kernel(real(reals, reals))
def split_impurity(inside: Floats, class_counts: Floats) -> float:
    """Net impurity of two children, given the class counts of one and of both (Eq. 6)."""
    n_inside, n_all, pure_inside, pure_outside = 0.0, 0.0, 0.0, 0.0
    for c in range(len(class_counts)):
        n_inside += inside[c]
        n_all += class_counts[c]
        pure_inside += inside[c] * inside[c]
        pure_outside += (class_counts[c] - inside[c]) * (class_counts[c] - inside[c])
    n_outside = n_all - n_inside
    if n_inside > 0.0 and n_outside > 0.0:
        pure = pure_inside * n_outside + pure_outside * n_inside
        return 1.0 - pure / (n_inside * n_outside * n_all)
    return 1.0 - (pure_inside + pure_outside) / (n_all * n_all)


@kernel(tuple_of((real, integer))(reals2, reals))
def best_threshold(histogram: Floats, class_counts: Floats) -> tuple[float, int]:
    """Return the least impurity of "bins up to b go left", and b, from a (bins, classes) table."""
    n_classes = len(class_counts)
    left = np.zeros(n_classes)
    best, where = split_impurity(left, class_counts), -1
    for b in range(len(histogram) - 1):
        for c in range(n_classes):
            left[c] += histogram[b, c]
        impurity = split_impurity(left, class_counts)
        if impurity < best:
            best, where = impurity, b
    return best, where


@kernel(tuple_of((real, integer, integer))(reals2, reals, integer, integer, integer))
def improve_interval(
    histogram: Floats, class_counts: Floats, first: int, last: int, rounds: int
) -> tuple[float, int, int]:
    """Improve "bins first to last go left" by moving one end at a time over all bins."""
    n_bins, n_classes = histogram.shape
    inside = np.zeros(n_classes)
    best = np.inf
    for _ in range(rounds):
        before = best
        inside[:] = 0.0
        for b in range(first, n_bins):
            for c in range(n_classes):
                inside[c] += histogram[b, c]
            impurity = split_impurity(inside, class_counts)
            if impurity < best:
                best, last = impurity, b
        inside[:] = 0.0
        for b in range(last, -1, -1):
            for c in range(n_classes):
                inside[c] += histogram[b, c]
            impurity = split_impurity(inside, class_counts)
            if impurity < best:
                best, first = impurity, b
        if best >= before:
            break
    return best, first, last


@kernel(tuple_of((real, integer, integer))(reals2, reals, integer))
def best_interval(
    histogram: Floats, class_counts: Floats, coarseness: int
) -> tuple[float, int, int]:
    """Return the least impurity of "bins first to last go left": coarse pairs, then fine ends."""
    n_bins, n_classes = histogram.shape
    inside = np.zeros(n_classes)
    best, first, last = np.inf, 0, n_bins - 1
    for start in range(0, n_bins, coarseness):
        inside[:] = 0.0
        for stop in range(start, n_bins, coarseness):
            for b in range(stop, min(stop + coarseness, n_bins)):
                for c in range(n_classes):
                    inside[c] += histogram[b, c]
            impurity = split_impurity(inside, class_counts)
            if impurity < best:
                best, first, last = impurity, start, min(stop + coarseness, n_bins) - 1
    return improve_interval(histogram, class_counts, first, last, 4)


@kernel(tuple_of((real, real, real))(reals, integers, reals, reals, truth))
def sorted_edges(
    projection: Floats, labels: Ints, sample_weights: Floats, class_counts: Floats, modulus: bool
) -> tuple[float, float, float]:
    """Return the impurity and the edges of the best threshold or interval, from sorted samples."""
    n = len(projection)
    values = np.empty(n)
    histogram = np.zeros((n, len(class_counts)))
    atoms = 0
    for rank in range(n):
        if atoms == 0 or projection[rank] > values[atoms - 1]:
            values[atoms] = projection[rank]
            atoms += 1
        histogram[atoms - 1, labels[rank]] += sample_weights[rank]
    histogram = histogram[:atoms]
    first = 0
    if modulus:
        impurity, first, last = best_interval(histogram, class_counts, max(1, atoms // 64))
    else:
        impurity, last = best_threshold(histogram, class_counts)
    low = values[0] - WIDE if first == 0 else 0.5 * (values[first - 1] + values[first])
    if last < 0:
        return impurity, low, values[0] - WIDE
    if last == atoms - 1:
        return impurity, low, values[last] + WIDE
    return impurity, low, 0.5 * (values[last] + values[last + 1])
