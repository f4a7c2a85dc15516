"""Where a rule changes its mind when one variable moves and the others stay."""

import numpy as np

from glasstree.policy import Rule
from glasstree.policy.arrays import Floats
from glasstree.policy.scaling import HIGHEST, LOWEST

REAL = 1e-7  # share by which a real root may be off the real axis


def crossings(rule: Rule, variables: Floats, variable: int) -> list[float]:
    """Return the values of one variable, as the rule reads it, at which f is zero.

    A normalised one stays within the clip; a raw one has no limits.

    >>> [round(v, 9) for v in crossings(Rule([[2]], [1.0], -2.25), np.ones(1), 0)]
    [1.5]
    """
    others = rule.exponents.copy()
    others[:, variable] = 0
    powers = rule.exponents[:, variable]
    with np.errstate(all="ignore"):
        factors = rule.weights * np.prod(variables ** others.astype(float), axis=1)
    found: list[float] = []
    low, high = (-np.inf, np.inf) if rule.raw else (LOWEST, HIGHEST)
    for width in (0.0,) if rule.width is None else (rule.width, -rule.width):
        sums = {0: rule.bias - width}
        for power, factor in zip(powers.tolist(), factors.tolist(), strict=True):
            sums[power] = sums.get(power, 0.0) + factor
        found += [root for root in _roots(sums) if low < root < high]
    return sorted(set(found))


def _roots(sums: dict[int, float]) -> list[float]:
    """Return the real roots of sum_k c_k v^k, negative powers among them."""
    lowest, highest = min(sums), max(sums)
    polynomial = np.array([sums.get(power, 0.0) for power in range(highest, lowest - 1, -1)])
    largest = np.abs(polynomial).max()
    if not np.isfinite(largest) or largest == 0.0:
        return []
    try:
        with np.errstate(all="ignore"):
            roots = np.roots(polynomial / largest)
    except np.linalg.LinAlgError:
        return []
    real = roots.real[np.abs(roots.imag) <= REAL * np.maximum(1.0, np.abs(roots.real))]
    return [float(root) for root in real if np.isfinite(root)]
