"""`glasstree predict` and `glasstree score`: the rules of a table meet new rows."""

from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer

from glasstree.cli import app
from glasstree.cli.arguments import SepOption
from glasstree.cli.classes import show_classes, show_reliability
from glasstree.cli.console import JsonOption, console, figure, percent, print_json, print_table
from glasstree.errors import OptionError

RulesArgument = Annotated[Path, typer.Argument(help="A policy file that `glasstree fit` wrote.")]
DataArgument = Annotated[Path, typer.Argument(help="A CSV or Parquet file with its columns.")]


@app.command()
def predict(
    rules: RulesArgument,
    data: DataArgument,
    out: Annotated[Path, typer.Option(help="CSV file to write.")] = Path("predicted.csv"),
    sep: SepOption = None,
    as_json: JsonOption = False,
) -> None:
    """Label the rows of a table, and write them with their labels."""
    from glasstree.workflows.scoring import predict as label

    found = label(rules, data, out, sep=sep)
    counts = {name: found.labels.count(name) for name in dict.fromkeys(sorted(found.labels))}
    if as_json:
        print_json({"out": str(out), "rows": len(found.labels), "labels": counts})
        return
    shown = [[name, f"{count:,}"] for name, count in counts.items()]
    print_table(f"{data}: {len(found.labels):,} rows", ["predicted", "rows"], shown)
    console.print(f"wrote {out}", soft_wrap=True, markup=False)


@app.command()
def score(
    rules: RulesArgument,
    data: DataArgument,
    target: Annotated[str, typer.Option(help="Column with the right labels.")],
    quantity: Annotated[
        bool, typer.Option("--quantity", help="The target is a number, not a label.")
    ] = False,
    sep: SepOption = None,
    page: Annotated[
        Path | None, typer.Option(help="HTML page to write, about the rules and these rows.")
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Tell how right the rules of a table are, class by class, and how far to rely on shares."""
    from glasstree.workflows.scoring import score as judge

    if quantity:
        _score_quantity(rules, data, target, sep, page, as_json)
        return
    found = judge(rules, data, target, sep=sep, page=page)
    if as_json:
        print_json(found.figures())
        return
    rows = int(found.rows.sum())
    print_table(
        f"{data}: {rows:,} rows",
        ["accuracy", "balanced accuracy"],
        [[percent(found.accuracy), percent(found.balanced_accuracy)]],
    )
    show_classes(found)
    if found.reliability is not None:
        show_reliability(found.reliability)
    if page is not None:
        console.print(f"page: {page}", soft_wrap=True, markup=False)


def _score_quantity(
    rules: Path, data: Path, target: str, sep: str | None, page: Path | None, as_json: bool
) -> None:
    from glasstree.workflows.scoring import score_quantity

    if page is not None:
        raise OptionError("--page is about labels; leave it out with --quantity")
    found = score_quantity(rules, data, target, sep=sep)
    if as_json:
        print_json(asdict(found))
        return
    shown = [figure(found.r2, 3), *(f"{e:.4g}" for e in (found.mean_error, found.root_mean_square))]
    names = ["r2", "mean error", "root mean square"]
    print_table(f"{data}: {found.rows:,} rows", names, [shown])
