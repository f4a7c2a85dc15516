"""`glasstree prove`: what is certain of a policy, in every state and from every start."""

from contextlib import nullcontext
from typing import TYPE_CHECKING, Annotated

import typer

from glasstree.cli import app
from glasstree.cli.commands.use.explain import numbers
from glasstree.cli.console import JsonOption, print_json, showing_progress

if TYPE_CHECKING:
    from glasstree.policy import PolicyTree


@app.command()
def prove(
    policy: Annotated[str, typer.Argument(help="A policy file, or the folder of a run.")],
    claims: Annotated[
        list[str] | None,
        typer.Argument(help="Claims such as 'gap < 28 and v_rel < 0 => brake'; none: the task's."),
    ] = None,
    within: Annotated[
        list[str] | None,
        typer.Option(help="Range of states, such as 'x in [-1, 1]'; what was seen by default."),
    ] = None,
    state: Annotated[
        str | None, typer.Option(help="A state, to tell how far around it the action is certain.")
    ] = None,
    task: Annotated[
        str | None, typer.Option("--task", help="Task of the loop; the policy's own by default.")
    ] = None,
    seconds: Annotated[
        float | None, typer.Option(min=0.0, help="Time for each claim; 10, and 60 for loops.")
    ] = None,
    certificate: Annotated[
        str | None, typer.Option(help="File that keeps what is proved, for --check.")
    ] = None,
    check: Annotated[
        str | None, typer.Option(help="Check a certificate of the policy, and nothing else.")
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Prove or refute claims about a policy: exit code 0 all proved, 1 refuted, 2 not known."""
    from glasstree.prove import prove as find
    from glasstree.prove import write_certificate

    if check is not None:
        return tell_what_holds(policy, check, as_json)
    tree = loaded(policy, task)
    around = None if state is None else numbers(state, tree.state_names)
    with nullcontext() if claims else showing_progress(quiet=as_json):
        found = find(
            tree, *(claims or ()), within=within or (), state=around, task=task, seconds=seconds
        )
    if certificate is not None:
        write_certificate(certificate, tree, found.answers)
    if as_json:
        print_json({"policy": policy, **found.figures()})
    else:
        typer.echo(str(found) or "nothing is certain of this policy; claim something of it")
    raise typer.Exit(found.exit_code)


def loaded(policy: str, task: str | None) -> "PolicyTree":
    """Return a policy; a task that does not fit it is told before progress is shown."""
    from glasstree.policy import load
    from glasstree.prove.loops import task_of

    tree = load(policy)
    if task is not None:
        task_of(tree, task)
    return tree


def tell_what_holds(policy: str, certificate: str, as_json: bool) -> None:
    """Check a certificate of a policy and print its claims."""
    from glasstree.policy import load
    from glasstree.prove import check_certificate

    held = check_certificate(certificate, load(policy))
    if as_json:
        print_json({"policy": policy, "certificate": certificate, "holds": held})
    else:
        typer.echo("\n".join(f"holds: {claim}" for claim in held))
