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
    as_json: JsonOption = False,
) -> None:
    """Make the page of a run anew, or one page that compares several runs."""
    with showing_progress(quiet=as_json):
        from glasstree.report import write_comparison, write_report
        from glasstree.runs.content import read_content

        contents = [
            (name, read_content(run, module, trust))
            for name, run in zip(named(runs), runs, strict=True)
        ]
        if len(runs) == 1:
            path = out or runs[0] / "report.html"
            write_report(contents[0][1], path)
        else:
            path = out or Path("comparison.html")
            write_comparison(contents, path)
    if as_json:
        print_json({"report": str(path), "runs": [str(run) for run in runs]})
        return
    console.print(f"report: {path}", soft_wrap=True)


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


def named(runs: list[Path]) -> list[str]:
    """Call runs by the last part of their folders, or by all of it where that is not enough.

    >>> named([Path("a/x"), Path("b/x"), Path("b/y")])
    ['a/x', 'b/x', 'y']
    """
    last = [run.resolve().name for run in runs]
    return [
        name if last.count(name) == 1 else str(run) for name, run in zip(last, runs, strict=True)
    ]
