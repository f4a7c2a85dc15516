"""Any Gymnasium environment as a task."""

from contextlib import suppress
from dataclasses import replace as evolve
from typing import Any

import gymnasium
from gymnasium.envs.registration import EnvSpec
from msgspec.structs import replace

from glasstree import progress
from glasstree.errors import TaskError
from glasstree.policy.sources.levels import level_names
from glasstree.policy.sources.plant import Plant
from glasstree.tasks.base import Environment, Task, import_for
from glasstree.tasks.own.actions import bounds_of, choice_names, choices_of, levels_of
from glasstree.tasks.own.controls import controls_for, controls_of
from glasstree.tasks.own.observations import Layout
from glasstree.tasks.own.packages import own_limit, register_package
from glasstree.tasks.own.readings import action_names_for, layout_for

USUAL_LIMIT = 1000  # steps of an episode where nobody says when it ends


def looks_foreign(name: str) -> bool:
    """Tell whether a name is meant as a Gymnasium id.

    >>> looks_foreign("CartPole-v1"), looks_foreign("ALE/Pong-v5"), looks_foreign("cartpole")
    (True, True, False)
    """
    return name in gymnasium.registry or "/" in name or "-v" in name


def foreign_task(environment: Any, plant: Plant) -> Task:
    """Return the task of an environment, or say why it cannot be one.

    It is an id, an environment that Gymnasium made, a class or a function that makes one.
    """
    name, entry = _name_and_entry(environment)
    limit = plant.step_limit or _step_limit(name, entry, plant)
    made = Environment(name, limit, plant.env_kwargs or {}, plant.module, entry=entry)
    sample = made()
    try:
        choices = choices_of(name, sample.action_space)
        bounds = bounds_of(sample.action_space) if choices == () else None
        if plant.levels is not None:
            choices = levels_of(name, plant.levels, bounds)
        layout = _layout(name, sample)
        count = int(sample.action_space.n) if choices is None else len(choices)
        known = action_names_for(sample, count)
        if bounds is not None:
            controls = controls_of(name, plant.controls or controls_for(sample), len(bounds[0]))
            plant = replace(plant, bounds=[list(end) for end in bounds], controls=controls)
            known = level_names(choices or (), controls)
    finally:
        with suppress(Exception, SystemExit):
            sample.close()
    return Task(
        name=name,
        title=f"Gymnasium's {name}" if entry is None else name,
        environment=evolve(made, choices=choices),
        state_names=layout.names,
        units=layout.units,
        action_names=known or choice_names(range(count) if choices is None else choices),
        plant=replace(plant, step_limit=limit),
        bounds=bounds,
    )


def _layout(name: str, sample: Any) -> Layout:
    try:
        return layout_for(sample)
    except TaskError as error:
        raise TaskError(f"{name}: {error}") from None


def _name_and_entry(environment: Any) -> tuple[str, Any]:
    """Return what to call an environment, and what makes it where that is not its id."""
    if isinstance(environment, str):
        return environment, None
    if isinstance(environment, gymnasium.Env):
        if environment.spec is None:
            raise TaskError(
                f"{type(environment).__name__} is one environment, and episodes are played in "
                "several; give its class or a function that makes it"
            )
        return environment.spec.id, environment.spec
    if not callable(environment):
        raise TaskError(
            f"a task is a name, a Gymnasium id, an environment, its class or a function that makes "
            f"one, got {type(environment).__name__}"
        )
    own = getattr(environment, "__name__", type(environment).__name__)
    return "".join(letter if letter.isalnum() else "_" for letter in own), environment


def _step_limit(name: str, entry: Any, plant: Plant) -> int:
    """Return the step limit that is registered, else the environment's own, else the usual one."""
    if plant.module:
        import_for(name, plant.module)
    elif entry is None:
        register_package(name)
    try:
        spec = entry if isinstance(entry, EnvSpec) else None
        spec = gymnasium.spec(name) if entry is None else spec
    except gymnasium.error.Error as error:
        raise TaskError(
            f"environment {name!r} is not registered with Gymnasium ({error}); "
            "name the module that registers it with --import"
        ) from None
    if spec is not None and spec.max_episode_steps:
        return int(spec.max_episode_steps)
    sample = Environment(name, USUAL_LIMIT, plant.env_kwargs or {}, plant.module, entry=entry)()
    limit = own_limit(sample)
    with suppress(Exception, SystemExit):
        sample.close()
    if limit is None:
        progress.emit(
            progress.Note(
                f"{name} has no step limit of its own: episodes are cut after {USUAL_LIMIT:,} "
                "steps, unless --step-limit (in Python step_limit) says otherwise"
            )
        )
    return limit or USUAL_LIMIT
