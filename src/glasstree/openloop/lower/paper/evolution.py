"""The genetic algorithm of the paper's lower level, compiled."""

import numpy as np

from glasstree.compiled import (
    integer,
    integers,
    kernel,
    nothing,
    random_generator,
    real,
    reals,
    reals2,
    truth,
)
from glasstree.openloop.lower.impurity import split_impurity
from glasstree.openloop.lower.sums import copy_row
from glasstree.policy.arrays import Floats, Ints


@kernel(real(reals2, integers, reals, reals, truth, reals))
def member_impurity(
    terms: Floats,
    labels: Ints,
    sample_weights: Floats,
    class_counts: Floats,
    modulus: bool,
    member: Floats,
) -> float:
    """Return the net impurity of one vector of weights, bias and width (F_L, Eq. 6)."""
    n_terms, n = terms.shape
    inside = np.zeros(len(class_counts))
    for i in range(n):
        value = member[n_terms]
        for term in range(n_terms):
            value += member[term] * terms[term, i]
        if modulus:
            value = abs(value) - abs(member[n_terms + 1])
        if value <= 0.0:
            inside[labels[i]] += sample_weights[i]
    return split_impurity(inside, class_counts)


@kernel(nothing(reals, reals, reals, reals, real, real, random_generator))
def cross(
    mother: Floats,
    father: Floats,
    one: Floats,
    two: Floats,
    probability: float,
    eta: float,
    generator: np.random.Generator,
) -> None:
    """Simulated binary crossover of two members within [-1, 1]."""
    copy_row(mother, one)
    copy_row(father, two)
    if generator.random() > probability:
        return
    for k in range(len(mother)):
        low, high = min(mother[k], father[k]), max(mother[k], father[k])
        if generator.random() > 0.5 or high - low < 1e-14:
            continue
        chance = generator.random()
        for side in range(2):
            room = low + 1.0 if side == 0 else 1.0 - high
            alpha = 2.0 - (1.0 + 2.0 * room / (high - low)) ** -(eta + 1.0)
            if chance <= 1.0 / alpha:
                beta = (chance * alpha) ** (1.0 / (eta + 1.0))
            else:
                beta = (1.0 / (2.0 - chance * alpha)) ** (1.0 / (eta + 1.0))
            middle, half = 0.5 * (low + high), 0.5 * beta * (high - low)
            child = middle - half if side == 0 else middle + half
            child = min(max(child, -1.0), 1.0)
            if side == 0:
                one[k] = child
            else:
                two[k] = child
        if generator.random() < 0.5:
            one[k], two[k] = two[k], one[k]


@kernel(nothing(reals, real, real, random_generator))
def mutate(member: Floats, probability: float, eta: float, generator: np.random.Generator) -> None:
    """Polynomial mutation within [-1, 1]."""
    for k in range(len(member)):
        if generator.random() > probability:
            continue
        low, high = (member[k] + 1.0) / 2.0, (1.0 - member[k]) / 2.0
        chance = generator.random()
        if chance < 0.5:
            base = 2.0 * chance + (1.0 - 2.0 * chance) * (1.0 - low) ** (eta + 1.0)
            shift = base ** (1.0 / (eta + 1.0)) - 1.0
        else:
            base = 2.0 * (1.0 - chance) + 2.0 * (chance - 0.5) * (1.0 - high) ** (eta + 1.0)
            shift = 1.0 - base ** (1.0 / (eta + 1.0))
        member[k] = min(max(member[k] + 2.0 * shift, -1.0), 1.0)


@kernel(
    real(reals2, integers, reals, reals, truth, reals2, integer, integer, real, random_generator)
)
def evolve_weights(
    terms: Floats,
    labels: Ints,
    sample_weights: Floats,
    class_counts: Floats,
    modulus: bool,
    population: Floats,
    generations: int,
    patience: int,
    tolerance: float,
    generator: np.random.Generator,
) -> float:
    """Evolve (members, terms + 2) in place, the best first; return its impurity."""
    size, width = population.shape
    both = np.empty((2 * size, width))
    scores = np.empty(2 * size)
    used = width if modulus else width - 1
    for k in range(size):
        copy_row(population[k], both[k])
        scores[k] = member_impurity(terms, labels, sample_weights, class_counts, modulus, both[k])
    history = np.full(generations + 1, np.inf)
    history[0] = scores[:size].min()
    for generation in range(1, generations + 1):
        for k in range(size, 2 * size, 2):
            parents = (size * generator.random(4)).astype(np.int64)
            mother = parents[0] if scores[parents[0]] <= scores[parents[1]] else parents[1]
            father = parents[2] if scores[parents[2]] <= scores[parents[3]] else parents[3]
            cross(both[mother], both[father], both[k], both[k + 1], 0.9, 3.0, generator)
            for child in (k, k + 1):
                mutate(both[child], 1.0 / used, 5.0, generator)
                scores[child] = member_impurity(
                    terms, labels, sample_weights, class_counts, modulus, both[child]
                )
        order = np.argsort(scores)
        both = both[order]
        scores = scores[order]
        history[generation] = scores[0]
        if generation >= patience:
            before = history[generation - patience]
            if before - scores[0] <= tolerance * before:
                break
    for k in range(size):
        copy_row(both[k], population[k])
    best: float = history[history < np.inf].min()
    return best
