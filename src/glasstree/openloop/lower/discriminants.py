"""Which groups of classes to tell apart, and the best direction that does.

docs/algorithm.md, section 3.
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
)
from glasstree.openloop.lower.moments import (
    class_moments,
    discriminants,
    group_moments,
    normalise,
    standardise,
)
from glasstree.openloop.lower.projection import mean_square, projected, scan
from glasstree.openloop.lower.sums import copy_row
from glasstree.policy.arrays import Floats, Ints

MOST_GROUPINGS = 12  # classes, the most frequent, that are set against the rest
BINS = 128  # of the scan that ranks groupings, as in a search
MOST_VARIABLES = 30  # that ranking uses, the first ones: its cost grows with their square


def groupings(counts: Floats) -> Ints:
    """Return ways to divide the classes in two, one per row of flags.

    All of them for up to four classes, one against the rest for more:

    >>> groupings(np.array([5.0, 3.0, 0.0, 2.0]))
    array([[1, 0, 0, 0],
           [0, 1, 0, 0],
           [1, 1, 0, 0]])
    """
    present = np.flatnonzero(counts > 0.0)
    if len(present) > 4:
        frequent = present[np.argsort(-counts[present], kind="stable")][:MOST_GROUPINGS]
        sides = [[label] for label in frequent]
    else:
        few = present[:-1]
        sides = [
            few[(number >> np.arange(len(few))) & 1 == 1] for number in range(1, 2 ** len(few))
        ]
    table = np.zeros((len(sides), len(counts)), dtype=np.int64)
    for row, side in zip(table, sides, strict=True):
        row[side] = 1
    return table


def ranked_groupings(
    columns: Floats, labels: Ints, sample_weights: Floats, class_counts: Floats, modulus: bool
) -> Ints:
    """Return the ways to divide the classes in two, the most telling first.

    columns: (variables, n); each way is judged by a linear discriminant over all of them.
    """
    table = groupings(class_counts)
    if len(table) < 2:
        return table
    terms = columns[:MOST_VARIABLES].copy()
    standardise(terms, sample_weights)
    scratch = np.zeros(len(terms))
    impurities = [
        best_discriminant(
            terms, labels, sample_weights, class_counts, row[np.newaxis], modulus, BINS, scratch
        )
        for row in table
    ]
    return np.ascontiguousarray(table[np.argsort(impurities, kind="stable")])


@kernel(real(reals2, integers, reals, reals, integers2, truth, integer, reals))
def best_discriminant(
    terms: Floats,
    labels: Ints,
    sample_weights: Floats,
    class_counts: Floats,
    groups: Ints,
    modulus: bool,
    bins: int,
    chosen: Floats,
) -> float:
    """Return the least impurity over the discriminants of all groups, and fill in its direction."""
    n_classes, n_terms = len(class_counts), len(terms)
    sums, products = np.zeros((n_classes, n_terms)), np.zeros((n_classes, n_terms, n_terms))
    class_moments(terms, labels, sample_weights, sums, products)
    mean, spread = np.zeros((2, n_terms)), np.zeros((2, n_terms, n_terms))
    directions = np.zeros((3 if modulus else 1, n_terms))
    best = np.inf
    for row in range(len(groups)):
        group_moments(sums, products, class_counts, groups[row], mean, spread)
        share = 0.0
        for c in range(n_classes):
            share += groups[row, c] * class_counts[c]
        discriminants(mean, spread, share / class_counts.sum(), directions)
        for k in range(len(directions)):
            normalise(directions[k])
            projection = projected(terms, directions[k])
            square = mean_square(projection, sample_weights, class_counts)
            impurity = scan(
                projection, labels, sample_weights, class_counts, square, modulus, bins
            )[0]
            if impurity < best:
                best = impurity
                copy_row(directions[k], chosen)
    return best
