"""All tasks: ours by name, imported when asked for, and any Gymnasium id."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from importlib import import_module
from typing import Any

import gymnasium
import msgspec

from glasstree.errors import TaskError, unknown
from glasstree.policy.arrays import Bools
from glasstree.policy.sources.plant import ARM, Plant, is_package, names_no_module
from glasstree.tasks.base import Outcomes, Task
from glasstree.tasks.own.controls import controls_of
from glasstree.tasks.own.foreign import foreign_task, looks_foreign
from glasstree.tasks.own.known import shipped_twin, under_its_id, with_known_twin
from glasstree.tasks.own.success import success_of
from glasstree.tasks.own.variations import checked_variations

MODULES = {
    "cartpole": "glasstree.tasks.cartpole:TASK",
    "carfollowing": "glasstree.tasks.carfollowing:TASK",
    "mountaincar": "glasstree.tasks.mountaincar:TASK",
    "lunarlander": "glasstree.tasks.lunarlander:TASK",
    "psm5": "glasstree.tasks.arms.manipulator:PSM5",
    "psm10": "glasstree.tasks.arms.manipulator:PSM10",
    "acrobot": "glasstree.tasks.acrobot:TASK",
}
ENVIRONMENTS = {
    "glasstree/CarFollowing-v0": "glasstree.tasks.carfollowing:CarFollowingEnv",
    "glasstree/Manipulator-v0": "glasstree.tasks.arms.manipulator:ManipulatorEnv",
}


def register_environments() -> None:
    """Make our own environments known to Gymnasium."""
    for name, entry_point in ENVIRONMENTS.items():
        if name not in gymnasium.registry:
            gymnasium.register(name, entry_point=entry_point)


def task_names() -> list[str]:
    """Return the names of the tasks that come with glasstree."""
    return list(MODULES)


def all_tasks() -> list[Task]:
    """Return the tasks that come with glasstree.

    >>> [task.name for task in all_tasks()[:2]]
    ['cartpole', 'carfollowing']
    """
    return [get_task(name) for name in task_names()]


def get_task(
    name: Any,
    *,
    module: str | None = None,
    state_names: Sequence[str] | None = None,
    units: Sequence[str] | None = None,
    actions: Sequence[str] | None = None,
    step_limit: int | None = None,
    env_kwargs: Mapping[str, Any] | None = None,
    success: str | Callable[[Outcomes], Bools] | None = None,
    levels: Sequence[Sequence[float]] | None = None,
    controls: Sequence[str] | None = None,
    train_vary: Mapping[str, Sequence[Any]] | None = None,
) -> Task:
    """Return a task of ours by name, or the task of any Gymnasium environment.

    That is an id such as CartPole-v1 or package:Env-v0, an environment, its class or a function
    that makes it. module registers the environment when imported; step_limit ends an episode;
    env_kwargs are given to the environment; success is survived, reached, a bound such as
    "reward >= 195", or a function of Outcomes; levels are the vectors that a tree chooses from
    where actions are continuous, controls the names of their numbers, such as "torque [N m]";
    actions may say these too. train_vary are values of arguments that policies are tuned over.
    Names and units take the place of the task's own.

    >>> get_task("CartPole-v1", step_limit=300).state_names
    ('x', 'v', 'theta', 'omega')
    """
    words, test = (success, success_of(success)) if isinstance(success, str) else (None, success)
    kwargs = plain_kwargs(env_kwargs) if env_kwargs else None
    if isinstance(name, str) and is_package(name):
        package, _, name = name.rpartition(":")
        module = module or package
    kept = None if levels is None else [list(level) for level in levels]
    vary = plain_kwargs(checked_variations(train_vary)) if train_vary else None
    called = list(controls or ()) or None
    plant = Plant(module, step_limit, kwargs, words, kept, None, called, vary)
    task = with_variations(name, vary) if isinstance(name, Task) else _find(name, plant)
    if actions is not None and task.bounds is not None and not task.n_actions:
        assert task.plant is not None
        told = controls_of(task.name, actions, len(task.bounds[0]))
        task = replace(task, plant=msgspec.structs.replace(task.plant, controls=told))
        actions = None
    if test is not None:
        kept_plant = msgspec.structs.replace(task.plant or Plant(), success=words)
        task = replace(task, success=test, plant=kept_plant)
    return task.with_names(state_names, actions, units)


def task_in_file(name: str, trust: bool = False, **words: Any) -> Task:
    """Return the task that a file names, whose module is imported only with trust."""
    wanted = words.get("module")
    if wanted and not trust:
        raise TaskError(
            f"a file names the module {wanted!r}, and importing that runs its code; name it again "
            "with --import, or add --trust if you trust where the file comes from"
        )
    return get_task(names_no_module(name), **words)


def plain_kwargs(given: Mapping[str, Any]) -> dict[str, Any]:
    """Return arguments of an environment as files keep them."""
    try:
        if None in given.values():
            raise TypeError("there is no word for None in a file")
        kept: dict[str, Any] = msgspec.json.decode(msgspec.json.encode(dict(given)))
    except (TypeError, ValueError, msgspec.MsgspecError) as error:
        raise TaskError(
            f"arguments of an environment are numbers, texts, truths and lists, for a run keeps "
            f"them: {error}; for others give a function that makes the environment"
        ) from None
    return kept


def _find(name: Any, plant: Plant) -> Task:
    if not isinstance(name, str):
        return foreign_task(name, plant)
    if name in MODULES:
        return _shipped(name, plant)
    if name.startswith(ARM):
        from glasstree.tasks.arms.manipulator import from_specification

        return with_variations(from_specification(name), plant.train_vary)
    twin = shipped_twin(name, plant)
    if twin:
        return under_its_id(_shipped(twin, Plant()), name, plant)
    if plant.module or looks_foreign(name):
        return with_known_twin(foreign_task(name, plant), plant)
    raise TaskError(
        f"{unknown('task', name, MODULES)}; a Gymnasium id such as CartPole-v1 will do too"
    )


def _shipped(name: str, plant: Plant) -> Task:
    if plant.step_limit or plant.env_kwargs:
        raise TaskError(
            f"{name} has its own step limit and arguments; give the Gymnasium id of another one"
        )
    place, _, attribute = MODULES[name].partition(":")
    task: Task = getattr(import_module(place), attribute)
    return with_variations(task, plant.train_vary)


def with_variations(task: Task, vary: dict[str, list[Any]] | None) -> Task:
    """Return a task that is tuned over variations, if its arguments can vary at all."""
    if not vary:
        return task
    if task.simulator is not None:
        raise TaskError(
            f"{task.name} is compiled with parameters of its own, so that none can vary in "
            "training; give the Gymnasium id of an environment whose arguments can"
        )
    told = msgspec.structs.replace(task.plant or Plant(), train_vary=vary)
    return replace(task, plant=told)
