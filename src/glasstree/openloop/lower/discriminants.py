"""Directions that tell groups of classes apart, from the moments of the terms.

docs/algorithm.md, section 3.
"""

import numpy as np

from glasstree.compiled import (
    integer,
    integers,
    integers2,
    kernel,
    nothing,
    real,
    reals,
    reals2,
    reals3,
    truth,
)
from glasstree.openloop.lower.projection import mean_square, projected, scan
from glasstree.openloop.lower.sums import dot
from glasstree.policy.arrays import Floats, Ints

RIDGE = 1e-6  # added to the variances of standardised terms, so that they can be inverted
MOST_GROUPINGS = 12  # classes, the most frequent, that are set against the rest
POWER_ITERATIONS = 12  # from all ones; the descent mends what they leave
BINS = 128  # of the scan that ranks groupings, as in a search
MOST_VARIABLES = 30  # that ranking uses, the first ones: its cost grows with their square


@kernel(reals2(reals2, reals))
def standardise(terms: Floats, sample_weights: Floats) -> Floats:
    """Give each row of (terms, n) mean 0 and deviation 1 in place; return both, (2, terms)."""
    n_terms, n = terms.shape
    total = sample_weights.sum()
    moments = np.ones((2, n_terms))
    for term in range(n_terms):
        mean = 0.0
        for i in range(n):
            mean += sample_weights[i] * terms[term, i]
        mean /= total
        variance = 0.0
        for i in range(n):
            terms[term, i] -= mean
            variance += sample_weights[i] * terms[term, i] * terms[term, i]
        deviation = np.sqrt(variance / total)
        moments[0, term] = mean
        if deviation > 1e-12:
            moments[1, term] = deviation
            for i in range(n):
                terms[term, i] /= deviation
    return moments


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


@kernel(nothing(reals2, integers, reals, reals2, reals3))
def class_moments(
    terms: Floats, labels: Ints, sample_weights: Floats, sums: Floats, products: Floats
) -> None:
    """Add up the weighted sums (classes, terms) and products (classes, terms, terms).

    Fastest where equal labels follow each other.
    """
    n_terms, n = terms.shape
    weighted = np.empty(n)
    for a in range(n_terms):
        for i in range(n):
            weighted[i] = sample_weights[i] * terms[a, i]
        start = 0
        while start < n:
            label, stop = labels[start], start + 1
            while stop < n and labels[stop] == label:
                stop += 1
            sums[label, a] += dot(sample_weights[start:stop], terms[a, start:stop])
            for b in range(a + 1):
                products[label, a, b] += dot(weighted[start:stop], terms[b, start:stop])
            start = stop
    for label in range(len(sums)):
        for a in range(n_terms):
            for b in range(a):
                products[label, b, a] = products[label, a, b]


@kernel(nothing(reals2, reals, reals))
def solve_small(matrix: Floats, right: Floats, solution: Floats) -> None:
    """Solve a small symmetric positive definite system by elimination."""
    n = len(right)
    work = matrix.copy()
    solution[:] = right
    for a in range(n):
        for b in range(a + 1, n):
            factor = work[b, a] / work[a, a]
            for c in range(a, n):
                work[b, c] -= factor * work[a, c]
            solution[b] -= factor * solution[a]
    for a in range(n - 1, -1, -1):
        for b in range(a + 1, n):
            solution[a] -= work[a, b] * solution[b]
        solution[a] /= work[a, a]


@kernel(nothing(reals))
def normalise(direction: Floats) -> None:
    """Give a direction length 1 in place."""
    length = 0.0
    for term in range(len(direction)):
        length += direction[term] * direction[term]
    length = np.sqrt(length) + 1e-300
    for term in range(len(direction)):
        direction[term] /= length


@kernel(nothing(reals2, reals3, reals, integers, reals2, reals3))
def group_moments(
    sums: Floats, products: Floats, counts: Floats, group: Ints, mean: Floats, spread: Floats
) -> None:
    """Turn the moments of classes into means (2, terms) and covariances of two groups."""
    n_terms = sums.shape[1]
    mean[:] = 0.0
    spread[:] = 0.0
    for side in range(2):
        mass = 1e-300
        for c in range(len(counts)):
            if group[c] == side:
                mass += counts[c]
                for a in range(n_terms):
                    mean[side, a] += sums[c, a]
                    for b in range(n_terms):
                        spread[side, a, b] += products[c, a, b]
        for a in range(n_terms):
            mean[side, a] /= mass
        for a in range(n_terms):
            for b in range(n_terms):
                spread[side, a, b] = spread[side, a, b] / mass - mean[side, a] * mean[side, b]
            spread[side, a, a] += RIDGE


@kernel(nothing(reals2, reals3, real, reals2))
def discriminants(mean: Floats, spread: Floats, share: float, directions: Floats) -> None:
    """Fill in starting directions that tell two groups apart, one per row.

    The first is Fisher's; the others, for a modulus, are those along which one group is
    narrow while the other is wide or far: power iteration on spread^-1 (moment of the other).
    """
    n_terms = mean.shape[1]
    matrix = np.empty((n_terms, n_terms))
    for a in range(n_terms):
        for b in range(n_terms):
            matrix[a, b] = (1.0 - share) * spread[0, a, b] + share * spread[1, a, b]
    solve_small(matrix, mean[1] - mean[0], directions[0])
    image = np.empty(n_terms)
    for row in range(1, len(directions)):
        side, other = row - 1, 2 - row
        directions[row] = 1.0
        for _ in range(POWER_ITERATIONS):
            for a in range(n_terms):
                image[a] = 0.0
                for b in range(n_terms):
                    gap = (mean[1, a] - mean[0, a]) * (mean[1, b] - mean[0, b])
                    image[a] += (spread[other, a, b] + gap) * directions[row, b]
            solve_small(spread[side], image, directions[row])
            normalise(directions[row])


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
                chosen[:] = directions[k]
    return best
