"""`glasstree pick`: take another policy of a run's front."""

from pathlib import Path
from typing import Annotated

import typer

from glasstree.cli import app
from glasstree.cli.console import JsonOption, console, figure, percent, print_json, program


@app.command()
def pick(
    run: Annotated[Path, typer.Argument(help="The folder of a run.")],
    which: Annotated[
        str, typer.Argument(help="Most symbols, such as 15; or best, simplest or default.")
    ],
    as_json: JsonOption = False,
) -> None:
    """Choose a simpler or a stronger policy of a finished run, without a new search."""
    from glasstree.runs.picking import pick as take

    row = take(run, which)
    path = run / "policy.json"
    if as_json:
        print_json({**row, "policy": str(path)})
        return
    success = "" if row["success_rate"] is None else f", success {percent(row['success_rate'])}"
    symbols, rules = row["complexity"], row["rules"]
    console.print(
        f"{symbols} symbol{'s' * (symbols != 1)}, {rules} rule{'s' * (rules != 1)}: mean reward "
        f"{figure(row['mean_reward'])}{success}\npolicy: {path}\n"
        f"next:   {program()} export {path} --to text",
        soft_wrap=True,
    )
