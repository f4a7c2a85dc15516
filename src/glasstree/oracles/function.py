"""Any Python function as an oracle, whether it takes a batch of states or a single one."""

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from glasstree.errors import OracleError
from glasstree.oracles.guarded import ask
from glasstree.policy.arrays import Floats, Ints
from glasstree.timeout import PATIENCE, Watch

ROWS = 97  # of a first batch beyond the number of variables: no action has as many parts


class FunctionOracle:
    """A function of (n, variables) states, or of one state, that returns integer actions.

    Which of the two it is shows at the first call; batch says it in advance. A call that takes
    longer than timeout, in seconds, is broken off.

    >>> FunctionOracle(lambda state: int(state[0] > 0)).actions([[-1.0], [2.0]])
    array([0, 1])
    >>> FunctionOracle(lambda states: (states[:, 0] > 0).astype(int)).actions([[-1.0], [2.0]])
    array([0, 1])
    """

    n_variables = None
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
        self.who = f"oracle function {self.name!r}"
        self.batch = batch

    def actions(self, states: ArrayLike) -> Ints:
        """Return one action per state."""
        array = np.ascontiguousarray(states, dtype=np.float64)
        if not len(array):
            return np.zeros(0, dtype=np.int64)
        if self.batch is None:
            self.batch = self._takes_batches(array)
        results = self._ask(self._of_all if self.batch else self._of_each, array)
        return self._integers(results, len(array))

    def vectors(self, states: ArrayLike) -> Any:
        """Return the answers as they are: vectors for tasks whose actions are such."""
        array = np.ascontiguousarray(states, dtype=np.float64)
        if self.batch is None:
            self.batch = self._takes_batches(array)
        results = self._ask(self._of_all if self.batch else self._of_each, array)
        try:
            return np.asarray(results)
        except ValueError:
            raise OracleError(f"{self.who} returned vectors of different lengths") from None

    def preferences(self, states: ArrayLike) -> Floats | None:
        """Return None: a function tells actions alone."""
        return None

    def _takes_batches(self, states: Floats) -> bool:
        # More rows than variables: no function of a single state can give that shape.
        probe = np.resize(states, (states.shape[1] + ROWS, states.shape[1]))
        try:
            shape = self._ask(lambda _, own: np.shape(self.function(own)), probe)
        except OracleError as on_batch:
            self._try_one(states[0], on_batch)
            return False
        return bool(shape[:1] == (len(probe),) and len(shape) <= 2)

    def _try_one(self, state: Floats, on_batch: OracleError) -> None:
        """Refuse a function that fails on one state too."""
        reason = on_batch.__cause__
        if isinstance(reason, TimeoutError):
            raise on_batch
        try:
            self._ask(self._of_all, state)
        except OracleError as on_one:
            raise OracleError(
                f"{on_one} on one state, and {type(reason).__name__}: {reason} on a batch of "
                "states; it must accept either"
            ) from on_one

    def _ask(self, work: Callable[[Watch, Floats], Any], states: Floats) -> Any:
        return ask(self.who, work, states, self.timeout)

    def _of_all(self, _: Watch, states: Floats) -> Any:
        return self.function(states)

    def _of_each(self, watch: Watch, states: Floats) -> list[Any]:
        answers = []
        for state in states:
            answers.append(self.function(state))
            watch.beats += 1
        return answers

    def _integers(self, results: Any, count: int) -> Ints:
        try:
            array = np.asarray(results)
        except ValueError:
            array = np.empty(0, dtype=object)
        if array.shape == (count, 1):
            array = array[:, 0]
        if array.shape != (count,) or array.dtype.kind not in "iub":
            raise OracleError(
                f"{self.who} returned {array.dtype} of shape {array.shape} for "
                f"{count} states; it must return one integer action per state"
            )
        return array.astype(np.int64)
