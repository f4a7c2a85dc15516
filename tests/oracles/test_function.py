"""Python functions as oracles."""

import time

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from glasstree.errors import OracleError
from glasstree.oracles import FunctionOracle

ONE_STATE = {
    "branch": lambda s: 1 if s[1] + s[0] > 0 else 0,
    "integer": lambda s: int(s[0] + s[1] > 0),
    "boolean": lambda s: s[0] + s[1] > 0,
    "argmax": lambda s: np.argmax([-(s[0] + s[1]), 0.0 if s[0] + s[1] <= 0 else 1.0]),
}
BATCH = {
    "columns": lambda s: (s[:, 0] + s[:, 1] > 0).astype(int),
    "booleans": lambda s: s[:, 0] + s[:, 1] > 0,
    "list": lambda s: [int(a + b > 0) for a, b in s[:, :2]],
}


@given(count=st.integers(1, 9), width=st.integers(2, 6), seed=st.integers(0, 5))
@pytest.mark.parametrize("function", [*ONE_STATE.values(), *BATCH.values()])
def test_functions_of_one_state_and_of_batches_agree(function, count, width, seed):
    states = np.random.default_rng(seed).normal(size=(count, width))
    expected = (states[:, 0] + states[:, 1] > 0).astype(np.int64)
    actions = FunctionOracle(function).actions(states)
    assert actions.dtype == np.int64
    np.testing.assert_array_equal(actions, expected)


def test_a_function_tells_no_preferences():
    oracle = FunctionOracle(len)
    assert oracle.preferences(np.zeros((1, 2))) is None
    assert oracle.meaning is None


def test_no_states_no_actions():
    assert FunctionOracle(len).actions(np.zeros((0, 3))).shape == (0,)


def fail_on_large(states):
    if np.max(states) > 5.0:
        raise ZeroDivisionError("too large")
    return np.zeros(len(states), dtype=int)


@pytest.mark.parametrize(
    ("function", "words"),
    [
        (lambda s: s[:, 0] / 0 if False else s[:, 0], "float64"),
        (lambda s: float(s[0]), "float64"),
        (lambda s: "left", "integer action"),
        (lambda s: None, "object"),
        (lambda s: undefined_name, "NameError"),  # noqa: F821
        (lambda: 0, "TypeError"),
    ],
)
def test_misbehaviour_is_told_in_one_sentence(function, words):
    with pytest.raises(OracleError, match=words) as caught:
        FunctionOracle(function).actions(np.ones((4, 2)))
    assert "\n" not in str(caught.value)


def test_raising_later_is_told_too():
    oracle = FunctionOracle(fail_on_large)
    oracle.actions(np.zeros((3, 2)))
    with pytest.raises(OracleError, match=r"'fail_on_large' raised ZeroDivisionError: too large"):
        oracle.actions(np.full((3, 2), 9.0))


def test_a_function_that_does_not_answer_is_broken_off() -> None:
    def hang(states: object) -> None:
        time.sleep(60.0)

    def late(states: np.ndarray) -> np.ndarray:
        if len(states) == 4:
            time.sleep(60.0)
        return np.zeros(len(states), dtype=int)

    for function in (hang, late):
        started = time.perf_counter()
        with pytest.raises(OracleError, match=r"timed out: no answer within 0\.05 s; make it"):
            FunctionOracle(function, timeout=0.05).actions(np.ones((4, 2)))
        assert time.perf_counter() - started < 30


def test_a_service_that_times_out_is_said() -> None:
    def remote(states: np.ndarray) -> None:
        raise TimeoutError("the model server")

    with pytest.raises(OracleError, match="'remote' timed out: the model server"):
        FunctionOracle(remote).actions(np.ones((4, 2)))
