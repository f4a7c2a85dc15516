"""What a command is about: a policy or an oracle, and the task that it meets."""

from typing import TYPE_CHECKING, Annotated

import typer

from glasstree.cli.console import output_aside
from glasstree.errors import OptionError

if TYPE_CHECKING:
    from glasstree.policy.arrays import Policy
    from glasstree.tasks import Task

PolicyArgument = Annotated[str | None, typer.Argument(help="A policy file.")]
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
NamesOption = Annotated[
    str | None, typer.Option("--names", help="Names of the variables, with commas between them.")
]


@output_aside()
def policy_and_task(
    policy: str | None,
    oracle: str | None,
    task: str | None,
    trust: bool = False,
    module: str | None = None,
) -> tuple["Policy", "Task", str]:
    """Return the policy, its task, and what to call it."""
    from glasstree.oracles import load_oracle
    from glasstree.oracles.base import check_suits
    from glasstree.policy import PolicyTree, load
    from glasstree.tasks import get_task

    if (policy is None) == (oracle is None):
        raise OptionError("give either a policy file or --oracle")
    name = oracle or str(policy)
    found = load(name) if policy else load_oracle(name, trust=trust)
    own = found.task if isinstance(found, PolicyTree) else _own_task(name)
    if task is None and own is None:
        raise OptionError(f"{name} does not name its task; say which with --task")
    known = get_task(task or str(own), module=module)
    check_suits(found, known, name)
    return found, known, name


def _own_task(name: str) -> str | None:
    from glasstree.oracles import oracle_card, oracle_names
    from glasstree.oracles.files import read_oracle

    if name.endswith(".npz"):
        return read_oracle(name)[1].task
    return oracle_card(name).task if name in oracle_names() else None
