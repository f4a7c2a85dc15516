"""Weights that tell sides apart without an error, where that can be: those of widest margin."""

import numpy as np
from scipy.optimize import linprog

from glasstree.openloop.lower.structure import NodeData
from glasstree.openloop.lower.terms import power_terms
from glasstree.policy.arrays import Floats, Ints

NEAREST = 500  # samples on each side of a boundary that say where it may lie


def sharpened(data: NodeData, exponents: Ints, weights: Floats, bias: float) -> Floats:
    """Return weights that err nowhere near the boundary, or the given ones if there are none.

    Each class is wanted on the side where most of it is.
    """
    terms = power_terms(data.columns, exponents)
    value = weights @ terms + bias
    balance = np.bincount(data.labels, data.sample_weights * np.sign(value), data.n_classes)
    wanted = np.where(balance[data.labels] > 0, 1.0, -1.0)
    sides = [np.flatnonzero(wanted == side) for side in (-1.0, 1.0)]
    deviations = terms.std(axis=1)
    if not all(map(len, sides)) or not deviations.all():
        return weights
    near = [rows[np.argsort(np.abs(value[rows]), kind="stable")[:NEAREST]] for rows in sides]
    rows = np.union1d(np.concatenate(near), np.flatnonzero(wanted * value < 0)[:NEAREST])
    scaled = (terms[:, rows] - terms.mean(axis=1)[:, np.newaxis]) / deviations[:, np.newaxis]
    found = _widest(scaled, wanted[rows])
    return weights if found is None else found / deviations


def _widest(terms: Floats, wanted: Floats) -> Floats | None:
    """Return the weights, none over 1, of the widest margin between two sides of (terms, n)."""
    n_terms, n = terms.shape
    signed = -wanted * np.vstack([terms, np.ones(n)])
    rows = np.column_stack([signed.T, np.ones(n)])
    costs = np.zeros(n_terms + 2)
    costs[-1] = -1.0
    bounds = [(-1.0, 1.0)] * n_terms + [(None, None), (None, 1.0)]
    found = linprog(costs, rows, np.zeros(n), bounds=bounds, method="highs")
    if not found.success or found.x[-1] <= 0.0:
        return None
    widest: Floats = found.x[:n_terms]
    return widest if widest.any() else None
