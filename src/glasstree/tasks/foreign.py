"""Any Gymnasium environment with a vector observation and discrete actions as a task."""

from contextlib import suppress
from typing import Any

import gymnasium

from glasstree.errors import TaskError
from glasstree.policy.arrays import MOST_ACTIONS, MOST_VARIABLES
from glasstree.tasks.base import Environment, Task, import_for


def looks_foreign(name: str) -> bool:
    """Tell whether a name is meant as a Gymnasium id.

    >>> looks_foreign("CartPole-v1"), looks_foreign("ALE/Pong-v5"), looks_foreign("cartpole")
    (True, True, False)
    """
    return name in gymnasium.registry or "/" in name or "-v" in name


def foreign_task(name: str, module: str | None = None, step_limit: int | None = None) -> Task:
    """Return the task of a registered environment, or say why it cannot be one."""
    if ":" in name:
        raise TaskError(
            f"{name!r} would import a module by its name; give the id alone, and the module that "
            "registers it with --import"
        )
    limit = step_limit or _step_limit(name, module)
    environment = Environment(name, limit, module=module)
    sample = environment()
    try:
        actions = _action_count(name, sample.action_space)
        width = _width(name, sample.observation_space)
    finally:
        with suppress(Exception, SystemExit):
            sample.close()
    return Task(
        name=name,
        title=f"Gymnasium's {name}",
        environment=environment,
        state_names=tuple(f"x{i}" for i in range(width)),
        units=("",) * width,
        action_names=tuple(str(action) for action in range(actions)),
    )


def _step_limit(name: str, module: str | None) -> int:
    if module:
        import_for(name, module)
    try:
        limit = gymnasium.spec(name).max_episode_steps
    except gymnasium.error.Error as error:
        raise TaskError(
            f"environment {name!r} is not registered with Gymnasium ({error}); "
            "name the module that registers it with --import"
        ) from None
    if not limit:
        raise TaskError(
            f"{name} has no step limit, so that an episode may never end; register it with "
            "max_episode_steps, or in Python give get_task a step_limit"
        )
    return int(limit)


def _action_count(name: str, space: Any) -> int:
    if isinstance(space, gymnasium.spaces.Box):
        raise TaskError(
            f"{name} has continuous actions ({space}); a tree chooses between a few, so wrap the "
            "environment in one with a Discrete action space"
        )
    if not isinstance(space, gymnasium.spaces.Discrete) or space.start != 0:
        raise TaskError(f"{name} has actions {space}; a tree needs Discrete ones, counted from 0")
    if space.n > MOST_ACTIONS:
        raise TaskError(
            f"{name} has {space.n:,} actions; a tree chooses between at most {MOST_ACTIONS:,}, so "
            "wrap the environment in one with fewer"
        )
    return int(space.n)


def _width(name: str, space: Any) -> int:
    if isinstance(space, gymnasium.spaces.Box) and len(space.shape) == 1:
        if space.shape[0] > MOST_VARIABLES:
            raise TaskError(
                f"{name} is observed as {space.shape[0]:,} numbers; a tree takes at most "
                f"{MOST_VARIABLES:,}, so wrap the environment in one with fewer"
            )
        return int(space.shape[0])
    if isinstance(space, gymnasium.spaces.Box) and len(space.shape) > 1:
        raise TaskError(
            f"{name} is observed as an image or a table of shape {space.shape}; a tree needs a "
            "vector of a few meaningful variables, so wrap the environment in one that has it"
        )
    raise TaskError(
        f"{name} is observed as {type(space).__name__}; a tree needs a vector, so wrap the "
        "environment in gymnasium.wrappers.FlattenObservation"
    )
