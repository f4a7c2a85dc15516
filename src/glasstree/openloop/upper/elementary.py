"""Exponentials and logistic losses of whole arrays, to nine digits, in loops that vectorise."""

import numpy as np

from glasstree.compiled import kernel, nothing, reals
from glasstree.policy.arrays import Floats

LARGEST = 700.0  # exp of more overflows
PER_OCTAVE = 0.6931471805599453  # log 2
ROUNDING = 1.5 * 2.0**52  # added, it leaves the nearest integer in the lowest bits
MANTISSA = 52  # bits of a float64 below its exponent
# (exp(r) - 1) / r for |r| <= log(2) / 2, interpolated at Chebyshev's nodes to ten digits
E2, E3, E4 = 0.5000000047117757, 0.16666666718997508, 0.04166635289677516
E5, E6, E7 = 0.008333298483754886, 0.0013941108433972674, 0.0001989927395864936
# atanh(s) / s in q = s^2 <= 1/9, likewise
L0, L1, L2 = 0.9999999999045031, 0.33333339513216986, 0.19999355623431167
L3, L4, L5 = 0.14310103704218619, 0.10699280253339272, 0.12196954042011512


@kernel(nothing(reals))
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
        series = E4 + r * (E5 + r * (E6 + r * E7))
        values[i] = 1.0 + r * (1.0 + r * (E2 + r * (E3 + r * series)))
    for i in range(n):
        bits[i] += octaves[i] << MANTISSA


@kernel(nothing(reals))
def logistic_losses(margins: Floats) -> None:
    """Replace each m by log(1 + exp -m), as 2 atanh(u / (2 + u)), u = exp -|m|."""
    n = len(margins)
    decays = np.empty(n)
    for i in range(n):
        decays[i] = -abs(margins[i])
    exponentiate(decays)
    for i in range(n):
        s = decays[i] / (2.0 + decays[i])
        q = s * s
        series = L0 + q * (L1 + q * (L2 + q * (L3 + q * (L4 + q * L5))))
        margins[i] = max(-margins[i], 0.0) + 2.0 * s * series
