"""`glasstree export`: a policy leaves, and is checked to decide as before."""

from typing import TYPE_CHECKING, Annotated

import typer

from glasstree.cli import app
from glasstree.cli.console import JsonOption, messages, print_json

if TYPE_CHECKING:
    from glasstree.explain import Exported


@app.command()
def export(
    policy: Annotated[str, typer.Argument(help="A policy file, or the folder of a run.")],
    to: Annotated[
        str,
        typer.Option(
            help="text, latex, python, c, javascript, json, dot, svg, sympy, sql or onnx.",
            show_default=True,
        ),
    ] = "text",
    out: Annotated[
        str | None, typer.Option(help="Where to write; standard output if not given.")
    ] = None,
    precision: Annotated[
        str, typer.Option(help="double or float; c and onnx have both.")
    ] = "double",
    states: Annotated[
        int, typer.Option(help="Number of states of the check; 0 for none.")
    ] = 100_000,
    as_json: JsonOption = False,
) -> None:
    """Write a policy in another form, checked to be equal by running it where that is possible."""
    from glasstree.errors import OptionError
    from glasstree.policy import load
    from glasstree.workflows.policies import export as write

    tree = load(policy)
    if to == "onnx" and out is None and not as_json:
        raise OptionError("onnx is a binary format; say where to write it with --out")
    exported = write(tree, to, out, precision=precision, states=states)
    content = exported.content
    if as_json:
        result = {"policy": policy, "format": to, "precision": precision, "out": out}
        check = exported.check.figures() if exported.check else None
        shown = content if isinstance(content, str) and out is None else None
        print_json({**result, "check": check, "note": exported.sentence, "content": shown})
        return
    _tell(exported, out)


def _tell(exported: "Exported", out: str | None) -> None:
    """Write the export to standard output if it has no file, and what was done on the console."""
    content = exported.content
    if out is not None:
        messages.print(f"wrote {out}, {len(content):,} bytes", highlight=False, markup=False)
    elif isinstance(content, str):
        typer.echo(content, nl=False)
    if exported.sentence:
        messages.print(exported.sentence, highlight=False, markup=False)
