"""A plain network: dense layers, evaluated with NumPy alone."""

from collections.abc import Sequence
from itertools import pairwise
from typing import Literal, get_args

import numpy as np
from numpy.typing import ArrayLike

from glasstree.errors import OracleError
from glasstree.oracles.base import Meaning
from glasstree.policy.arrays import Floats, Ints, checked_states, frozen

Activation = Literal["tanh", "relu"]


class NetworkOracle:
    """Dense layers with one activation; the largest output is the action.

    weights[i] is (outputs, inputs), biases[i] is (outputs,).

    >>> oracle = NetworkOracle([[[1.0], [-1.0]]], [[0.0, 0.5]])
    >>> oracle.actions([[0.0], [1.0]])
    array([1, 0])
    """

    def __init__(
        self,
        weights: Sequence[ArrayLike],
        biases: Sequence[ArrayLike],
        activation: Activation = "tanh",
        meaning: Meaning = "probabilities",
    ) -> None:
        self.weights = tuple(frozen(weight, np.float64) for weight in weights)
        self.biases = tuple(frozen(bias, np.float64) for bias in biases)
        self.activation: Activation = activation
        self.meaning: Meaning = meaning
        self._check()

    @property
    def n_variables(self) -> int:
        """Number of state variables."""
        return int(self.weights[0].shape[1])

    @property
    def n_actions(self) -> int:
        """Number of actions."""
        return len(self.biases[-1])

    @property
    def layers(self) -> tuple[int, ...]:
        """Sizes of all layers, input and output among them."""
        return (self.n_variables, *(len(bias) for bias in self.biases))

    @property
    def n_parameters(self) -> int:
        """Number of weights and biases."""
        return sum(array.size for array in (*self.weights, *self.biases))

    def outputs(self, states: ArrayLike) -> Floats:
        """Return the (n, actions) raw outputs: logits or action values."""
        signal = checked_states(states, self.n_variables)
        last = len(self.weights) - 1
        for number, (weight, bias) in enumerate(zip(self.weights, self.biases, strict=True)):
            signal = signal @ weight.T + bias
            if number < last:
                signal = np.tanh(signal) if self.activation == "tanh" else np.maximum(signal, 0.0)
        return signal

    def actions(self, states: ArrayLike) -> Ints:
        """Return the preferred action of each state."""
        return np.asarray(self.outputs(states).argmax(axis=1), dtype=np.int64)

    def preferences(self, states: ArrayLike) -> Floats:
        """Return the action values, or the probabilities of the actions."""
        outputs = self.outputs(states)
        return outputs if self.meaning == "values" else softmax(outputs)

    def on_raw_states(self, mean: Floats, scale: Floats) -> "NetworkOracle":
        """Return a network on raw states that equals this one on (state - mean) * scale."""
        first = self.weights[0] * scale
        biases = (self.biases[0] - first @ mean, *self.biases[1:])
        return NetworkOracle((first, *self.weights[1:]), biases, self.activation, self.meaning)

    def _check(self) -> None:
        if self.activation not in ("tanh", "relu"):
            raise OracleError(f"unknown activation {self.activation!r}; known: tanh, relu")
        if self.meaning not in get_args(Meaning):
            known = ", ".join(get_args(Meaning))
            raise OracleError(f"unknown meaning {self.meaning!r}; known: {known}")
        if not self.weights or len(self.weights) != len(self.biases):
            raise OracleError("a network needs as many weight matrices as bias vectors")
        shapes = [weight.shape for weight in self.weights]
        sizes = [bias.shape for bias in self.biases]
        fits = all(len(s) == 2 and z == s[:1] for s, z in zip(shapes, sizes, strict=True))
        if (
            not fits
            or any(0 in shape for shape in shapes)
            or any(a[0] != b[1] for a, b in pairwise(shapes))
        ):
            raise OracleError(f"network layers do not fit together: weights {shapes}")
        if not all(np.isfinite(array).all() for array in (*self.weights, *self.biases)):
            raise OracleError("the network has weights that are not finite numbers")


class ActorOracle(NetworkOracle):
    """Dense layers whose outputs are the action itself: one number a dimension.

    >>> ActorOracle([[[2.0]]], [[0.5]]).vectors([[0.25]])
    array([[1.]])
    """

    def __init__(
        self,
        weights: Sequence[ArrayLike],
        biases: Sequence[ArrayLike],
        activation: Activation = "tanh",
    ) -> None:
        super().__init__(weights, biases, activation)

    def vectors(self, states: ArrayLike) -> Floats:
        """Return the (n, dimensions) actions."""
        return self.outputs(states)

    def on_raw_states(self, mean: Floats, scale: Floats) -> "ActorOracle":
        """Return an actor on raw states that equals this one on (state - mean) * scale."""
        network = super().on_raw_states(mean, scale)
        return ActorOracle(network.weights, network.biases, network.activation)


def softmax(logits: Floats) -> Floats:
    """Turn (n, actions) logits into probabilities."""
    powers: Floats = np.exp(logits - logits.max(axis=1, keepdims=True))
    return np.asarray(powers / powers.sum(axis=1, keepdims=True))
