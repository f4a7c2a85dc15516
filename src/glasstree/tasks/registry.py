"""The known tasks by name; each is imported when it is asked for."""

from importlib import import_module

import gymnasium

from glasstree.errors import TaskError, unknown
from glasstree.tasks.base import Task

MODULES = {
    "cartpole": "glasstree.tasks.cartpole:TASK",
    "carfollowing": "glasstree.tasks.carfollowing:TASK",
    "mountaincar": "glasstree.tasks.mountaincar:TASK",
    "lunarlander": "glasstree.tasks.lunarlander:TASK",
    "psm5": "glasstree.tasks.manipulator:PSM5",
    "psm10": "glasstree.tasks.manipulator:PSM10",
    "acrobot": "glasstree.tasks.acrobot:TASK",
}
ENVIRONMENTS = {
    "glasstree/CarFollowing-v0": "glasstree.tasks.carfollowing:CarFollowingEnv",
    "glasstree/Manipulator-v0": "glasstree.tasks.manipulator:ManipulatorEnv",
}


def register_environments() -> None:
    """Make our own environments known to Gymnasium."""
    for name, entry_point in ENVIRONMENTS.items():
        if name not in gymnasium.registry:
            gymnasium.register(name, entry_point=entry_point)


def task_names() -> list[str]:
    """Return the names of the tasks that come with glasstree."""
    return list(MODULES)


def get_task(name: str | Task) -> Task:
    """Return a task by its name."""
    if isinstance(name, Task):
        return name
    if name not in MODULES:
        raise TaskError(unknown("task", name, MODULES))
    module, _, attribute = MODULES[name].partition(":")
    task: Task = getattr(import_module(module), attribute)
    return task
