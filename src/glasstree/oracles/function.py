"""Any Python function as an oracle, whether it takes a batch of states or a single one."""

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from glasstree.errors import OracleError
from glasstree.oracles.patience import within
from glasstree.policy.arrays import Floats, Ints

PATIENCE = 300.0


class FunctionOracle:
    """A function of (n, variables) states, or of one state, that returns integer actions.

    Which of the two it is shows at the first call; batch says it in advance. A call that takes
    longer than timeout, in seconds, is broken off.

    >>> FunctionOracle(lambda state: int(state[0] > 0)).actions([[-1.0], [2.0]])
    array([0, 1])
    >>> FunctionOracle(lambda states: (states[:, 0] > 0).astype(int)).actions([[-1.0], [2.0]])
    array([0, 1])
    """

    width = None
    n_actions = None
    meaning = None

    def __init__(
        self,
        function: Callable[..., Any],
        name: str | None = None,
        batch: bool | None = None,
        timeout: float = PATIENCE,
    ) -> None:
        self.function, self.timeout = function, timeout
        self.name = name or getattr(function, "__name__", type(function).__name__)
        self.batch = batch

    def actions(self, states: ArrayLike) -> Ints:
        """Return one action a state."""
        array = np.ascontiguousarray(states, dtype=np.float64)
        if not len(array):
            return np.zeros(0, dtype=np.int64)
        if self.batch is None:
            self.batch = self._takes_batches(array)
        results = self._call(array) if self.batch else [self._call(state) for state in array]
        return self._integers(results, len(array))

    def preferences(self, states: ArrayLike) -> Floats | None:
        """Return None: a function tells actions alone."""
        return None

    def _takes_batches(self, states: Floats) -> bool:
        # One row more than variables: no function of a single state can give that shape.
        probe = np.resize(states, (states.shape[1] + 1, states.shape[1]))
        try:
            with within(self.timeout):
                if np.shape(self.function(probe)) == (len(probe),):
                    return True
        except TimeoutError as error:
            raise self._too_slow(error) from error
        except Exception as error:
            on_batch = f"{type(error).__name__}: {error}"
        else:
            return False
        try:
            with within(self.timeout):
                self.function(states[0].copy())
        except Exception as error:
            raise OracleError(
                f"oracle function {self.name!r} raised {type(error).__name__}: {error} on one "
                f"state, and {on_batch} on a batch of states; it must accept either"
            ) from error
        return False

    def _call(self, states: Floats) -> Any:
        try:
            with within(self.timeout):
                return self.function(states)
        except TimeoutError as error:
            raise self._too_slow(error) from error
        except Exception as error:
            raise OracleError(
                f"oracle function {self.name!r} raised {type(error).__name__}: {error}"
            ) from error

    def _too_slow(self, error: TimeoutError) -> OracleError:
        return OracleError(
            f"oracle function {self.name!r} timed out: {error or 'no answer'}; make it answer, and "
            "go on with --resume"
        )

    def _integers(self, results: Any, count: int) -> Ints:
        try:
            array = np.asarray(results)
        except ValueError:
            array = np.empty(0, dtype=object)
        if array.shape == (count, 1):
            array = array[:, 0]
        if array.shape != (count,) or array.dtype.kind not in "iub":
            raise OracleError(
                f"oracle function {self.name!r} returned {array.dtype} of shape {array.shape} for "
                f"{count} states; it must return one integer action a state"
            )
        return array.astype(np.int64)
