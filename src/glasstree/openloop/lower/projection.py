"""Projections of terms on a direction, and the best edges along them.

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
from glasstree.openloop.lower.impurity import WIDE, best_interval, best_threshold, sorted_edges
from glasstree.openloop.lower.sums import dot
from glasstree.openloop.lower.terms import power_terms
from glasstree.policy.arrays import Floats, Ints

REACH = 3.5  # deviations to either side that bins cover; what lies beyond is in the last bin
PARTS = 16  # coarse edges of intervals: all pairs of them are tried first


@kernel(reals(reals2, reals))
def projected(terms: Floats, direction: Floats) -> Floats:
    """Return the sums (n,) of (terms, n) with the weights of a direction."""
    n_terms, n = terms.shape
    projection = np.zeros(n)
    for term in range(n_terms):
        weight = direction[term]
        for i in range(n):
            projection[i] += weight * terms[term, i]
    return projection


@kernel(real(reals, reals, reals))
def mean_square(projection: Floats, sample_weights: Floats, class_counts: Floats) -> float:
    """Return the weighted mean of the squares; class_counts: the weights added up by class."""
    weighted = np.empty(len(projection))
    for i in range(len(projection)):
        weighted[i] = sample_weights[i] * projection[i]
    return dot(weighted, projection) / class_counts.sum()


@kernel(
    tuple_of((real, real, real))(reals, integers, reals, reals, real, truth, integer),
)
def scan(
    projection: Floats,
    labels: Ints,
    sample_weights: Floats,
    class_counts: Floats,
    square: float,
    modulus: bool,
    bins: int,
) -> tuple[float, float, float]:
    """Return the least impurity over all binned thresholds or intervals, and their two edges.

    square: the mean square of the projection, whose mean is 0.
    """
    spread = np.sqrt(max(square, 0.0)) + 1e-300
    factor = bins / (2 * REACH * spread)
    middle, last_bin = 0.5 * bins, bins - 1.0
    histogram = np.zeros((bins, len(class_counts)))
    for i in range(len(projection)):
        position = int(min(max(projection[i] * factor + middle, 0.0), last_bin))
        histogram[position, labels[i]] += sample_weights[i]
    first = 0
    if modulus:
        impurity, first, last = best_interval(histogram, class_counts, max(1, bins // PARTS))
    else:
        impurity, last = best_threshold(histogram, class_counts)
    low = first / factor - REACH * spread
    high = (last + 1) / factor - REACH * spread
    return impurity, low if first > 0 else low - WIDE, high if last < bins - 1 else high + WIDE


def exact_edges(
    columns: Floats,
    labels: Ints,
    sample_weights: Floats,
    class_counts: Floats,
    exponents: Ints,
    modulus: bool,
    weights: Floats,
) -> tuple[float, float, float]:
    """Return the impurity and the edges of the best threshold or interval between samples."""
    projection = projected(power_terms(columns, exponents), weights)
    order = np.argsort(projection, kind="stable")
    return sorted_edges(
        projection[order], labels[order], sample_weights[order], class_counts, modulus
    )
