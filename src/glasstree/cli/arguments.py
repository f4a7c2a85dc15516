"""What a command is about: a policy or an oracle, and the task that it meets."""

from typing import TYPE_CHECKING, Annotated, Any

import typer

from glasstree.cli.console import output_aside

if TYPE_CHECKING:
    from glasstree.policy.arrays import Policy
    from glasstree.tasks import Task

PolicyArgument = Annotated[
    str | None, typer.Argument(help="A policy file, or the folder of a run.")
]
OracleOption = Annotated[
    str | None,
    typer.Option("--oracle", help="A shipped name, .npz, .zip, .onnx, .json or module:function."),
]
TaskOption = Annotated[
    str | None,
    typer.Option("--task", help="A task or a Gymnasium id; the policy's own by default."),
]
TrustOption = Annotated[
    bool,
    typer.Option("--trust", help="Run code of a .zip, or of module:function that a run names."),
]
ImportOption = Annotated[
    str | None, typer.Option("--import", help="Module that registers the environment.")
]

SepOption = Annotated[
    str | None, typer.Option(help="What separates the fields of a CSV file, if not found out.")
]


@output_aside()
def policy_and_task(
    policy: str | None,
    oracle: str | None,
    task: str | None,
    trust: bool = False,
    **words: Any,
) -> tuple["Policy", "Task", str]:
    """Return the policy, its task, and what to call it; what their code prints goes aside."""
    from glasstree.workflows.policies import policy_and_task as find

    return find(policy, oracle, task, trust, **words)
