"""A control problem: environment, names, step limit, success test, compiled simulator."""

import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from importlib import import_module
from pathlib import Path
from typing import Any

import gymnasium
from gymnasium.envs.registration import EnvSpec

from glasstree.errors import GlasstreeError, MissingExtraError, TaskError
from glasstree.policy.arrays import Bools, Floats, Ints
from glasstree.policy.sources.plant import Plant
from glasstree.tasks.own.conditions import Conditions
from glasstree.tasks.own.packages import register_package
from glasstree.tasks.own.variations import variations_of
from glasstree.tasks.twins import Enclosure, Simulator
from glasstree.timeout import PATIENCE, watched


@dataclass(frozen=True)
class Outcomes:
    """How episodes ended: one entry per episode."""

    rewards: Floats
    steps: Ints
    terminated: Bools
    last_rewards: Floats


@dataclass(frozen=True)
class Environment:
    """How to make a Gymnasium environment; a picklable factory.

    A reset or a step that takes longer than timeout, in seconds, is broken off. Where the id is not
    registered, entry makes the environment: a class, a function or Gymnasium's own specification.
    choices are what the environment is given for action 0, 1, ..., where that is not the number;
    conditions are what is made worse. Where there are variations, an episode is made with one of
    these options beside, by its seed.
    """

    id: str
    step_limit: int
    options: dict[str, Any] = field(default_factory=dict)
    module: str | None = None
    extra: str | None = None
    timeout: float = PATIENCE
    entry: Any = None
    choices: tuple[Any, ...] | None = None
    conditions: Conditions | None = None
    variations: tuple[dict[str, Any], ...] = ()

    @property
    def target(self) -> Any:
        """What Gymnasium is asked to make."""
        if self.entry is None or isinstance(self.entry, EnvSpec):
            return self.entry or self.id
        return EnvSpec(self.id, entry_point=self.entry)

    def __call__(self, **options: Any) -> gymnasium.Env[Any, Any]:
        """Make the environment."""
        if self.module:
            import_for(self.id, self.module)
        elif self.entry is None:
            register_package(self.id)
        given = {**self.options, **options, "max_episode_steps": self.step_limit}
        try:
            return watched(
                lambda _: gymnasium.make(self.target, disable_env_checker=True, **given),
                self.timeout,
            )
        except gymnasium.error.DependencyNotInstalled as error:
            if self.extra:
                raise MissingExtraError(self.id, self.extra) from None
            raise TaskError(f"environment {self.id!r} needs another package: {error}") from None
        except GlasstreeError:
            raise
        except ModuleNotFoundError as error:
            raise TaskError(
                f"environment {self.id!r} needs the module {error.name!r}, which is not there; "
                "install the package that has it"
            ) from error
        except (Exception, SystemExit) as error:
            reason = f"{type(error).__name__}: {error}"
            raise TaskError(f"cannot make environment {self.id!r}: {reason}") from error


def import_for(name: str, module: str) -> None:
    """Import the module that registers an environment, from the present folder too."""
    here = str(Path.cwd())
    sys.path.insert(0, here)
    try:
        import_module(module)
    except (Exception, SystemExit) as error:
        reason = f"{type(error).__name__}: {error}"
        raise TaskError(f"cannot import {module!r} for environment {name!r}: {reason}") from error
    finally:
        sys.path.remove(here)


@dataclass(frozen=True)
class Task:
    """A control problem; rules is how many a policy for it may have unless told otherwise.

    Where reaching the step limit is all that counts, training_steps tell good from better.
    search_steps are those of the environment that the search for the front may take, and
    search_episodes those of a candidate there, where a few would tell too little; failure_cost is
    what a failed episode counts less, in reward, when policies are compared. bounds are the least
    and the largest continuous actions; a task has no actions before it has levels.
    """

    name: str
    title: str
    environment: Environment
    state_names: tuple[str, ...]
    units: tuple[str, ...]
    action_names: tuple[str, ...]
    success: Callable[[Outcomes], Bools] | None = None
    simulator: Simulator | None = None
    enclosure: Enclosure | None = None
    rules: int = 4
    training_steps: int | None = None
    search_steps: int = 2_000_000
    search_episodes: int | None = None
    failure_cost: float = 0.0
    plant: Plant | None = None
    bounds: tuple[tuple[float, ...], tuple[float, ...]] | None = None

    @property
    def free(self) -> "Task":
        """The task with continuous actions as they are, where it has them, instead of levels."""
        if self.bounds is None:
            return self
        environment = replace(self.environment, choices=())
        return replace(self, environment=environment, action_names=(), simulator=None)

    @classmethod
    def of(cls, environment: Any, **words: Any) -> "Task":
        """Return the task of an id, an environment, its class or a function that makes it.

        Words are those of get_task.

        >>> Task.of("CartPole-v1", actions=("push left", "push right")).action_names
        ('push left', 'push right')
        """
        from glasstree.tasks.registry import get_task

        return get_task(environment, **words)

    @property
    def varied(self) -> "Task":
        """The task in the variations that policies are tuned over, where it has them."""
        found = variations_of(None if self.plant is None else self.plant.train_vary)
        if not found:
            return self
        environment = replace(self.environment, variations=found)
        return replace(self, environment=environment, simulator=None)

    @property
    def for_training(self) -> "Task":
        """The task that weights are tuned on: varied, its episodes longer where it has such."""
        if self.training_steps is None:
            return self.varied
        longer = replace(self.environment, step_limit=self.training_steps)
        return replace(self, environment=longer).varied

    @property
    def step_limit(self) -> int:
        """Longest episode."""
        return self.environment.step_limit

    @property
    def n_variables(self) -> int:
        """Number of observed variables."""
        return len(self.state_names)

    @property
    def n_actions(self) -> int:
        """Number of actions."""
        return len(self.action_names)

    def with_names(
        self,
        names: Sequence[str] | None = None,
        actions: Sequence[str] | None = None,
        units: Sequence[str] | None = None,
    ) -> "Task":
        """Return the same task with other names for its variables and actions, and other units."""
        if names is not None:
            self._check_names("variables", self.n_variables, names)
        if actions is not None:
            self._check_names("actions", self.n_actions, actions)
        if units is not None and len(units) != self.n_variables:
            raise TaskError(
                f"{self.name} has {self.n_variables} variables ({', '.join(self.state_names)}), "
                f"which need as many units, got {len(units)}; one may be empty"
            )
        if names is None and actions is None and units is None:
            return self
        return replace(
            self,
            state_names=self.state_names if names is None else tuple(names),
            action_names=self.action_names if actions is None else tuple(actions),
            units=self.units if units is None else tuple(units),
            plant=self.plant if actions is None and units is None else self.plant or Plant(),
        )

    def _check_names(self, what: str, count: int, names: Sequence[str]) -> None:
        if len(names) != count or len(set(names)) != count or not all(names):
            raise TaskError(
                f"{self.name} has {count} {what}, which need as many different names, "
                f"got {', '.join(names)}"
            )


def survived(ends: Outcomes) -> Bools:
    """Count episodes that reached the step limit as successes."""
    return ~ends.terminated


def reached(ends: Outcomes) -> Bools:
    """Count episodes that ended before the step limit, at their goal, as successes."""
    return ends.terminated
