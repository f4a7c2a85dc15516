"""A rule with real exponents as a logistic model, and its damped Newton steps, compiled.

sign(f), f = z or z^2 - tau for a modulus, z = sum_i w_i exp(sum_j b_ij log x_j) + bias.

docs/algorithm.md, section 4.
"""

import numpy as np

from glasstree.compiled import (
    integer,
    integers2,
    kernel,
    nothing,
    real,
    reals,
    reals2,
    truth,
)
from glasstree.openloop.lower.moments import solve_small
from glasstree.openloop.lower.sums import copy_row, dot, products_of_rows
from glasstree.openloop.upper.elementary import exponentiate, logistic_losses
from glasstree.policy.arrays import Floats, Ints

RIDGE = 1e-4  # price of a squared weight or exponent: keeps the curvature invertible
ENOUGH = 1e-4  # share of the loss: a step that gains less is the last


@kernel(nothing(reals, reals, real, truth, reals))
def fill_margins(target: Floats, sums: Floats, tau: float, modulus: bool, margins: Floats) -> None:
    """Fill in how far each state lies on its right side."""
    for i in range(len(target)):
        margins[i] = target[i] * (sums[i] * sums[i] - tau if modulus else sums[i])


@kernel(real(reals2, reals, reals, reals2, reals, truth, reals2, reals))
def relaxed_loss(
    logs: Floats,
    target: Floats,
    sample_weights: Floats,
    exponents: Floats,
    weights: Floats,
    modulus: bool,
    terms: Floats,
    sums: Floats,
) -> float:
    """Return the loss of the model and fill in its terms (terms, n) and sums z (n,).

    weights: those of the terms, then bias and tau; target: -1 or 1.
    """
    n_terms, n_variables = exponents.shape
    n = len(target)
    sums[:] = weights[n_terms]
    for term in range(n_terms):
        terms[term] = 0.0
        for variable in range(n_variables):
            exponent = exponents[term, variable]
            if exponent != 0.0:
                for i in range(n):
                    terms[term, i] += exponent * logs[variable, i]
        exponentiate(terms[term])
        for i in range(n):
            sums[i] += weights[term] * terms[term, i]
    margins = np.empty(n)
    fill_margins(target, sums, weights[n_terms + 1], modulus, margins)
    logistic_losses(margins)
    loss = dot(sample_weights, margins) / dot(sample_weights, np.ones(n))
    for term in range(n_terms + 1):
        loss += RIDGE * weights[term] * weights[term]
    for term in range(n_terms):
        for variable in range(n_variables):
            loss += RIDGE * exponents[term, variable] * exponents[term, variable]
    return loss


@kernel(
    nothing(reals2, reals, reals, reals2, reals, truth, integers2, reals2, reals, reals, reals2),
)
def normal_equations(
    logs: Floats,
    target: Floats,
    sample_weights: Floats,
    exponents: Floats,
    weights: Floats,
    modulus: bool,
    free: Ints,
    terms: Floats,
    sums: Floats,
    gradient: Floats,
    curvature: Floats,
) -> None:
    """Fill in gradient and Gauss-Newton curvature over weights, bias, tau and free exponents."""
    n_terms, n = terms.shape
    size = n_terms + 2 + len(free)
    slopes = np.empty((size, n))
    pull, force = np.empty(n), np.empty(n)
    mass = dot(sample_weights, np.ones(n))
    odds = np.empty(n)
    fill_margins(target, sums, weights[n_terms + 1], modulus, odds)
    exponentiate(odds)
    for i in range(n):
        wrong = 1.0 / (1.0 + odds[i])
        pull[i] = -sample_weights[i] * target[i] * wrong / mass
        force[i] = np.sqrt(sample_weights[i] * max(wrong * (1.0 - wrong), 1e-6) / mass)
    outer = slopes[n_terms]
    for i in range(n):
        outer[i] = 2.0 * sums[i] if modulus else 1.0
    slopes[n_terms + 1] = -1.0 if modulus else 0.0
    for term in range(n_terms):
        for i in range(n):
            slopes[term, i] = outer[i] * terms[term, i]
    for k in range(len(free)):
        term, variable = free[k, 0], free[k, 1]
        for i in range(n):
            slopes[n_terms + 2 + k, i] = weights[term] * slopes[term, i] * logs[variable, i]
    for a in range(size):
        gradient[a] = dot(slopes[a], pull)
        for i in range(n):
            slopes[a, i] *= force[i]
    products_of_rows(slopes, curvature)
    for a in range(size):
        curvature[a, a] += 2.0 * RIDGE
    for a in range(n_terms + 1):
        gradient[a] += 2.0 * RIDGE * weights[a]
    for k in range(len(free)):
        gradient[n_terms + 2 + k] += 2.0 * RIDGE * exponents[free[k, 0], free[k, 1]]


@kernel(real(reals2, reals, reals, reals2, reals, truth, integers2, real, integer))
def fit_relaxed(
    logs: Floats,
    target: Floats,
    sample_weights: Floats,
    exponents: Floats,
    weights: Floats,
    modulus: bool,
    free: Ints,
    largest: float,
    rounds: int,
) -> float:
    """Improve exponents and weights in place by damped Newton steps; return the loss."""
    n_terms = len(exponents)
    size = n_terms + 2 + len(free)
    terms, sums = np.empty((n_terms, len(target))), np.empty(len(target))
    gradient, step = np.empty(size), np.empty(size)
    curvature, damped = np.empty((size, size)), np.empty((size, size))
    problem = (logs, target, sample_weights)
    loss = relaxed_loss(*problem, exponents, weights, modulus, terms, sums)
    damping = 1e-2
    for _ in range(rounds):
        normal_equations(
            *problem, exponents, weights, modulus, free, terms, sums, gradient, curvature
        )
        before = loss
        for _ in range(6):
            for a in range(size):
                for b in range(size):
                    damped[a, b] = curvature[a, b]
                damped[a, a] += damping * (curvature[a, a] + 1e-6)
            solve_small(damped, gradient, step)
            trial, bent = weights.copy(), exponents.copy()
            for a in range(n_terms + 2):
                trial[a] -= step[a]
            for k in range(len(free)):
                moved = exponents[free[k, 0], free[k, 1]] - step[n_terms + 2 + k]
                bent[free[k, 0], free[k, 1]] = min(max(moved, -largest), largest)
            found = relaxed_loss(*problem, bent, trial, modulus, terms, sums)
            if found < loss:
                loss = found
                copy_row(trial, weights)
                for term in range(n_terms):
                    copy_row(bent[term], exponents[term])
                damping = max(damping / 4.0, 1e-7)
                break
            damping *= 4.0
        if before - loss < ENOUGH * before:
            break
    return loss
