"""`fit`: rules for a table in a file, without a control problem."""

import warnings
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from time import perf_counter
from typing import Any

import msgspec
import numpy as np

from glasstree.errors import DataError, OptionError
from glasstree.openloop.classifier import NLDTClassifier
from glasstree.openloop.registry import PARSIMONY, TERMS, get_solver
from glasstree.openloop.sizing import Size
from glasstree.policy import PolicyTree, save
from glasstree.tables.cells import better_written
from glasstree.tables.figures import Confusion
from glasstree.tables.reading import Choice, Table, read_table

RARE = 0.1  # share of the rows below which a class is rare
FOUND = 0.8  # share of a rare class: a note is made if fewer are found
MOST_NAMED = 5  # labels that a note names
MANY = 20  # labels, above which numbers may be quantities
QUANTITY = "--quantity learns a number instead of a label"


@dataclass(frozen=True)
class Fitted:
    """The rules of a table, their figures, the table, and how right they are, class by class.

    The classes are those of the test table where there is one. Notes say what to look at; sizes
    are those of trees that left-out rows judged.
    """

    policy: PolicyTree
    figures: dict[str, Any]
    table: Table
    confusion: Confusion
    notes: tuple[str, ...] = ()
    sizes: tuple[Size, ...] = ()


def fit(
    data: str | Path,
    target: str,
    out: str | Path | None = None,
    *,
    test: str | Path | None = None,
    depth: int | None = None,
    solver: str = "scan",
    terms: int = TERMS,
    parsimony: float = PARSIMONY,
    digits: int | None = None,
    class_weight: str | None = None,
    costs: Mapping[str, Mapping[str, float]] | None = None,
    metric: str = "accuracy",
    max_rules: int | None = None,
    complexity: float | None = None,
    slack: float = 1.0,
    seed: int = 0,
    columns: Sequence[str] | None = None,
    drop: Sequence[str] = (),
    sep: str | None = None,
) -> Fitted:
    """Learn the rules of a CSV or Parquet file and write them as a policy file.

    columns, drop: those to read, and those to leave out; sep: what separates a CSV file's fields,
    which is found out if it is not said. Without a depth, the rules are as many as held-back rows
    want by the metric, and no more than `max_rules` with `complexity` symbols; `slack` says by how
    many standard errors they may be worse than the best, to be fewer.
    """
    if class_weight not in (None, "balanced"):
        raise OptionError(f"class_weight is 'balanced' or left out, got {class_weight!r}")
    choice = Choice(columns, drop, sep)
    train, tests = read_tables(Path(data), None if test is None else Path(test), target, choice)
    if len(set(train.target.tolist())) < 2:
        raise DataError(f"column {target!r} has one label only; two are needed to learn a rule")
    check_varying(data, train)
    started = perf_counter()
    classifier = NLDTClassifier(
        *(depth, get_solver(solver)),
        terms=terms,
        parsimony=parsimony,
        digits=digits,
        class_weight=class_weight,
        costs=costs,
        metric=metric,
        max_rules=max_rules,
        complexity=complexity,
        slack=slack,
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
    seen = _confusion(classifier, train)
    unseen = _confusion(classifier, tests) if tests else None
    figures = {
        "train_accuracy": seen.accuracy,
        "test_accuracy": unseen.accuracy if unseen else None,
        "train_balanced_accuracy": seen.balanced_accuracy,
        "test_balanced_accuracy": unseen.balanced_accuracy if unseen else None,
        **tree.sizes,
        "seconds": seconds,
    }
    told = unseen or seen
    notes = (*remarks(train), *_notes(tree, seen, told, target))
    return Fitted(tree, figures, train, told, notes, classifier.sizes_)


def _confusion(classifier: NLDTClassifier, table: Table) -> Confusion:
    return Confusion.of(table.target.tolist(), classifier.predict(table.frame).tolist())


def _notes(tree: PolicyTree, seen: Confusion, told: Confusion, target: str) -> Iterator[str]:
    """Say what was left out, and what may help.

    told: the confusion that is shown, of the test table where there is one.
    """
    labels, rows = len(tree.action_names), int(seen.rows.sum())
    if 2 * labels > rows:
        yield f"{target!r} has {labels:,} labels; is it a quantity? {QUANTITY}"
        return
    if labels > MANY and all(map(_is_number, tree.action_names)):
        yield f"{target!r} has {labels:,} different numbers; {QUANTITY}"
    if not tree.n_rules:
        yield "no rule is better than always the most frequent label"
    if seen.left_out:
        sizes = dict(zip(seen.names, seen.rows.tolist(), strict=True))
        shown = ", ".join(f"{name!r} ({sizes[name]:,})" for name in seen.left_out[:MOST_NAMED])
        more = len(seen.left_out) - MOST_NAMED
        others = f" and {more:,} others" if more > 0 else ""
        yield (
            f"of {rows:,} rows, {shown}{others} are never predicted; --metric balanced_accuracy "
            "gives every class the same weight"
        )
    yield from _missed(told)


def _missed(found: Confusion) -> Iterator[str]:
    """Name the rare classes of which too few are found."""
    total = int(found.rows.sum())
    for name, rows, recall in zip(found.names, found.rows.tolist(), found.recall, strict=True):
        if name not in found.left_out and 0 < rows < RARE * total and recall < FOUND:
            yield (
                f"of {rows:,} rows of {name!r}, {recall:.0%} are found; --metric "
                "balanced_accuracy, or --costs, makes them count more"
            )


def _is_number(name: str) -> bool:
    try:
        float(name)
    except ValueError:
        return False
    return True


def read_costs(path: str | Path) -> dict[str, dict[str, float]]:
    """Read what wrong labels cost: a JSON file such as {"fraud": {"fine": 50}}."""
    try:
        return msgspec.json.decode(Path(path).read_bytes(), type=dict[str, dict[str, float]])
    except OSError as error:
        raise DataError(f"cannot read {str(path)!r}: {error.strerror or error}") from None
    except msgspec.MsgspecError as error:
        raise DataError(
            f'{path} is no table of costs such as {{"fraud": {{"fine": 50}}}}: {error}'
        ) from None


def remarks(table: Table) -> Iterator[str]:
    """Name a column that is left out, and those whose words seem to be numbers or dates."""
    yield from table.frame.notes
    for name, column in table.frame.columns.items():
        advice = better_written(column)
        if advice:
            yield f"column {name!r} is read as words such as {column.levels[0]!r}; {advice}"


def check_varying(data: str | Path, table: Table) -> None:
    """Refuse a table whose columns are all constant."""
    varying = (len(np.unique(column.values)) > 1 for column in table.frame.columns.values())
    if not any(varying):
        raise DataError(f"all columns of {data} are constant; a rule needs one that varies")


def read_tables(
    data: Path, test: Path | None, target: str, choice: Choice, numeric: bool = False
) -> tuple[Table, Table | None]:
    """Read both tables, the second one as the first."""
    train = read_table(data, target, choice, numeric=numeric)
    if test is None:
        return train, None
    kinds = {name: column.kind for name, column in train.frame.columns.items()}
    tests = read_table(test, target, choice, kinds, numeric)
    if tests.names != train.names:
        raise DataError(f"{test} has other columns than {data}; both need the same ones")
    return train, tests
