"""Stable-Baselines3 models as oracles."""

import json
import zipfile
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from glasstree.errors import MissingExtraError, OracleError
from glasstree.oracles.base import Meaning
from glasstree.oracles.network import Activation, NetworkOracle
from glasstree.policy.arrays import Floats, Ints, checked_states

# What only this algorithm writes into its file.
MARKS = {"DQN": "exploration_fraction", "PPO": "n_epochs", "A2C": "vf_coef"}


class SB3Oracle:
    """A PPO, A2C or DQN model; actions are its own deterministic predictions."""

    def __init__(self, model: Any) -> None:
        self.model = model
        space = model.action_space
        if not hasattr(space, "n") or len(model.observation_space.shape or ()) != 1:
            raise OracleError(
                f"the model maps {model.observation_space} to {space}; an oracle needs a vector "
                "observation and a discrete action space"
            )
        self.width = int(model.observation_space.shape[0])
        self.n_actions = int(space.n)
        self.meaning: Meaning = "values" if hasattr(model, "q_net") else "probabilities"

    def actions(self, states: ArrayLike) -> Ints:
        """Return the model's deterministic actions."""
        array = checked_states(states, self.width)
        actions, _ = self.model.predict(self._observations(array), deterministic=True)
        return np.asarray(actions, dtype=np.int64)

    def preferences(self, states: ArrayLike) -> Floats:
        """Return action values (DQN) or probabilities (PPO, A2C)."""
        import torch

        array = checked_states(states, self.width)
        observations = torch.as_tensor(self._observations(array))
        with torch.no_grad():
            if self.meaning == "values":
                numbers = self.model.q_net(observations)
            else:
                numbers = self.model.policy.get_distribution(observations).distribution.probs
        return np.asarray(numbers, dtype=np.float64)

    def _observations(self, states: Floats) -> Any:
        return states.astype(self.model.observation_space.dtype)


def load_sb3(path: str | Path, trust: bool = False) -> SB3Oracle:
    """Load a Stable-Baselines3 file, which runs code that is stored in it."""
    if not trust:
        raise OracleError(
            f"{path}: loading a Stable-Baselines3 file runs code that is stored in it (pickles); "
            "if you trust where it comes from, add --trust (in Python: trust=True)"
        )
    name = _algorithm(path)
    try:
        import stable_baselines3

        from glasstree.oracles.apart import Apart
    except ImportError:
        raise MissingExtraError("a Stable-Baselines3 oracle", "oracles") from None
    try:
        with Apart():  # a model that was trained with a seed sets it again
            model = getattr(stable_baselines3, name).load(path, device="cpu")
    except Exception as error:
        raise OracleError(f"{path}: cannot be loaded as {name}: {error}") from error
    return SB3Oracle(model)


def network_of(layers: Any, activation: Activation, meaning: Meaning) -> NetworkOracle:
    """Copy the dense layers of a torch module into plain arrays."""
    dense = [layer for layer in layers.modules() if hasattr(layer, "in_features")]
    weights = [layer.weight.detach().numpy() for layer in dense]
    biases = [layer.bias.detach().numpy() for layer in dense]
    return NetworkOracle(weights, biases, activation, meaning)


def _algorithm(path: str | Path) -> str:
    try:
        with zipfile.ZipFile(path) as archive:
            data = json.loads(archive.read("data"))
    except OSError as error:
        reason = error.strerror or str(error)
        raise OracleError(f"cannot read oracle file {str(path)!r}: {reason}") from None
    except (zipfile.BadZipFile, KeyError, ValueError):
        raise OracleError(f"{path}: not a Stable-Baselines3 file") from None
    for name, mark in MARKS.items():
        if mark in data:
            return name
    raise OracleError(f"{path}: not a PPO, A2C or DQN model; export its policy to ONNX instead")
