"""How right predictions are, and how far shares can be relied on."""

import numpy as np
import pytest

from glasstree.tables.figures import Confusion, Distances, Scored
from glasstree.tables.shares import Reliability


def test_labels_that_are_as_often_right_as_expected_have_no_error() -> None:
    shares = np.repeat([0.55, 0.95], 20)
    right = np.concatenate([np.arange(20) < 11, np.arange(20) < 19])
    found = Reliability.of(shares, right)
    assert [(tenth.rows, tenth.right) for tenth in found.tenths] == [(20, 0.55), (20, 0.95)]
    assert found.error == pytest.approx(0.0)
    boasting = Reliability.of(np.full(40, 1.0), right)
    assert boasting.error == pytest.approx(0.25)
    both = Reliability.of(shares, np.tile(np.arange(20) < 15, 2))
    assert both.error == pytest.approx(0.2)


def test_what_is_scored_tells_its_reliability() -> None:
    plain = Confusion.of(["a", "b"], ["a", "a"])
    assert Scored(plain.names, plain.counts).figures()["reliability"] is None
    relied = Reliability.of(np.array([0.9, 0.9]), np.array([True, False]))
    figures = Scored(plain.names, plain.counts, relied).figures()
    assert figures["reliability"]["error"] == pytest.approx(0.4)
    assert figures["accuracy"] == 0.5


def test_the_mean_explains_nothing_and_the_truth_everything() -> None:
    right = np.array([1.0, 2.0, 6.0])
    assert Distances.of(right, np.full(3, 3.0)).r2 == 0.0
    assert Distances.of(right, right) == Distances(3, 1.0, 0.0, 0.0)
    assert Distances.of(np.ones(2), np.ones(2)).r2 == 1.0
    assert Distances.of(right, right + 2.0).mean_error == 2.0
