"""`fit`: rules for a table in a file, without a control problem."""

import warnings
from dataclasses import dataclass, replace
from pathlib import Path
from time import perf_counter
from typing import Any

from glasstree.data.tables import Table, read_table
from glasstree.errors import DataError
from glasstree.openloop.classifier import NLDTClassifier
from glasstree.openloop.registry import PARSIMONY, TERMS, get_solver
from glasstree.policy import PolicyTree, Scaling, save


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
) -> Fitted:
    """Learn the rules of a CSV or Parquet file and write them as a policy file."""
    train, tests = read_tables(Path(data), None if test is None else Path(test), target)
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
    if out is not None:
        save(tree, out)
    figures = {
        "train_accuracy": float(classifier.score(train.features, train.target)),
        "test_accuracy": float(classifier.score(tests.features, tests.target)) if tests else None,
        **tree.sizes,
        "seconds": seconds,
    }
    return Fitted(tree, figures, train)


def read_tables(data: Path, test: Path | None, target: str) -> tuple[Table, Table | None]:
    """Read both tables and refuse what nothing can be learnt from."""
    train = read_table(data, target)
    if len(set(train.target.tolist())) < 2:
        raise DataError(f"column {target!r} has one label only; two are needed to learn a rule")
    if not Scaling.fit(train.features).span.any():
        raise DataError(f"all columns of {data} are constant; a rule needs one that varies")
    tests = read_table(test, target) if test else None
    if tests and tests.names != train.names:
        raise DataError(f"{test} has other columns than {data}; both need the same ones")
    return train, tests
