"""Labelled states are checked once, when they come in."""

import io
from pathlib import Path
from tempfile import NamedTemporaryFile

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from glasstree.data import Dataset
from glasstree.errors import DataError


def small() -> Dataset:
    """Three states of two variables, two actions."""
    return Dataset.of([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]], [0, 2, 2], 3)


def content() -> bytes:
    """The bytes of a small dataset's file."""
    buffer = io.BytesIO()
    np.savez_compressed(buffer, states=small().states, actions=small().actions, n_actions=3)
    return buffer.getvalue()


def from_bytes(content: bytes) -> Dataset:
    """Load a dataset from a file with this content."""
    with NamedTemporaryFile(suffix=".npz") as file:
        file.write(content)
        file.flush()
        return Dataset.load(file.name)


def test_counts_know_actions_that_never_occur() -> None:
    assert small().counts.tolist() == [1, 0, 2]


def test_a_dataset_comes_back_from_its_file(tmp_path: Path) -> None:
    small().save(tmp_path / "data.npz")
    again = Dataset.load(tmp_path / "data.npz")
    assert again.states.tolist() == small().states.tolist()
    assert again.actions.tolist() == small().actions.tolist()
    assert again.n_actions == 3


@pytest.mark.parametrize(
    "states, actions, words",
    [
        ([[1.0], [np.nan]], [0, 1], "state 1 has nan in column 0"),
        ([[1.0], [-np.inf]], [0, 1], "state 1 has -inf in column 0"),
        ([1.0, 2.0], [0, 1], "states have shape"),
        ([[1.0], [2.0]], [0, 1, 1], "2 states came with actions of shape"),
        ([[1.0], [2.0]], [0, 3], "integers from 0 to 2"),
        ([[1.0], [2.0]], [0, -1], "integers from 0 to 2"),
        ([[1.0], [2.0]], [0.0, 1.0], "integers from 0 to 2"),
    ],
)
def test_bad_states_and_actions_are_refused(states: object, actions: object, words: str) -> None:
    with pytest.raises(DataError, match=words):
        Dataset.of(states, actions, 3)  # type: ignore[arg-type]


@given(st.integers(0, len(content()) - 1))
def test_a_file_cut_anywhere_is_refused(length: int) -> None:
    with pytest.raises(DataError, match="cannot read dataset"):
        from_bytes(content()[:length])


@given(st.integers(0, len(content()) - 1), st.integers(0, 255))
def test_a_changed_byte_gives_data_or_a_data_error(place: int, value: int) -> None:
    changed = bytearray(content())
    changed[place] = value
    try:
        data = from_bytes(bytes(changed))
    except DataError:
        return
    assert len(data) == len(data.states)


def test_files_that_are_none_are_refused(tmp_path: Path) -> None:
    np.savez(tmp_path / "other.npz", weights=np.ones(3))
    np.save(tmp_path / "array.npy", np.ones(3))
    np.savez(tmp_path / "objects.npz", states=np.array([{}]), actions=[0], n_actions=1)
    for name in ("none.npz", "other.npz", "array.npy", "objects.npz"):
        with pytest.raises(DataError, match=f"cannot read dataset '.*{name}'"):
            Dataset.load(tmp_path / name)
