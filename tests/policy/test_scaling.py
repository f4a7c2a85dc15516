"""Normalised states stay between 0.5 and 2.5, whatever comes in."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from glasstree.errors import DataError
from glasstree.policy import Scaling
from glasstree.policy.arrays import Floats
from strategies import numbers, scalings, states_of

tables = arrays(np.float64, st.tuples(st.integers(1, 8), st.integers(1, 4)), elements=numbers)


@given(st.data())
def test_every_state_lands_in_the_clip(data: st.DataObject) -> None:
    scaling = data.draw(scalings(3))
    normalised = scaling.normalise(data.draw(states_of(scaling)))
    assert ((normalised >= 0.5) & (normalised <= 2.5)).all()


@given(tables)
def test_what_was_seen_lands_between_one_and_two(states: Floats) -> None:
    try:
        scaling = Scaling.fit(states)
    except DataError:
        with np.errstate(over="ignore"):
            assert not np.isfinite(np.ptp(states, axis=0)).all()
        return
    normalised = scaling.normalise(states)
    assert ((normalised >= 1.0) & (normalised <= 2.0)).all()
    for column in np.flatnonzero(scaling.span > 0):
        assert {1.0, 2.0} <= set(normalised[:, column])


@given(st.data())
def test_order_is_kept(data: st.DataObject) -> None:
    scaling = data.draw(scalings(1))
    states = np.sort(data.draw(states_of(scaling)), axis=0)
    assert (np.diff(scaling.normalise(states)[:, 0]) >= 0).all()


@given(numbers, st.lists(numbers, min_size=1, max_size=5))
def test_a_constant_column_maps_to_one_for_any_state(value: float, others: list[float]) -> None:
    scaling = Scaling.fit(np.full((3, 1), value))
    assert set(scaling.normalise([[other] for other in others]).ravel()) == {1.0}


def test_normalising_does_not_change_its_argument() -> None:
    states = np.array([[3.0, 4.0]])
    Scaling([3.0, 0.0], [3.0, 1.0]).normalise(states)
    assert states.tolist() == [[3.0, 4.0]]


@pytest.mark.parametrize(
    "low, high",
    [
        ([0.0], [1.0, 2.0]),
        ([2.0], [1.0]),
        ([np.nan], [1.0]),
        ([0.0], [np.inf]),
        ([-1e308], [1e308]),
    ],
)
def test_ranges_that_make_no_sense_are_refused(low: list[float], high: list[float]) -> None:
    with pytest.raises(ValueError, match="minimum"):
        Scaling(low, high)


def test_a_range_beyond_numbers_names_the_column_and_the_way_out() -> None:
    states = np.array([[0.0, -1e308], [1.0, 1e308]])
    with pytest.raises(DataError, match=r"column 1 runs from .*; rescale it or remove"):
        Scaling.fit(states)
