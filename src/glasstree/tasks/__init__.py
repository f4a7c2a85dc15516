"""What is controlled: the control problems, each with its compiled simulator where there is one."""

from glasstree.tasks.base import Environment, Outcomes, Task
from glasstree.tasks.registry import (
    all_tasks,
    get_task,
    register_environments,
    task_in_file,
    task_names,
)
from glasstree.tasks.twins import Simulator

__all__ = [
    "Environment",
    "Outcomes",
    "Simulator",
    "Task",
    "all_tasks",
    "get_task",
    "task_in_file",
    "task_names",
]

register_environments()
