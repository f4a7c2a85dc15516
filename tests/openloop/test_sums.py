"""Sums of products: right for every length, and added in the same order on every processor."""

import numpy as np
import pytest

from glasstree.digests import PACKAGE
from glasstree.openloop.projection import mean_square
from glasstree.openloop.sums import LANES, dot, products_of_rows


def in_lanes(x: np.ndarray, y: np.ndarray) -> float:
    """Add products one after another in eight lanes, then neighbouring lanes, then the rest."""
    whole = len(x) // LANES * LANES
    lanes = np.zeros(LANES)
    for start in range(0, whole, LANES):
        lanes += x[start : start + LANES] * y[start : start + LANES]
    while len(lanes) > 1:
        lanes = lanes[::2] + lanes[1::2]
    total = float(lanes[0])
    for i in range(whole, len(x)):
        total += x[i] * y[i]
    return total


@pytest.mark.parametrize("n", [0, 1, 7, 8, 9, 16, 1003])
def test_the_order_of_a_sum_is_fixed(n: int) -> None:
    x, y = np.random.default_rng(n).normal(size=(2, n))
    assert dot(x, y) == in_lanes(x, y)


@pytest.mark.parametrize("size", range(1, 11))
def test_products_of_rows_are_those_of_each_pair(size: int) -> None:
    rows = np.random.default_rng(size).normal(size=(size, 101))
    products = np.full((size, size), np.nan)
    products_of_rows(rows, products)
    assert products.tolist() == [[in_lanes(a, b) for b in rows] for a in rows]


def test_mean_squares_are_weighted() -> None:
    projection, weights = np.array([1.0, -2.0, 3.0]), np.array([1.0, 0.5, 2.0])
    assert mean_square(projection, weights, np.array([1.5, 2.0])) == 21.0 / 3.5


def test_no_kernel_may_round_otherwise_elsewhere() -> None:
    sources = {path: path.read_text() for path in PACKAGE.rglob("*.py")}
    assert [path for path, text in sources.items() if "fastmath" in text] == []
