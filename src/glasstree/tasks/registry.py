"""The known tasks by name; each is imported when it is asked for."""

from importlib import import_module

from glasstree.errors import TaskError, unknown
from glasstree.tasks.base import Task

MODULES = {
    "cartpole": "glasstree.tasks.cartpole",
}


def task_names() -> list[str]:
    """Return the names of the tasks that come with glasstree."""
    return list(MODULES)


def get_task(name: str | Task) -> Task:
    """Return a task by its name."""
    if isinstance(name, Task):
        return name
    if name not in MODULES:
        raise TaskError(unknown("task", name, MODULES))
    task: Task = import_module(MODULES[name]).TASK
    return task
