"""What every oracle offers, and the check that it suits a task."""

from typing import Literal, Protocol, runtime_checkable

from glasstree.errors import OracleError
from glasstree.policy.arrays import Floats, Ints, Policy
from glasstree.policy.tree import PolicyTree
from glasstree.tasks.base import Task

# values: what each action is worth; probabilities: how often each is chosen
Meaning = Literal["values", "probabilities"]


@runtime_checkable
class Oracle(Protocol):
    """A policy that may also tell how much it prefers each action.

    n_variables and n_actions are None where the oracle does not know them; meaning is None where
    preferences returns None.
    """

    @property
    def n_variables(self) -> int | None:
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


def check_suits(policy: Policy, task: Task, name: str) -> None:
    """Refuse a policy of another n_variables, or with actions that the task does not have."""
    n_variables, actions = getattr(policy, "n_variables", None), getattr(policy, "n_actions", None)
    if isinstance(policy, PolicyTree):
        actions = len(policy.action_names)
    if n_variables is not None and n_variables != task.n_variables:
        raise OracleError(
            f"{name!r} expects {n_variables} variables, but {task.name} has {task.n_variables}; "
            "use a policy that was made for this task"
        )
    if task.bounds is not None and not isinstance(policy, PolicyTree):
        width = len(task.bounds[0])
        if actions is not None and (actions != width or not hasattr(policy, "vectors")):
            raise OracleError(
                f"{name!r} chooses between {actions} actions, but those of {task.name} are "
                f"continuous, {width} number{'' if width == 1 else 's'} each; use a policy that "
                "was made for this task"
            )
        return
    if actions == 1 < task.n_actions and not isinstance(policy, PolicyTree):
        raise OracleError(
            f"{name!r} has one output, and {task.name} has {task.n_actions} actions; an oracle "
            "needs one output an action, or actions as integers"
        )
    if actions is not None and actions > task.n_actions:
        raise OracleError(
            f"{name!r} has {actions} actions, but {task.name} has {task.n_actions}; "
            "use a policy that was made for this task"
        )
