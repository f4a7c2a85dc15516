"""Modules of torch as oracles: networks that a user has in memory."""

import sys
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from glasstree.errors import OracleError
from glasstree.oracles.base import Meaning
from glasstree.oracles.guarded import ask
from glasstree.policy.arrays import Floats, Ints


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
