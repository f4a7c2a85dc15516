"""The weights of a structure: a start from discriminants, improved by pattern descent.

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
)
from glasstree.openloop.lower.discriminants import best_discriminant
from glasstree.openloop.lower.moments import normalise, standardise
from glasstree.openloop.lower.projection import mean_square, projected, scan
from glasstree.openloop.lower.terms import power_terms
from glasstree.policy.arrays import Floats, Ints

FIRST_STEP = 0.3  # in deviations of a term


def scan_along(
    terms: Floats,
    labels: Ints,
    sample_weights: Floats,
    class_counts: Floats,
    direction: Floats,
    modulus: bool,
    bins: int,
) -> tuple[float, float, float]:
    """Return the least impurity along a direction, and its two edges."""
    projection = projected(terms, direction)
    square = mean_square(projection, sample_weights, class_counts)
    return scan(projection, labels, sample_weights, class_counts, square, modulus, bins)


@kernel(real(reals2, integers, reals, reals, real, truth, integer, real, reals))
def descend(
    terms: Floats,
    labels: Ints,
    sample_weights: Floats,
    class_counts: Floats,
    impurity: float,
    modulus: bool,
    bins: int,
    last_step: float,
    direction: Floats,
) -> float:
    """Improve a direction in place by steps along each term, halved when none helps."""
    n_terms, n = terms.shape
    step = FIRST_STEP
    projection = projected(terms, direction)
    trial = np.empty(n)
    while step >= last_step:
        improved = False
        for term in range(n_terms):
            for sign in (-1.0, 1.0):
                stride = sign * step
                for i in range(n):
                    trial[i] = projection[i] + stride * terms[term, i]
                square = mean_square(trial, sample_weights, class_counts)
                found = scan(trial, labels, sample_weights, class_counts, square, modulus, bins)[0]
                if found < impurity - 1e-9:
                    impurity, improved = found, True
                    direction[term] += stride
                    normalise(direction)
                    projection = projected(terms, direction)
        if not improved:
            step *= 0.5
    return impurity


def solve_directions(
    columns: Floats,
    labels: Ints,
    sample_weights: Floats,
    class_counts: Floats,
    groups: Ints,
    exponents: Ints,
    modulus: bool,
    bins: int,
    last_step: float,
    limit: float,
    weights: Floats,
) -> tuple[float, float, float]:
    """Improve the weights in place, zeros asking for discriminants; return impurity and edges.

    A start that is worse than limit is not improved. Not compiled: what it calls is.
    """
    terms = power_terms(columns, exponents)
    samples = (labels, sample_weights, class_counts)
    means, deviations = standardise(terms, sample_weights)
    fresh = not weights.any()
    weights *= deviations
    if len(terms) == 1:
        weights[0] = 1.0
    else:
        if fresh:
            impurity = best_discriminant(terms, *samples, groups, modulus, bins, weights)
        else:
            normalise(weights)
            impurity = scan_along(terms, *samples, weights, modulus, bins)[0]
        if impurity <= limit:
            descend(terms, *samples, impurity, modulus, bins, last_step, weights)
    impurity, low, high = scan_along(terms, *samples, weights, modulus, bins)
    weights /= deviations
    offset = 0.0
    for weight, mean in zip(weights, means, strict=True):  # in this order on every processor
        offset += float(weight * mean)
    return impurity, low + offset, high + offset
