"""Stable-Baselines3 models as oracles."""

import json
import pickle
import zipfile
from pathlib import Path
from typing import Any

import gymnasium
import numpy as np
from numpy.typing import ArrayLike

from glasstree.errors import GlasstreeError, MissingExtraError, OracleError
from glasstree.oracles.base import Meaning
from glasstree.oracles.network import Activation, NetworkOracle
from glasstree.policy.arrays import Floats, Ints, checked_states
from glasstree.tasks.base import Task
from glasstree.tasks.own.observations import Layout, layout_of
from glasstree.tasks.own.readings import layout_for

# what only this algorithm writes into its file, of those that share a kind of policy
MARKS = {"TRPO": "cg_max_steps", "PPO": "n_epochs", "A2C": "vf_coef"}
# by the module of the policy's class: the algorithm, None where a mark tells it
KINDS: dict[str, str | None] = {
    "stable_baselines3.common.policies": None,
    "stable_baselines3.ppo.policies": None,
    "stable_baselines3.a2c.policies": None,
    "stable_baselines3.dqn.policies": "DQN",
    "stable_baselines3.sac.policies": "SAC",
    "stable_baselines3.td3.policies": "TD3",
    "sb3_contrib.trpo.policies": "TRPO",
    "sb3_contrib.qrdqn.policies": "QRDQN",
    "sb3_contrib.tqc.policies": "TQC",
    "sb3_contrib.ars.policies": "ARS",
    "sb3_contrib.common.maskable.policies": "MaskablePPO",
    "sb3_contrib.common.recurrent.policies": "RecurrentPPO",
}
CONTRIBUTED = ("TRPO", "QRDQN", "TQC", "ARS", "MaskablePPO")
REMEMBERS = (
    "a recurrent policy decides by what it remembers, and rules by one state; "
    "train one without memory, such as PPO over the last few observations"
)
# as the RL zoo calls the statistics beside a model, and the best model of a training
STATISTICS, BEST = "vecnormalize.pkl", "best_model.zip"


class SB3Oracle:
    """A model of Stable-Baselines3 or sb3-contrib; actions are its own deterministic predictions.

    The layout tells how observations are read; statistics are those of VecNormalize, if any.
    """

    def __init__(self, model: Any, layout: Layout | None = None, statistics: Any = None) -> None:
        self.model, self.statistics = model, statistics
        self.policy = getattr(model, "policy", model)
        self.layout = layout or layout_of(model.observation_space)
        self.n_variables = len(self.layout.names)
        discrete = hasattr(model.action_space, "n") and not model.action_space.shape
        self.n_actions = int(model.action_space.n) if discrete else None
        self.meaning: Meaning | None = self._meaning() if discrete else None

    def _meaning(self) -> Meaning | None:
        if hasattr(self.model, "q_net"):
            return "values"
        return "probabilities" if hasattr(self.policy, "get_distribution") else None

    def actions(self, states: ArrayLike) -> Ints:
        """Return the model's deterministic actions."""
        return np.asarray(self.vectors(states), dtype=np.int64)

    def vectors(self, states: ArrayLike) -> Any:
        """Return the model's deterministic actions as they are, vectors where they are such."""
        array = checked_states(states, self.n_variables)
        return self.model.predict(self._observations(array), deterministic=True)[0]

    def preferences(self, states: ArrayLike) -> Floats | None:
        """Return action values (DQN) or probabilities (PPO, A2C), None of other models."""
        if self.meaning is None:
            return None
        import torch

        array = checked_states(states, self.n_variables)
        observations, _ = self.policy.obs_to_tensor(self._observations(array))
        with torch.no_grad():
            if self.meaning == "values":
                numbers = self.model.q_net(observations)
            else:
                numbers = self.policy.get_distribution(observations).distribution.probs
        return np.asarray(numbers, dtype=np.float64)

    def _observations(self, states: Floats) -> Any:
        observations = self.layout.batch(states)
        if self.statistics is None:
            return observations
        return self.statistics.normalize_obs(observations)


def load_sb3(path: str | Path, trust: bool = False, task: Task | None = None) -> SB3Oracle:
    """Load a Stable-Baselines3 file, which runs code that is stored in it."""
    if not Path(path).exists():
        raise OracleError(f"there is no file {str(path)!r}; save an agent there, or name another")
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
            library = _contributed(name) if name in CONTRIBUTED else stable_baselines3
            model = getattr(library, name).load(path, device="cpu")
            statistics = _statistics(Path(path))
    except GlasstreeError:
        raise
    except Exception as error:
        raise OracleError(f"{path}: cannot be loaded as {name}: {error}") from error
    return SB3Oracle(model, _task_layout(task, model.observation_space), statistics)


def of_agent(model: Any, task: Task | None = None) -> SB3Oracle:
    """Return an agent in memory as an oracle, with the statistics of its own VecNormalize."""
    if KINDS.get(type(getattr(model, "policy", model)).__module__) == "RecurrentPPO":
        raise OracleError(f"this {type(model).__name__}: {REMEMBERS}")
    tell = getattr(model, "get_vec_normalize_env", None)
    statistics = tell() if tell is not None else None
    return SB3Oracle(model, _task_layout(task, model.observation_space), statistics)


def _contributed(name: str) -> Any:
    try:
        import sb3_contrib
    except ImportError:
        raise MissingExtraError(f"a {name} oracle", "contrib") from None
    return sb3_contrib


def zoo_model(folder: Path) -> Path | None:
    """Return the model in a folder of the RL zoo such as ppo/CartPole-v1_1: the best, or the last.

    >>> zoo_model(Path("no_such_folder"))
    """
    names = (BEST, f"{folder.name.rpartition('_')[0]}.zip")
    return next((folder / name for name in names if (folder / name).is_file()), None)


def _statistics(path: Path) -> Any:
    """Return the statistics of VecNormalize beside a model, or in the folder of its environment."""
    places = [path.parent / STATISTICS, path.with_suffix("") / STATISTICS]
    if path.name == BEST:
        places += sorted(path.parent.glob(f"*/{STATISTICS}"))
    for place in places:
        if place.is_file():
            return pickle.loads(place.read_bytes())  # the user trusts what lies there
    return None


def _task_layout(task: Task | None, space: Any) -> Layout | None:
    """Return how a task reads its observations, if a model takes just these."""
    if task is None or isinstance(space, gymnasium.spaces.Box):
        return None
    environment = task.environment()
    try:
        return layout_for(environment) if environment.observation_space == space else None
    finally:
        environment.close()


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
            kind = data["policy_class"]["__module__"]
    except OSError as error:
        reason = error.strerror or str(error)
        raise OracleError(f"cannot read oracle file {str(path)!r}: {reason}") from None
    except (zipfile.BadZipFile, KeyError, TypeError, ValueError):
        raise OracleError(f"{path}: not a Stable-Baselines3 file") from None
    name = KINDS.get(kind) or next((name for name, mark in MARKS.items() if mark in data), None)
    if name == "RecurrentPPO":
        raise OracleError(f"{path}: {REMEMBERS}")
    if name is None:
        raise OracleError(
            f"{path}: a policy of {kind} is not known; known are PPO, A2C, DQN, SAC, TD3, DDPG, "
            f"{', '.join(CONTRIBUTED)}; export any other to ONNX"
        )
    return name
