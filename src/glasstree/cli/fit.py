"""`glasstree fit`: rules for a table, with no control problem in sight."""

from pathlib import Path
from time import perf_counter
from typing import Annotated

import typer

from glasstree.cli import app
from glasstree.cli.console import (
    JsonOption,
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
    data: Annotated[Path, typer.Argument(help="A CSV file with a header line.")],
    target: Annotated[str, typer.Option(help="Column with the labels.")],
    test: Annotated[Path | None, typer.Option(help="CSV file to test on.")] = None,
    depth: Annotated[int, typer.Option(help="Most rules on the way of a sample.")] = 3,
    terms: Annotated[int, typer.Option(help="Most terms a rule.")] = 3,
    solver: Annotated[str, typer.Option(help="Weights of a rule: exact.")] = "exact",
    seed: SeedOption = 0,
    out: Annotated[Path, typer.Option(help="Policy file to write.")] = Path("policy.json"),
    as_json: JsonOption = False,
) -> None:
    """Learn the rules of a table and write them as a policy file."""
    with showing_progress(quiet=as_json):
        from glasstree.data.tables import read_csv
        from glasstree.errors import DataError
        from glasstree.export import to_text
        from glasstree.openloop.classifier import NLDTClassifier
        from glasstree.openloop.solvers import get_solver
        from glasstree.policy import save

        train = read_csv(data, target)
        if len(set(train.target.tolist())) < 2:
            raise DataError(f"column {target!r} has one label only; two are needed to learn a rule")
        tests = read_csv(test, target) if test else None
        if tests and tests.names != train.names:
            raise DataError(f"{test} has other columns than {data}; both need the same ones")
        started = perf_counter()
        classifier = NLDTClassifier(depth, get_solver(solver), terms, random_state=seed)
        classifier.fit(train.features, train.target)
        tree = classifier.tree_
        tree = type(tree)(tree.root, tree.scaling, tuple(train.names), tree.action_names)
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
    print_table(
        f"{data}: {len(train.target):,} samples, {len(train.names)} columns",
        ["train accuracy", "test accuracy", "rules", "rule length", "depth", "seconds"],
        [
            [
                *(percent(figures["train_accuracy"]), percent(figures["test_accuracy"])),
                *(str(tree.n_rules), figure(tree.rule_length, 1), str(tree.depth)),
                figure(seconds),
            ]
        ],
    )
    console.print(to_text(tree), markup=False, highlight=False, soft_wrap=True)
    console.print(f"policy: {out}", highlight=False)
