"""Gini impurity of splits, and the best biases of a projection by scanning, not by search."""

import numpy as np

from glasstree.compiled import integer, kernel, real, reals, reals2, tuple_of
from glasstree.policy.arrays import Floats


def gini(counts: Floats) -> float:
    """Gini impurity of class counts.

    >>> gini(np.array([5.0, 5.0]))
    0.5
    """
    total = counts.sum()
    return float(1.0 - np.square(counts / total).sum()) if total > 0 else 0.0


@kernel(real(reals, reals))
def split_impurity(inside: Floats, everything: Floats) -> float:
    """Net impurity of two children, given the class counts of one and of both (Eq. 6)."""
    n_inside, n_all, pure_inside, pure_outside = 0.0, 0.0, 0.0, 0.0
    for c in range(len(everything)):
        n_inside += inside[c]
        n_all += everything[c]
        pure_inside += inside[c] * inside[c]
        pure_outside += (everything[c] - inside[c]) * (everything[c] - inside[c])
    n_outside = n_all - n_inside
    if n_inside > 0.0 and n_outside > 0.0:
        pure = pure_inside * n_outside + pure_outside * n_inside
        return 1.0 - pure / (n_inside * n_outside * n_all)
    return 1.0 - (pure_inside + pure_outside) / (n_all * n_all)


@kernel(tuple_of((real, integer))(reals2, reals))
def best_threshold(histogram: Floats, everything: Floats) -> tuple[float, int]:
    """Return the least impurity of "bins up to b go left", and b, from a (bins, classes) table."""
    n_classes = len(everything)
    left = np.zeros(n_classes)
    best, where = split_impurity(left, everything), -1
    for b in range(len(histogram) - 1):
        for c in range(n_classes):
            left[c] += histogram[b, c]
        impurity = split_impurity(left, everything)
        if impurity < best:
            best, where = impurity, b
    return best, where


@kernel(tuple_of((real, integer, integer))(reals2, reals, integer, integer, integer))
def improve_interval(
    histogram: Floats, everything: Floats, first: int, last: int, rounds: int
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
            impurity = split_impurity(inside, everything)
            if impurity < best:
                best, last = impurity, b
        inside[:] = 0.0
        for b in range(last, -1, -1):
            for c in range(n_classes):
                inside[c] += histogram[b, c]
            impurity = split_impurity(inside, everything)
            if impurity < best:
                best, first = impurity, b
        if best >= before:
            break
    return best, first, last


@kernel(tuple_of((real, integer, integer))(reals2, reals, integer))
def best_interval(histogram: Floats, everything: Floats, coarseness: int) -> tuple[float, int, int]:
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
            impurity = split_impurity(inside, everything)
            if impurity < best:
                best, first, last = impurity, start, min(stop + coarseness, n_bins) - 1
    return improve_interval(histogram, everything, first, last, 4)
