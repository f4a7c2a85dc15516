"""`glasstree fit`: rules for a table, without a control problem."""

from pathlib import Path
from typing import Annotated, Any

import typer

from glasstree.cli import app
from glasstree.cli.arguments import SepOption
from glasstree.cli.classes import MOST_SHOWN, show_classes
from glasstree.cli.console import (
    JsonOption,
    ParsimonyOption,
    SeedOption,
    console,
    figure,
    percent,
    print_json,
    print_table,
    showing_progress,
)


@app.command()
def fit(
    data: Annotated[Path, typer.Argument(help="A CSV file with a header line, or a Parquet file.")],
    target: Annotated[str, typer.Option(help="Column with the labels.")],
    test: Annotated[Path | None, typer.Option(help="File to test on.")] = None,
    depth: Annotated[
        int | None,
        typer.Option(
            help="Most rules between root and leaf; as held-back rows want it if not said."
        ),
    ] = None,
    terms: Annotated[int, typer.Option(help="Most terms per rule.")] = 3,
    solver: Annotated[str, typer.Option(help="Weights: scan, rga or sqp.")] = "scan",
    parsimony: ParsimonyOption = 0.005,
    digits: Annotated[
        int | None, typer.Option(help="Significant digits of the rules' numbers.")
    ] = None,
    class_weight: Annotated[
        str | None, typer.Option(help="balanced: rare labels weigh as much as frequent ones.")
    ] = None,
    costs: Annotated[
        Path | None,
        typer.Option(help='JSON file of what wrong labels cost: {"right": {"given": 50}}.'),
    ] = None,
    metric: Annotated[
        str,
        typer.Option(
            help="What decides the size: accuracy, balanced_accuracy, f1, roc_auc or log_loss."
        ),
    ] = "accuracy",
    columns: Annotated[
        str | None, typer.Option(help="Columns to learn from, with commas between them.")
    ] = None,
    drop: Annotated[str, typer.Option(help="Columns to leave out, likewise.")] = "",
    sep: SepOption = None,
    seed: SeedOption = 0,
    out: Annotated[Path, typer.Option(help="Policy file to write.")] = Path("policy.json"),
    as_json: JsonOption = False,
) -> None:
    """Learn the rules of a table and write them as a policy file."""
    with showing_progress(quiet=as_json, learning=[]):
        from glasstree.formats import to_text
        from glasstree.workflows.fitting import fit as learn
        from glasstree.workflows.fitting import read_costs

        rule = {"solver": solver, "terms": terms, "parsimony": parsimony, "digits": digits}
        reading = {"columns": listed(columns), "drop": listed(drop) or (), "sep": sep}
        wanted: dict[str, Any] = {"depth": depth, "class_weight": class_weight, "metric": metric}
        wanted["costs"] = None if costs is None else read_costs(costs)
        found = learn(data, target, out, test=test, seed=seed, **rule, **reading, **wanted)  # type: ignore[arg-type]
    if as_json:
        classes = found.confusion.figures()["classes"]
        figures = {**found.figures, "classes": classes, "notes": list(found.notes)}
        print_json({**figures, "policy": str(out)})
        return
    samples = len(found.table.target)
    show(f"{data}: {samples:,} samples, {len(found.table.names)} columns", found.figures)
    if len(found.confusion.names) <= MOST_SHOWN:
        show_classes(found.confusion)
    console.print(to_text(found.policy), soft_wrap=True)
    console.print(f"policy: {out}", soft_wrap=True)
    for note in found.notes:
        console.print(f"note: {note}", soft_wrap=True)


def listed(words: str | None) -> list[str] | None:
    """Take apart names with commas between them.

    >>> listed("age, city"), listed(None)
    (['age', 'city'], None)
    """
    if words is None:
        return None
    return [word.strip() for word in words.split(",") if word.strip()]


def show(title: str, figures: dict[str, Any]) -> None:
    """Write the figures as a table."""
    shares = [percent(figures["train_accuracy"]), percent(figures["test_accuracy"])]
    sizes = [str(figures["rules"]), figure(figures["rule_length"], 1), str(figures["depth"])]
    print_table(
        title,
        ["train accuracy", "test accuracy", "rules", "rule length", "depth", "seconds"],
        [[*shares, *sizes, figure(figures["seconds"])]],
    )
