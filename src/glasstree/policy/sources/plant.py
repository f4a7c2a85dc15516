"""What a user's environment needs to be made again, kept in a policy file as plain values."""

from typing import Any

import msgspec

from glasstree.errors import TaskError

ARM = "psm:"  # begins the name of a manipulator of any make
TRUTH = "0/1"  # the unit of a variable that is either


class Plant(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """How an environment is made, and when an episode of it succeeds; what is not said is None.

    Levels are the vectors that stand for continuous actions, bounds the least and the largest of
    these, controls the name of each of their numbers; train_vary holds values of arguments that
    policies are tuned over. Importing the module runs its code, so that one that only a file names
    needs trust.
    """

    module: str | None = None
    step_limit: int | None = None
    env_kwargs: dict[str, Any] | None = None
    success: str | None = None
    levels: list[list[float]] | None = None
    bounds: list[list[float]] | None = None
    controls: list[str] | None = None
    train_vary: dict[str, list[Any]] | None = None

    def said(self) -> dict[str, Any]:
        """Return what is said, by name; bounds are the environment's own.

        >>> Plant(step_limit=500).said()
        {'step_limit': 500}
        """
        values = {name: getattr(self, name) for name in self.__struct_fields__ if name != "bounds"}
        return {name: value for name, value in values.items() if value is not None}


def is_package(task: str) -> bool:
    """Tell whether a name is a package and an id, as Gymnasium understands them.

    >>> is_package("mine:Tank-v0"), is_package("psm:links=3"), is_package("Tank-v0")
    (True, False, False)
    """
    return ":" in task and not task.startswith(ARM)


def names_no_module(task: str) -> str:
    """Return the name of a task that a file gives, unless making that task would import a module.

    >>> names_no_module("CartPole-v1"), names_no_module("psm:links=3")
    ('CartPole-v1', 'psm:links=3')
    """
    if is_package(task):
        raise TaskError(
            f"a file names the task {task!r}, which would import a module; write the id alone "
            "there, and name the module that registers it with --import"
        )
    return task
