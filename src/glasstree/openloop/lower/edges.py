"""The best threshold or interval between samples, after sorting them.

docs/algorithm.md, section 2.
"""

import numpy as np

from glasstree.compiled import integers, kernel, real, reals, truth, tuple_of
from glasstree.openloop.lower.impurity import best_interval, best_threshold
from glasstree.openloop.lower.projection import WIDE, projected
from glasstree.openloop.lower.terms import power_terms
from glasstree.policy.arrays import Floats, Ints


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
