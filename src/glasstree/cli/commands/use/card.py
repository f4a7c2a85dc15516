"""`glasstree card`: one Markdown page about a run, for a safety board or a model hub."""

from pathlib import Path
from typing import Annotated

import typer

from glasstree.cli import app
from glasstree.cli.console import JsonOption, console, print_json, showing_progress


@app.command()
def card(
    run: Annotated[Path, typer.Argument(help="The folder of a finished run.")],
    out: Annotated[Path | None, typer.Option(help="The page; RUN/card.md if not given.")] = None,
    as_json: JsonOption = False,
) -> None:
    """Write a model card: rules, figures, what is proved, and how to make it again."""
    with showing_progress(quiet=as_json):
        from glasstree.workflows.card import card as write

        path = write(run, out)
    if as_json:
        print_json({"card": str(path)})
        return
    console.print(f"card: {path}", soft_wrap=True)
