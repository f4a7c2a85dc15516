"""Any Python function as an oracle, of a batch of states or of one, and any module of torch."""

import sys
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from glasstree.errors import OracleError
from glasstree.oracles.base import Meaning
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


def is_module(thing: Any) -> bool:
    """Tell whether something is a module of torch, without importing that.

    >>> is_module(len)
    False
    """
    torch = sys.modules.get("torch")
    return torch is not None and isinstance(thing, torch.nn.Module)


class ModuleOracle:
    """A module from (n, variables) states to n actions, or to (n, actions) values.

    Of several outputs the first counts; it is asked as in use, without dropout.
    """

    n_variables = None
    n_actions = None
    meaning: Meaning | None = None

    def __init__(self, module: Any) -> None:
        self.module, self.who = module, f"module {type(module).__name__!r}"

    @property
    def n_parameters(self) -> int:
        """Number of weights."""
        return sum(int(weights.numel()) for weights in self.module.parameters())

    def actions(self, states: ArrayLike) -> Ints:
        """Return the action of each state."""
        result = self.vectors(states)
        if result.dtype.kind in "iub" and result.size == len(result):
            return np.asarray(result.reshape(len(result)), dtype=np.int64)
        if result.ndim != 2 or result.shape[1] == 1:
            raise OracleError(
                f"{self.who} returned {result.dtype} of shape {result.shape} for {len(result)} "
                "states; an oracle needs one output an action, or actions as integers"
            )
        return np.asarray(result.argmax(axis=1), dtype=np.int64)

    def vectors(self, states: ArrayLike) -> Any:
        """Return the output as it is, for tasks whose actions are vectors."""
        result = ask(self.who, lambda _, own: self._run(own), states)
        count = len(np.asarray(states))
        if result.shape[:1] != (count,):
            raise OracleError(f"{self.who} returned shape {result.shape} for {count} states")
        return result

    def preferences(self, states: ArrayLike) -> Floats | None:
        """Return None: nothing tells whether the numbers are values or probabilities."""
        return None

    def _run(self, states: Floats) -> Any:
        import torch

        like = next(self.module.parameters(), torch.empty(0))
        training = self.module.training
        self.module.eval()
        try:
            with torch.no_grad():
                output = self.module(torch.as_tensor(states, dtype=like.dtype, device=like.device))
        finally:
            self.module.train(training)
        first = output[0] if isinstance(output, tuple | list) else output
        return np.asarray(first.detach().cpu().numpy())
