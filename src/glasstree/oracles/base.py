"""What every oracle offers, and the check that it suits a task."""

from typing import Literal, Protocol, runtime_checkable

from glasstree.errors import OracleError
from glasstree.policy.arrays import Floats, Ints
from glasstree.tasks.base import Task

# values: what each action is worth; probabilities: how often each is chosen
Meaning = Literal["values", "probabilities"]


@runtime_checkable
class Oracle(Protocol):
    """A policy that may also tell how much it prefers each action.

    width and n_actions are None where the oracle does not know them; meaning is None where
    preferences returns None.
    """

    @property
    def width(self) -> int | None:
        """Number of state variables."""
        ...

    @property
    def n_actions(self) -> int | None:
        """Number of actions."""
        ...

    @property
    def meaning(self) -> Meaning | None:
        """What preferences are."""
        ...

    def actions(self, states: Floats, /) -> Ints:
        """Return one action for each of (n, variables) states."""
        ...

    def preferences(self, states: Floats, /) -> Floats | None:
        """Return (n, actions) values or probabilities, or None where the oracle has none."""
        ...


def check_suits(oracle: Oracle, task: Task, name: str) -> None:
    """Refuse an oracle of another width, or with actions that the task does not have."""
    if oracle.width is not None and oracle.width != task.width:
        raise OracleError(
            f"oracle {name!r} expects {oracle.width} variables, but {task.name} has {task.width}; "
            "use an oracle that was trained on this task"
        )
    if oracle.n_actions is not None and oracle.n_actions > task.n_actions:
        raise OracleError(
            f"oracle {name!r} has {oracle.n_actions} actions, but {task.name} has "
            f"{task.n_actions}; use an oracle that was trained on this task"
        )
