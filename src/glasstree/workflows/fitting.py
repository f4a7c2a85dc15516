"""`fit`: rules for a table in a file, with no control problem in sight."""

import warnings
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from time import perf_counter
from typing import Any

import numpy as np

from glasstree.errors import DataError
from glasstree.openloop.classifier import NLDTClassifier
from glasstree.openloop.registry import PARSIMONY, TERMS, get_solver
from glasstree.policy import PolicyTree, save
from glasstree.tables.reading import Choice, Table, read_table


@dataclass(frozen=True)
class Fitted:
    """The rules of a table, their figures, and the table."""

    policy: PolicyTree
    figures: dict[str, Any]
    table: Table


def fit(
    data: str | Path,
    target: str,
    out: str | Path | None = None,
    *,
    test: str | Path | None = None,
    depth: int = 3,
    solver: str = "scan",
    terms: int = TERMS,
    parsimony: float = PARSIMONY,
    digits: int | None = None,
    seed: int = 0,
    columns: Sequence[str] | None = None,
    drop: Sequence[str] = (),
    sep: str | None = None,
) -> Fitted:
    """Learn the rules of a CSV or Parquet file and write them as a policy file.

    columns, drop: those to read, and those to leave out; sep: what separates a CSV file's fields,
    which is found out if it is not said.
    """
    choice = Choice(columns, drop, sep)
    train, tests = read_tables(Path(data), None if test is None else Path(test), target, choice)
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
        classifier.fit(train.frame, train.target)
    tree = classifier.tree_
    if tree.encoding is None:
        tree = replace(tree, state_names=tuple(train.names))
    seconds = perf_counter() - started
    if out is not None:
        save(tree, out)
    figures = {
        "train_accuracy": float(classifier.score(train.frame, train.target)),
        "test_accuracy": float(classifier.score(tests.frame, tests.target)) if tests else None,
        "rules": tree.n_rules,
        "rule_length": tree.rule_length,
        "depth": tree.depth,
        "seconds": seconds,
    }
    return Fitted(tree, figures, train)


def read_tables(
    data: Path, test: Path | None, target: str, choice: Choice
) -> tuple[Table, Table | None]:
    """Read both tables, the second one as the first, and refuse what nothing can be learnt from."""
    train = read_table(data, target, choice)
    if len(set(train.target.tolist())) < 2:
        raise DataError(f"column {target!r} has one label only; two are needed to learn a rule")
    varying = (len(np.unique(column.values)) > 1 for column in train.frame.columns.values())
    if not any(varying):
        raise DataError(f"all columns of {data} are constant; a rule needs one that varies")
    if test is None:
        return train, None
    kinds = {name: column.kind for name, column in train.frame.columns.items()}
    tests = read_table(test, target, choice, kinds)
    if tests.names != train.names:
        raise DataError(f"{test} has other columns than {data}; both need the same ones")
    return train, tests
