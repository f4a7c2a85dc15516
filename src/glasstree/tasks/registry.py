"""All tasks: ours by name, imported when asked for, and any Gymnasium id."""

from collections.abc import Sequence
from importlib import import_module

import gymnasium

from glasstree.errors import TaskError, unknown
from glasstree.tasks.base import Task
from glasstree.tasks.foreign import foreign_task, looks_foreign

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

    >>> [task.name for task in all_tasks()][:2]
    ['cartpole', 'carfollowing']
    """
    return [get_task(name) for name in task_names()]


def get_task(
    name: str | Task,
    *,
    module: str | None = None,
    state_names: Sequence[str] | None = None,
    step_limit: int | None = None,
) -> Task:
    """Return a task of ours by name, or the task of any Gymnasium environment by id.

    module registers the environment when imported; step_limit is for one that has none; state_names
    take the place of the task's own, which are x0, x1, ... for a Gymnasium id.

    >>> get_task("CartPole-v1").state_names
    ('x0', 'x1', 'x2', 'x3')
    """
    task = name if isinstance(name, Task) else _find(name, module, step_limit)
    return task if state_names is None else task.with_names(state_names)


def _find(name: str, module: str | None, step_limit: int | None) -> Task:
    if name in MODULES:
        place, _, attribute = MODULES[name].partition(":")
        task: Task = getattr(import_module(place), attribute)
        return task
    if name.startswith("psm:"):
        from glasstree.tasks.arms.manipulator import from_specification

        return from_specification(name)
    if module or looks_foreign(name):
        return foreign_task(name, module, step_limit)
    raise TaskError(
        f"{unknown('task', name, MODULES)}; a Gymnasium id such as CartPole-v1 will do too"
    )
