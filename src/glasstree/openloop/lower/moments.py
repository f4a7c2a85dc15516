"""Moments of groups of classes, and the directions that tell two groups apart, compiled.

docs/algorithm.md, section 3.
"""

import numpy as np

from glasstree.compiled import integers, kernel, nothing, real, reals, reals2, reals3
from glasstree.openloop.lower.sums import copy_row, dot
from glasstree.policy.arrays import Floats, Ints

RIDGE = 1e-6  # added to the variances of standardised terms, so that they can be inverted
POWER_ITERATIONS = 12  # from all ones; the descent mends what they leave


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
    copy_row(right, solution)
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
    image = np.empty(n_terms)
    for a in range(n_terms):
        image[a] = mean[1, a] - mean[0, a]
    solve_small(matrix, image, directions[0])
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
