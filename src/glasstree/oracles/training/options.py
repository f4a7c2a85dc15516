"""Hyper-parameters of the three algorithms, and what a training offers to the loop."""

from dataclasses import dataclass
from typing import Any, ClassVar, Protocol

from glasstree.errors import MissingExtraError
from glasstree.oracles.network import NetworkOracle
from glasstree.oracles.tiles import TileOracle
from glasstree.tasks.base import Task

LARGEST_SEED = 1 << 32  # of training episodes: far below those of all other purposes


class Training(Protocol):
    """Training that advances in rounds and can be saved between them."""

    @property
    def steps(self) -> int:
        """Steps so far."""
        ...

    def advance(self, steps: int) -> None:
        """Learn for about so many steps more."""
        ...

    def oracle(self) -> NetworkOracle | TileOracle:
        """Return the present policy as plain arrays."""
        ...

    def state(self) -> dict[str, Any]:
        """Return what resuming needs: arrays by name."""
        ...

    def restore(self, state: dict[str, Any]) -> None:
        """Go on from a state."""
        ...


class Options(Protocol):
    """Hyper-parameters that can start a training."""

    algorithm: ClassVar[str]

    @property
    def total_steps(self) -> int:
        """Length of the training."""
        ...

    def start(self, task: Task, seed: int) -> Training:
        """Begin a training."""
        ...


@dataclass(frozen=True)
class PPOOptions:
    """Proximal policy optimisation; names are Stable-Baselines3's.

    Where actions are continuous, use_sde explores by noise that hangs on the state and stays for
    sde_sample_freq steps, and log_std_init is how large it is at first.
    """

    total_steps: int
    n_envs: int = 16
    n_steps: int = 256
    batch_size: int = 256
    n_epochs: int = 10
    gamma: float = 0.99
    gae_lambda: float = 0.95
    ent_coef: float = 0.0
    learning_rate: float = 3e-4
    clip_range: float = 0.2
    normalize: bool = True
    hidden: tuple[int, ...] = (64, 64)
    use_sde: bool = False
    sde_sample_freq: int = 4
    log_std_init: float = 0.0

    algorithm: ClassVar[str] = "PPO"

    def start(self, task: Task, seed: int) -> Training:
        """Begin a training."""
        try:
            from glasstree.oracles.training.ppo import PPOTraining
        except ImportError as error:
            raise _missing(error) from None
        return PPOTraining(self, task, seed)


@dataclass(frozen=True)
class DQNOptions:
    """Double deep Q-learning with a replay memory."""

    total_steps: int
    n_envs: int = 16
    memory: int = 200_000
    warm_up: int = 10_000
    batch_size: int = 128
    gamma: float = 0.99
    learning_rate: float = 5e-4
    updates_per_step: float = 0.125
    target_period: int = 500
    exploration: tuple[float, float] = (1.0, 0.02)
    exploration_fraction: float = 0.3
    reward_scale: float = 1.0
    centre: tuple[float, ...] = ()
    spread: tuple[float, ...] = ()
    hidden: tuple[int, ...] = (50, 50)

    algorithm: ClassVar[str] = "double DQN"

    def start(self, task: Task, seed: int) -> Training:
        """Begin a training."""
        try:
            from glasstree.oracles.training.dqn import DQNTraining
        except ImportError as error:
            raise _missing(error) from None
        return DQNTraining(self, task, seed)


@dataclass(frozen=True)
class SarsaOptions:
    """SARSA(lambda) with tile coding and replacing traces."""

    total_steps: int
    tilings: int = 8
    cells: int = 8
    trace_decay: float = 0.9
    learning_rate: float = 0.1 / 8
    gamma: float = 1.0

    algorithm: ClassVar[str] = "SARSA(lambda)"

    def start(self, task: Task, seed: int) -> Training:
        """Begin a training."""
        from glasstree.oracles.training.sarsa import SarsaTraining

        return SarsaTraining(self, task, seed)


def _missing(error: ImportError) -> ImportError:
    absent = error.name in ("torch", "stable_baselines3")
    return MissingExtraError("training an oracle", "oracles") if absent else error
