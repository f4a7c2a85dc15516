"""`glasstree fit`: rules for a table, without a control problem."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from glasstree.cli import app
from glasstree.cli.arguments import SepOption
from glasstree.cli.classes import show_classes
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
from glasstree.errors import OptionError

if TYPE_CHECKING:
    from glasstree.openloop.sizing import Size
    from glasstree.tables import Table

SOLVER, METRIC = "scan", "accuracy"
MOST_CLASSES = 12  # that are told one by one


@app.command()
def fit(
    data: Annotated[Path, typer.Argument(help="A CSV file with a header line, or a Parquet file.")],
    target: Annotated[str, typer.Option(help="Column with the labels.")],
    test: Annotated[Path | None, typer.Option(help="File to test on.")] = None,
    quantity: Annotated[
        bool, typer.Option("--quantity", help="The target is a number, not a label.")
    ] = False,
    depth: Annotated[
        int | None,
        typer.Option(
            help="Most rules between root and leaf; as held-back rows want it if not said."
        ),
    ] = None,
    max_rules: Annotated[int | None, typer.Option(help="Most rules of the whole tree.")] = None,
    complexity: Annotated[
        int | None, typer.Option(help="Most symbols of all rules in print.")
    ] = None,
    slack: Annotated[
        float,
        typer.Option(help="Standard errors by which rules may be worse than the best, if fewer."),
    ] = 1.0,
    terms: Annotated[int, typer.Option(help="Most terms per rule.")] = 3,
    solver: Annotated[str, typer.Option(help="Weights: scan, rga or sqp.")] = SOLVER,
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
    ] = METRIC,
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
    rule = {"depth": depth, "terms": terms, "parsimony": parsimony, "digits": digits}
    limits = {"max_rules": max_rules, "complexity": complexity, "slack": slack, "seed": seed}
    reading = {"columns": listed(columns), "drop": listed(drop) or (), "sep": sep, "test": test}
    words: dict[str, Any] = {**rule, **limits, **reading}
    of_labels = {"solver": solver, "metric": metric, "class_weight": class_weight, "costs": costs}
    if quantity:
        _refuse_labels(of_labels)
        _fit_quantity(data, target, out, words, as_json)
    else:
        _fit_labels(data, target, out, {**words, **of_labels}, as_json)


def _fit_labels(data: Path, target: str, out: Path, words: dict[str, Any], as_json: bool) -> None:
    with showing_progress(quiet=as_json, learning=[]):
        from glasstree.formats import to_text
        from glasstree.workflows.fitting import fit as learn
        from glasstree.workflows.fitting import read_costs

        costs = None if words["costs"] is None else read_costs(words["costs"])
        found = learn(data, target, out, **{**words, "costs": costs})
    if as_json:
        told = {"classes": found.confusion.figures()["classes"], "notes": list(found.notes)}
        sizes = [asdict(size) for size in found.sizes]
        print_json({**found.figures, **told, "sizes": sizes, "policy": str(out)})
        return
    shares = {"accuracy": percent, "balanced accuracy": percent}
    _show(_title(data, found.table), found.figures, shares)
    if len(found.confusion.names) <= MOST_CLASSES:
        show_classes(found.confusion)
    _show_sizes(found.sizes, words["metric"])
    _show_rules(to_text(found.policy), out, found.notes)


def _show_rules(text: str, out: Path, notes: Sequence[str]) -> None:
    console.print(text, soft_wrap=True)
    console.print(f"policy: {out}", soft_wrap=True)
    for note in notes:
        console.print(f"note: {note}", soft_wrap=True)


def _fit_quantity(data: Path, target: str, out: Path, words: dict[str, Any], as_json: bool) -> None:
    with showing_progress(quiet=as_json, learning=[]):
        from glasstree.formats import to_text
        from glasstree.workflows.quantities import fit_quantity

        found = fit_quantity(data, target, out, **words)
    if as_json:
        sizes = [asdict(size) for size in found.sizes]
        notes = list(found.notes)
        print_json({**found.figures, "notes": notes, "sizes": sizes, "policy": str(out)})
        return
    _show(_title(data, found.table), found.figures, {"r2": figure, "mean error": figure})
    _show_rules(to_text(found.policy), out, found.notes)


def _refuse_labels(words: dict[str, Any]) -> None:
    """Refuse what is about labels where there is a quantity."""
    usual = {"solver": SOLVER, "metric": METRIC}
    for name, word in words.items():
        if word != usual.get(name):
            option = name.replace("_", "-")
            raise OptionError(f"--{option} is about labels; leave it out with --quantity")


def listed(words: str | None) -> list[str] | None:
    """Take apart names with commas between them.

    >>> listed("age, city"), listed(None)
    (['age', 'city'], None)
    """
    if words is None:
        return None
    return [word.strip() for word in words.split(",") if word.strip()]


def _title(data: Path, table: "Table") -> str:
    return f"{data}: {len(table.target):,} samples, {len(table.names)} columns"


def _show(title: str, figures: dict[str, Any], shown: Mapping[str, Callable[[Any], str]]) -> None:
    """Write some figures, of the table and of the one to test on, and the sizes."""
    names = [f"{part} {name}" for name in shown for part in ("train", "test")]
    cells = [
        write(figures[f"{part}_{name}".replace(" ", "_")])
        for name, write in shown.items()
        for part in ("train", "test")
    ]
    kept = [n for n, cell in enumerate(cells) if cell != "-"]
    sizes = [str(figures["rules"]), str(figures["complexity"]), str(figures["depth"])]
    print_table(
        title,
        [*(names[n] for n in kept), "rules", "symbols", "depth", "seconds"],
        [[*(cells[n] for n in kept), *sizes, figure(figures["seconds"])]],
    )


def _show_sizes(sizes: Sequence["Size"], metric: str) -> None:
    """Write what left-out rows judged, with a mark at the one that is taken."""
    if len(sizes) < 2:
        return
    rows = [
        ["*" if size.is_taken else "", str(size.complexity), str(size.rules), f"{size.figure:.3f}"]
        for size in sizes
    ]
    head = ["", "symbols", "rules", metric.replace("_", " ")]
    print_table("sizes, by left-out rows", head, rows)
