"""Balanced data has its actions as equal as the records allow."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from glasstree.data import Dataset, balanced, regular
from glasstree.data.selection import fair_shares
from glasstree.errors import DataError

counts = st.lists(st.integers(0, 30), min_size=1, max_size=5)


def recorded(available: list[int]) -> Dataset:
    """Return states 0, 1, 2, ... with so many of each action, shuffled."""
    actions = np.repeat(np.arange(len(available)), available)
    actions = np.random.default_rng(0).permutation(actions)
    return Dataset(np.arange(float(len(actions)))[:, None], actions, len(available))


@given(counts, st.data())
def test_shares_add_up_and_are_as_equal_as_can_be(
    available: list[int], data: st.DataObject
) -> None:
    size = data.draw(st.integers(0, sum(available)))
    shares = fair_shares(available, size)
    assert sum(shares) == size
    assert all(share <= there for share, there in zip(shares, available, strict=True))
    short = [share for share, there in zip(shares, available, strict=True) if share < there]
    assert max(shares) - min(short, default=max(shares)) <= 1


@given(counts.filter(lambda available: sum(available) > 1), st.data())
def test_balanced_rows_are_records_taken_once(available: list[int], data: st.DataObject) -> None:
    everything = recorded(available)
    size = data.draw(st.integers(1, len(everything)))
    chosen = balanced(everything, size, np.random.default_rng(1))
    rows = chosen.states[:, 0].astype(int)
    assert len(set(rows)) == len(chosen) == size
    assert chosen.actions.tolist() == everything.actions[rows].tolist()
    assert chosen.counts.tolist() == fair_shares(available, size)


def test_regular_data_are_the_first_records() -> None:
    chosen = regular(recorded([5, 5]), 4)
    assert chosen.states[:, 0].tolist() == [0.0, 1.0, 2.0, 3.0]


@pytest.mark.parametrize("size", [11, 1000])
def test_more_than_was_recorded_is_refused(size: int) -> None:
    with pytest.raises(DataError, match=f"only 10 of {size} states were recorded"):
        regular(recorded([5, 5]), size)
    with pytest.raises(DataError, match=f"only 10 of {size} states were recorded"):
        balanced(recorded([5, 5]), size, np.random.default_rng(0))
