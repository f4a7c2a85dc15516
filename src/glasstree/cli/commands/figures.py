"""`glasstree figures`: every figure of a run as PNG and SVG."""

from pathlib import Path
from typing import Annotated

import typer

from glasstree.cli import app
from glasstree.cli.arguments import ImportOption, TrustOption
from glasstree.cli.console import JsonOption, console, print_json, showing_progress


@app.command()
def figures(
    run: Annotated[Path, typer.Argument(help="The folder of a run.")],
    out: Annotated[Path | None, typer.Option(help="Folder; RUN/figures if not given.")] = None,
    trust: TrustOption = False,
    module: ImportOption = None,
    as_json: JsonOption = False,
) -> None:
    """Write the figures of a run: maps of actions, actions over time, rewards, training, trees."""
    with showing_progress(quiet=as_json):
        from glasstree.report import write_figures
        from glasstree.runs.content import read_content

        paths = write_figures(read_content(run, module, trust), out or run / "figures")
    if as_json:
        print_json({"figures": [str(path) for path in paths]})
        return
    for path in paths:
        console.print(str(path), soft_wrap=True)
