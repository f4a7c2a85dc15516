"""`glasstree export`: a policy leaves, and is proved to decide as before."""

from typing import TYPE_CHECKING, Annotated

import typer

from glasstree.cli import app
from glasstree.cli.console import JsonOption, messages, print_json

if TYPE_CHECKING:
    from glasstree.explain import Exported


@app.command()
def export(
    policy: Annotated[str, typer.Argument(help="A policy file.")],
    to: Annotated[
        str,
        typer.Option(
            help="text, latex, python, c, javascript, json, dot, svg, sympy or onnx.",
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
        int, typer.Option(help="Number of states of the proof; 0 for none.")
    ] = 100_000,
    as_json: JsonOption = False,
) -> None:
    """Write a policy in another form, proved equal by running it where that is possible."""
    from glasstree.errors import OptionError
    from glasstree.explain import proved_export
    from glasstree.policy import load

    tree = load(policy)
    if to == "onnx" and out is None and not as_json:
        raise OptionError("onnx is a binary format; say where to write it with --out")
    exported = proved_export(tree, to, precision, states)
    content = exported.content
    if out is not None:
        written(out, content if isinstance(content, bytes) else content.encode())
    if as_json:
        result = {"policy": policy, "format": to, "precision": precision, "out": out}
        proof = exported.proof.figures() if exported.proof else None
        shown = content if isinstance(content, str) and out is None else None
        print_json({**result, "proof": proof, "note": exported.sentence, "content": shown})
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


def written(path: str, content: bytes) -> None:
    """Write a file, all of it or nothing."""
    from glasstree.errors import ExportError
    from glasstree.policy.document import write_atomically

    try:
        write_atomically(path, content)
    except OSError as error:
        reason = error.strerror or str(error)
        raise ExportError(f"cannot write {path!r}: {reason}; choose another --out") from None
