"""Exponentials and logistic losses of whole arrays, to nine digits, in loops that vectorise."""

import numpy as np

from glasstree.compiled import kernel, nothing, reals
from glasstree.policy.arrays import Floats

LARGEST = 700.0
PER_OCTAVE = 0.6931471805599453
ROUNDING = 1.5 * 2.0**52
MANTISSA = 52


@kernel(nothing(reals), fastmath={"contract"})
def exponentiate(values: Floats) -> None:
    """Replace each x by exp x: 2^k exp r with |r| <= log(2) / 2, k added to the exponent's bits."""
    n = len(values)
    rounded = np.empty(n)
    octaves, bits = rounded.view(np.int64), values.view(np.int64)
    for i in range(n):
        x = values[i]
        x = x if x < LARGEST else LARGEST
        x = x if x > -LARGEST else -LARGEST
        shifted = x * (1.0 / PER_OCTAVE) + ROUNDING
        rounded[i] = shifted
        r = x - (shifted - ROUNDING) * PER_OCTAVE
        high = 1 / 5040 + r * (1 / 40320 + r * (1 / 362880))
        values[i] = 1 + r * (
            1 + r * (1 / 2 + r * (1 / 6 + r * (1 / 24 + r * (1 / 120 + r * (1 / 720 + r * high)))))
        )
    for i in range(n):
        bits[i] += octaves[i] << MANTISSA


@kernel(nothing(reals), fastmath={"contract"})
def logistic_losses(margins: Floats) -> None:
    """Replace each m by log(1 + exp -m), by the series of 2 atanh(u / (2 + u)), u = exp -|m|."""
    n = len(margins)
    decays = np.empty(n)
    for i in range(n):
        decays[i] = -abs(margins[i])
    exponentiate(decays)
    for i in range(n):
        s = decays[i] / (2.0 + decays[i])
        q = s * s
        high = 1 / 11 + q * (1 / 13 + q * (1 / 15 + q * (1 / 17 + q * (1 / 19))))
        series = 1 + q * (1 / 3 + q * (1 / 5 + q * (1 / 7 + q * (1 / 9 + q * high))))
        margins[i] = max(-margins[i], 0.0) + 2.0 * s * series
