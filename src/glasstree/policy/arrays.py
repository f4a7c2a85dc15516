"""The array types of the project, and the checks that states from outside must pass."""

from typing import Any, Protocol

import numpy as np
from numpy.typing import ArrayLike, NDArray

from glasstree.errors import DataError

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Bools = NDArray[np.bool_]

MOST_VARIABLES = 4096  # of a state: more are an image, which no rule can explain
MOST_ACTIONS = 4096  # of a task: more are a quantity, not a choice


class Policy(Protocol):
    """Anything that turns (n, variables) states into n actions."""

    def actions(self, states: Floats, /) -> Ints:
        """Return one action per state."""
        ...


def frozen(values: ArrayLike, kind: Any) -> NDArray[Any]:
    """Copy values to a read-only contiguous array."""
    array = np.array(values, dtype=kind, order="C")
    array.setflags(write=False)
    return array


def checked_states(states: ArrayLike, n_variables: int) -> Floats:
    """Return states as an (n, variables) array of finite numbers, or say what is wrong."""
    try:
        array = np.ascontiguousarray(states, dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise DataError(f"states must be numbers: {error}") from None
    if array.ndim != 2 or array.shape[1] != n_variables:
        raise DataError(
            f"states have shape {array.shape}; this policy expects (n, {n_variables}), "
            "one row per state, one column per variable"
        )
    if not np.isfinite(array).all():
        row, column = np.argwhere(~np.isfinite(array))[0]
        raise DataError(
            f"state {row} has {array[row, column]} in column {column}; "
            "remove or replace values that are not finite numbers"
        )
    return array if array.flags.writeable else array.copy()
