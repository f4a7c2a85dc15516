"""`glasstree fit`: rules for a table, with no control problem in sight."""

import warnings
from dataclasses import replace
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING, Annotated, Any

import typer

from glasstree.cli import app
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

if TYPE_CHECKING:
    from glasstree.data.tables import Table


@app.command()
def fit(
    data: Annotated[Path, typer.Argument(help="A CSV file with a header line, or a Parquet file.")],
    target: Annotated[str, typer.Option(help="Column with the labels.")],
    test: Annotated[Path | None, typer.Option(help="File to test on.")] = None,
    depth: Annotated[int, typer.Option(help="Most rules on the way of a sample.")] = 3,
    terms: Annotated[int, typer.Option(help="Most terms a rule.")] = 3,
    solver: Annotated[str, typer.Option(help="Weights: scan, rga or sqp.")] = "scan",
    parsimony: ParsimonyOption = 0.005,
    digits: Annotated[
        int | None, typer.Option(help="Significant digits of the rules' numbers.")
    ] = None,
    seed: SeedOption = 0,
    out: Annotated[Path, typer.Option(help="Policy file to write.")] = Path("policy.json"),
    as_json: JsonOption = False,
) -> None:
    """Learn the rules of a table and write them as a policy file."""
    with showing_progress(quiet=as_json):
        from glasstree.formats import to_text
        from glasstree.openloop.classifier import NLDTClassifier
        from glasstree.openloop.registry import get_solver
        from glasstree.policy import save

        train, tests = read_tables(data, test, target)
        started = perf_counter()
        classifier = NLDTClassifier(
            *(depth, get_solver(solver)),
            terms=terms,
            parsimony=parsimony,
            digits=digits,
            random_state=seed,
        )
        with warnings.catch_warnings():
            warnings.filterwarnings("ignore", "The number of unique classes")
            classifier.fit(train.features, train.target)
        tree = replace(classifier.tree_, state_names=tuple(train.names))
        seconds = perf_counter() - started
        save(tree, out)
    figures = {
        "train_accuracy": float(classifier.score(train.features, train.target)),
        "test_accuracy": float(classifier.score(tests.features, tests.target)) if tests else None,
        "rules": tree.n_rules,
        "rule_length": tree.rule_length,
        "depth": tree.depth,
        "seconds": seconds,
    }
    if as_json:
        print_json({**figures, "policy": str(out)})
        return
    show(f"{data}: {len(train.target):,} samples, {len(train.names)} columns", figures)
    console.print(to_text(tree), soft_wrap=True)
    console.print(f"policy: {out}", soft_wrap=True)
    labels = len(tree.action_names)
    if 2 * labels > len(train.target):
        console.print(f"note: {target!r} has {labels:,} labels; is it a quantity?", markup=False)


def read_tables(data: Path, test: Path | None, target: str) -> tuple["Table", "Table | None"]:
    """Read both tables and refuse what nothing can be learnt from."""
    from glasstree.data.tables import read_table
    from glasstree.errors import DataError
    from glasstree.policy import Scaling

    train = read_table(data, target)
    if len(set(train.target.tolist())) < 2:
        raise DataError(f"column {target!r} has one label only; two are needed to learn a rule")
    if not Scaling.fit(train.features).span.any():
        raise DataError(f"all columns of {data} are constant; a rule needs one that varies")
    tests = read_table(test, target) if test else None
    if tests and tests.names != train.names:
        raise DataError(f"{test} has other columns than {data}; both need the same ones")
    return train, tests


def show(title: str, figures: dict[str, Any]) -> None:
    """Write the figures as a table."""
    shares = [percent(figures["train_accuracy"]), percent(figures["test_accuracy"])]
    sizes = [str(figures["rules"]), figure(figures["rule_length"], 1), str(figures["depth"])]
    print_table(
        title,
        ["train accuracy", "test accuracy", "rules", "rule length", "depth", "seconds"],
        [[*shares, *sizes, figure(figures["seconds"])]],
    )
