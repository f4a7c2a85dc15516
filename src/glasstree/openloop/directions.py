"""Directions in the space of terms: discriminant starts, pattern descent, exact edges."""

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
    tuple_of,
)
from glasstree.openloop.impurity import best_interval, best_threshold
from glasstree.openloop.terms import power_terms
from glasstree.policy.arrays import Floats, Ints

RIDGE = 1e-6
REACH = 3.5
COARSE = 8
FIRST_STEP = 0.3
MOST_GROUPINGS = 12
POWER_ITERATIONS = 12
WIDE = 10.0
BINS = 128
MOST_VARIABLES = 30


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


@kernel(tuple_of((real, real, real))(reals2, integers, reals, reals, reals, truth, integer))
def scan(
    terms: Floats,
    labels: Ints,
    sample_weights: Floats,
    everything: Floats,
    direction: Floats,
    modulus: bool,
    bins: int,
) -> tuple[float, float, float]:
    """Return the least impurity over all binned thresholds or intervals, and their two edges."""
    n_terms, n = terms.shape
    projection = np.zeros(n)
    for term in range(n_terms):
        weight = direction[term]
        for i in range(n):
            projection[i] += weight * terms[term, i]
    spread = 0.0
    for i in range(n):
        spread += sample_weights[i] * projection[i] * projection[i]
    spread = np.sqrt(spread / everything.sum()) + 1e-300
    factor = bins / (2 * REACH * spread)
    histogram = np.zeros((bins, len(everything)))
    for i in range(n):
        position = int(min(max(projection[i] * factor + 0.5 * bins, 0.0), bins - 1.0))
        histogram[position, labels[i]] += sample_weights[i]
    first = 0
    if modulus:
        impurity, first, last = best_interval(histogram, everything, COARSE)
    else:
        impurity, last = best_threshold(histogram, everything)
    low = first / factor - REACH * spread
    high = (last + 1) / factor - REACH * spread
    return impurity, low if first > 0 else low - WIDE, high if last < bins - 1 else high + WIDE


def groupings(counts: Floats) -> Ints:
    """Return ways to divide the classes in two, one a row of flags.

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
    columns: Floats, labels: Ints, sample_weights: Floats, everything: Floats, modulus: bool
) -> Ints:
    """Return the ways to divide the classes in two, the most telling first.

    columns: (variables, n); each way is judged by a linear discriminant over all of them.
    """
    table = groupings(everything)
    if len(table) < 2:
        return table
    terms = columns[:MOST_VARIABLES].copy()
    standardise(terms, sample_weights)
    scratch = np.zeros(len(terms))
    impurities = [
        best_discriminant(
            terms, labels, sample_weights, everything, row[np.newaxis], modulus, BINS, scratch
        )
        for row in table
    ]
    return np.ascontiguousarray(table[np.argsort(impurities, kind="stable")])


@kernel(nothing(reals2, integers, reals, reals2, reals3))
def class_moments(
    terms: Floats, labels: Ints, sample_weights: Floats, sums: Floats, products: Floats
) -> None:
    """Add up the weighted sums (classes, terms) and products (classes, terms, terms)."""
    n_terms, n = terms.shape
    for a in range(n_terms):
        for i in range(n):
            sums[labels[i], a] += sample_weights[i] * terms[a, i]
        for b in range(n_terms):
            for i in range(n):
                products[labels[i], a, b] += sample_weights[i] * terms[a, i] * terms[b, i]


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
    """Fill in starting directions that tell two groups apart, one a row.

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
    everything: Floats,
    groups: Ints,
    modulus: bool,
    bins: int,
    chosen: Floats,
) -> float:
    """Return the least impurity over the discriminants of all groups, and fill in its direction."""
    n_classes, n_terms = len(everything), len(terms)
    sums, products = np.zeros((n_classes, n_terms)), np.zeros((n_classes, n_terms, n_terms))
    class_moments(terms, labels, sample_weights, sums, products)
    mean, spread = np.zeros((2, n_terms)), np.zeros((2, n_terms, n_terms))
    directions = np.zeros((3 if modulus else 1, n_terms))
    best = np.inf
    for row in range(len(groups)):
        group_moments(sums, products, everything, groups[row], mean, spread)
        share = 0.0
        for c in range(n_classes):
            share += groups[row, c] * everything[c]
        discriminants(mean, spread, share / everything.sum(), directions)
        for k in range(len(directions)):
            normalise(directions[k])
            impurity = scan(
                terms, labels, sample_weights, everything, directions[k], modulus, bins
            )[0]
            if impurity < best:
                best = impurity
                chosen[:] = directions[k]
    return best


@kernel(real(reals2, integers, reals, reals, real, truth, integer, real, reals))
def descend(
    terms: Floats,
    labels: Ints,
    sample_weights: Floats,
    everything: Floats,
    impurity: float,
    modulus: bool,
    bins: int,
    last_step: float,
    direction: Floats,
) -> float:
    """Improve a direction in place by steps along each term, halved when none helps."""
    step = FIRST_STEP
    trial = direction.copy()
    while step >= last_step:
        improved = False
        for term in range(len(terms)):
            for sign in (-1.0, 1.0):
                trial[:] = direction
                trial[term] += sign * step
                normalise(trial)
                found = scan(terms, labels, sample_weights, everything, trial, modulus, bins)[0]
                if found < impurity - 1e-9:
                    impurity, improved = found, True
                    direction[:] = trial
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
    everything: Floats,
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
            terms, labels, sample_weights, everything, groups, modulus, bins, weights
        )
    else:
        normalise(weights)
        impurity = scan(terms, labels, sample_weights, everything, weights, modulus, bins)[0]
    if n_terms > 1 and impurity <= limit:
        descend(
            terms, labels, sample_weights, everything, impurity, modulus, bins, last_step, weights
        )
    impurity, low, high = scan(terms, labels, sample_weights, everything, weights, modulus, bins)
    offset = 0.0
    for term in range(n_terms):
        weights[term] /= moments[1, term]
        offset += weights[term] * moments[0, term]
    return impurity, low + offset, high + offset


@kernel(tuple_of((real, real, real))(reals2, integers, reals, reals, integers2, truth, reals))
def exact_edges(
    columns: Floats,
    labels: Ints,
    sample_weights: Floats,
    everything: Floats,
    exponents: Ints,
    modulus: bool,
    weights: Floats,
) -> tuple[float, float, float]:
    """Return the impurity and the edges of the best threshold or interval between samples."""
    terms = power_terms(columns, exponents)
    n_terms, n = terms.shape
    projection = np.zeros(n)
    for term in range(n_terms):
        for i in range(n):
            projection[i] += weights[term] * terms[term, i]
    order = np.argsort(projection)
    values = np.empty(n)
    histogram = np.zeros((n, len(everything)))
    atoms = 0
    for rank in range(n):
        value = projection[order[rank]]
        if atoms == 0 or value > values[atoms - 1]:
            values[atoms] = value
            atoms += 1
        histogram[atoms - 1, labels[order[rank]]] += sample_weights[order[rank]]
    histogram = histogram[:atoms]
    first = 0
    if modulus:
        impurity, first, last = best_interval(histogram, everything, max(1, atoms // 64))
    else:
        impurity, last = best_threshold(histogram, everything)
    low = values[0] - WIDE if first == 0 else 0.5 * (values[first - 1] + values[first])
    if last < 0:
        return impurity, low, values[0] - WIDE
    if last == atoms - 1:
        return impurity, low, values[last] + WIDE
    return impurity, low, 0.5 * (values[last] + values[last + 1])
