"""Mixed dipoles: a rule through the midpoint of two states of different classes."""

import numpy as np

from glasstree.policy.arrays import Floats, Ints


def mixed_dipoles(
    terms: Floats, labels: Ints, modulus: bool, count: int, generator: np.random.Generator
) -> Floats:
    """Return (count, terms + 2) weights, biases and widths, each with largest magnitude 1.

    terms: (terms, n). Two states of different classes are drawn; the weights are their
    difference in the space of terms, the bias puts the boundary midway between them.
    """
    n = len(labels)
    members = np.empty((count, len(terms) + 2))
    first = generator.integers(n, size=count)
    for member, one in zip(members, first, strict=True):
        others = np.flatnonzero(labels != labels[one])
        two = generator.choice(others) if len(others) else generator.integers(n)
        difference = terms[:, one] - terms[:, two]
        midpoint = 0.5 * (terms[:, one] + terms[:, two])
        member[:-2] = difference
        member[-2] = -difference @ midpoint
        member[-1] = 0.0
        member /= max(np.abs(member).max(), 1e-300)
        member[-1] = generator.random() if modulus else 0.0
    return members
