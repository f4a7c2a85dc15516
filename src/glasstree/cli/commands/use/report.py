"""`glasstree report` and `glasstree figures`: the page of a run, or of several; its pictures."""

from pathlib import Path
from typing import Annotated

import typer

from glasstree.cli import app
from glasstree.cli.arguments import ImportOption, TrustOption
from glasstree.cli.console import JsonOption, console, print_json, showing_progress

RunsArgument = Annotated[list[Path], typer.Argument(help="Folders of runs.")]


@app.command()
def report(
    runs: RunsArgument,
    out: Annotated[
        Path | None, typer.Option(help="The page; RUN/report.html, or comparison.html.")
    ] = None,
    trust: TrustOption = False,
    module: ImportOption = None,
    show: Annotated[bool, typer.Option("--open", help="Open the page in a browser.")] = False,
    as_json: JsonOption = False,
) -> None:
    """Make the page of a run anew, or one page that compares several runs."""
    with showing_progress(quiet=as_json):
        from glasstree.workflows.run import report as write

        path = write(*runs, out=out, module=module, trust=trust)
    if as_json:
        print_json({"report": str(path), "runs": [str(run) for run in runs]})
        return
    console.print(f"report: {path}", soft_wrap=True)
    if show and typer.launch(path.resolve().as_uri()):
        console.print("no browser was found here; open that file in one", soft_wrap=True)


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
        from glasstree.workflows.run import open_run

        paths = open_run(run).figures(out, module=module, trust=trust)
    if as_json:
        print_json({"figures": [str(path) for path in paths]})
        return
    for path in paths:
        console.print(str(path), soft_wrap=True)
