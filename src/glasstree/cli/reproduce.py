"""`glasstree reproduce`: the paper's tables, measured again."""

from pathlib import Path
from typing import Annotated

import typer

from glasstree.cli import app
from glasstree.cli.console import JsonOption, console, print_json, showing_progress


@app.command()
def reproduce(
    study: Annotated[str, typer.Argument(help="table1, or all.")],
    runs: Annotated[int | None, typer.Option(help="Runs of each setting; 10, or 2 quick.")] = None,
    quick: Annotated[bool, typer.Option("--quick", help="Fewer settings and episodes.")] = False,
    out: Annotated[Path, typer.Option(help="Folder; what is in it already is not repeated.")] = (
        Path("runs/reproduce")
    ),
    as_json: JsonOption = False,
) -> None:
    """Measure a table of the paper again and write it beside the paper's values."""
    with showing_progress(quiet=as_json):
        from glasstree.studies import Plan, get_study, study_names
        from glasstree.studies import reproduce as measure

        plan = Plan(runs=(2 if quick else 10) if runs is None else runs, quick=quick)
        names = study_names() if study == "all" else [study]
        chosen = [get_study(name) for name in names]
        results = {known.name: measure(known, out, plan) for known in chosen}
    if as_json:
        print_json(results if study == "all" else results[study])
        return
    for result in results.values():
        path = result["markdown"]
        console.print(Path(path).read_text(encoding="utf-8"), soft_wrap=True)
        console.print(f"table: {path}", soft_wrap=True)
