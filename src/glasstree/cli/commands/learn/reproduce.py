"""`glasstree reproduce`: the paper's tables and figures, measured again."""

from pathlib import Path
from typing import Annotated

import typer

from glasstree.cli import app
from glasstree.cli.console import (
    JsonOption,
    WorkersOption,
    console,
    print_json,
    showing_progress,
)


@app.command()
def reproduce(
    study: Annotated[str, typer.Argument(help="table1 to table8, figures, or all.")],
    runs: Annotated[int | None, typer.Option(help="Runs of each setting; 10, or 2 quick.")] = None,
    quick: Annotated[
        bool, typer.Option("--quick", help="Small budgets, for a first look.")
    ] = False,
    workers: WorkersOption = 0,
    out: Annotated[Path, typer.Option(help="Folder; what is in it already is not repeated.")] = (
        Path("runs/reproduce")
    ),
    docs: Annotated[
        Path | None, typer.Option(help="Page of results to write, its data in a folder beside it.")
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Measure tables and figures of the paper again and write them beside the paper's values."""
    with showing_progress(quiet=as_json):
        from glasstree.studies.layout import markdown
        from glasstree.studies.reproduction import reproduce as measure

        found = measure(study, out, runs=runs, quick=quick, docs=docs, workers=workers)
    if as_json:
        tables = {table["study"]: table for table in found.tables}
        drawn = {name: str(path) for name, path in found.figures.items()}
        print_json({"runs": found.plan.runs, "quick": quick, "tables": tables, "figures": drawn})
        return
    for table in found.tables:
        console.print(markdown(table), soft_wrap=True)
    for path in found.figures.values():
        console.print(f"figure: {path}", soft_wrap=True)
    console.print(f"page: {found.page}", soft_wrap=True)
