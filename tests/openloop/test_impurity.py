"""Scanning finds the best thresholds and intervals there are."""

import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from glasstree.openloop.lower.impurity import best_interval, best_threshold, gini, split_impurity

tables = (
    st.integers(2, 4)
    .flatmap(
        lambda classes: st.lists(
            st.lists(st.integers(0, 9), min_size=classes, max_size=classes), min_size=2, max_size=12
        )
    )
    .map(lambda rows: np.array(rows, dtype=np.float64))
)


def net_impurity(inside: np.ndarray, outside: np.ndarray) -> float:
    """Return the weighted Gini of two children, as the paper writes it."""
    total = inside.sum() + outside.sum()
    return float((inside.sum() * gini(inside) + outside.sum() * gini(outside)) / total)


@given(tables.filter(lambda table: table.sum() > 0))
def test_no_threshold_is_better_than_the_one_found(table: np.ndarray) -> None:
    class_counts = table.sum(axis=0)
    found, _ = best_threshold(table, class_counts)
    every = [
        net_impurity(table[:cut].sum(axis=0), table[cut:].sum(axis=0)) for cut in range(len(table))
    ]
    assert found == pytest.approx(min(every), abs=1e-12)


@given(tables.filter(lambda table: table.sum() > 0))
def test_no_interval_is_better_than_the_one_found_with_all_pairs(table: np.ndarray) -> None:
    class_counts = table.sum(axis=0)
    found, first, last = best_interval(table, class_counts, 1)
    every = [
        net_impurity(table[a : b + 1].sum(axis=0), class_counts - table[a : b + 1].sum(axis=0))
        for a, b in itertools.combinations_with_replacement(range(len(table)), 2)
    ]
    assert found == pytest.approx(min(every), abs=1e-12)
    inside = table[first : last + 1].sum(axis=0)
    assert split_impurity(inside, class_counts) == pytest.approx(found, abs=1e-12)


def test_both_ends_move_to_where_coarse_steps_do_not_come() -> None:
    inside = np.array([0.0, 5.0, 5.0, 5.0, 5.0, 5.0, 0.0, 0.0])
    table = np.column_stack([inside, 5.0 - inside])
    assert best_interval(table, table.sum(axis=0), 4) == (0.0, 1, 5)
