"""The weights of a structure: a start from discriminants, improved by pattern descent.

docs/algorithm.md, section 2.
"""

import numpy as np

from glasstree.compiled import (
    integer,
    integers,
    integers2,
    kernel,
    real,
    reals,
    reals2,
    truth,
    tuple_of,
)
from glasstree.openloop.lower.discriminants import best_discriminant, normalise, standardise
from glasstree.openloop.lower.projection import mean_square, projected, scan
from glasstree.openloop.lower.terms import power_terms
from glasstree.policy.arrays import Floats, Ints

FIRST_STEP = 0.3  # in deviations of a term


@kernel(tuple_of((real, real, real))(reals2, integers, reals, reals, reals, truth, integer))
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


@kernel(
    tuple_of((real, real, real))(
        *(reals2, integers, reals, reals, integers2, integers2, truth, integer, real, real, reals)
    )
)
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

    A start that is worse than limit is not improved.
    """
    terms = power_terms(columns, exponents)
    n_terms = len(terms)
    moments = standardise(terms, sample_weights)
    fresh = True
    for term in range(n_terms):
        fresh = fresh and weights[term] == 0.0
        weights[term] *= moments[1, term]
    if n_terms == 1:
        weights[0] = 1.0
    elif fresh:
        impurity = best_discriminant(
            terms, labels, sample_weights, class_counts, groups, modulus, bins, weights
        )
    else:
        normalise(weights)
        impurity = scan_along(terms, labels, sample_weights, class_counts, weights, modulus, bins)[
            0
        ]
    if n_terms > 1 and impurity <= limit:
        descend(
            terms, labels, sample_weights, class_counts, impurity, modulus, bins, last_step, weights
        )
    impurity, low, high = scan_along(
        terms, labels, sample_weights, class_counts, weights, modulus, bins
    )
    offset = 0.0
    for term in range(n_terms):
        weights[term] /= moments[1, term]
        offset += weights[term] * moments[0, term]
    return impurity, low + offset, high + offset
