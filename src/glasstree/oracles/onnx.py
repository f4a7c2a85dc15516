"""ONNX networks as oracles."""

from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from glasstree.errors import MissingExtraError, OracleError
from glasstree.oracles.base import Meaning
from glasstree.policy.arrays import Floats, Ints, checked_states

INTEGERS = ("tensor(int64)", "tensor(int32)")
FLOATS = {"tensor(float)": np.float32, "tensor(double)": np.float64}


class OnnxOracle:
    """A network of one (n, variables) input; the first output is actions or (n, actions) values."""

    def __init__(self, path: str | Path) -> None:
        self.path = path
        self.session = _session(path)
        inputs, self.output = self.session.get_inputs(), self.session.get_outputs()[0]
        if len(inputs) != 1 or len(inputs[0].shape) != 2 or inputs[0].type not in FLOATS:
            wanted = [f"{i.name}: {i.type} {i.shape}" for i in inputs]
            raise OracleError(f"{path}: expected one float input (n, variables), found {wanted}")
        self.input = inputs[0]
        self.tells_actions = self.output.type in INTEGERS
        if not self.tells_actions and self.output.type not in FLOATS:
            raise OracleError(f"{path}: the first output is {self.output.type}; expected numbers")

    @property
    def n_variables(self) -> int | None:
        """Number of state variables."""
        return _known(self.input.shape[1])

    @property
    def n_actions(self) -> int | None:
        """Number of actions."""
        shape = self.output.shape
        return None if self.tells_actions or len(shape) != 2 else _known(shape[1])

    @property
    def meaning(self) -> Meaning | None:
        """Values where the network tells more than actions."""
        return None if self.tells_actions else "values"

    def actions(self, states: ArrayLike) -> Ints:
        """Return the action of each state."""
        results = self._run(states)
        if not self.tells_actions:
            if results.shape[1] == 1:
                raise OracleError(
                    f"{self.path}: the network has one output, which would be the same action "
                    "everywhere; an oracle needs one output an action, or actions as integers"
                )
            results = results.argmax(axis=1)
        return np.asarray(results.reshape(len(results)), dtype=np.int64)

    def vectors(self, states: ArrayLike) -> Any:
        """Return the output as it is, for tasks whose actions are vectors."""
        return self._run(states)

    def preferences(self, states: ArrayLike) -> Floats | None:
        """Return the (n, actions) values where the network tells them."""
        return None if self.tells_actions else self._run(states).astype(np.float64)

    def _run(self, states: ArrayLike) -> Any:
        array = np.asarray(states, dtype=np.float64)
        n_variables = self.n_variables or (array.shape[1] if array.ndim == 2 else 1)
        batch = checked_states(array, n_variables).astype(FLOATS[self.input.type])
        one_at_a_time = _known(self.input.shape[0]) == 1
        parts = [batch[i : i + 1] for i in range(len(batch))] if one_at_a_time else [batch]
        try:
            results = [self.session.run([self.output.name], {self.input.name: p})[0] for p in parts]
        except Exception as error:
            raise OracleError(f"{self.path}: the network failed: {error}") from error
        result = np.concatenate(results)
        actions = result.shape in ((len(batch),), (len(batch), 1))
        values = result.ndim == 2 and len(result) == len(batch)
        if not (actions if self.tells_actions else values):
            raise OracleError(f"{self.path}: {len(batch)} states gave an output of {result.shape}")
        return result


def _session(path: str | Path) -> Any:
    try:
        import onnxruntime
    except ImportError:
        raise MissingExtraError("an ONNX oracle", "onnx") from None
    if not Path(path).is_file():
        raise OracleError(f"cannot read oracle file {str(path)!r}: no such file")
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1
    options.log_severity_level = 4
    try:
        return onnxruntime.InferenceSession(str(path), options, providers=["CPUExecutionProvider"])
    except Exception as error:
        raise OracleError(f"{path}: not an ONNX network: {str(error)[:200]}") from None


def _known(size: Any) -> int | None:
    return size if isinstance(size, int) else None
