"""`fit --quantity`: rules for the numbers of a table, a constant in each leaf."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from time import perf_counter
from typing import Any

import numpy as np

from glasstree.errors import DataError
from glasstree.openloop.registry import PARSIMONY, TERMS
from glasstree.openloop.regressor import DIGITS, NLDTRegressor
from glasstree.openloop.sizing import Size
from glasstree.policy import PolicyTree, save
from glasstree.tables.figures import Distances
from glasstree.tables.reading import Choice, Table
from glasstree.workflows.fitting import check_varying, read_tables, remarks


@dataclass(frozen=True)
class FittedQuantity:
    """The rules of a table's quantity, figures, the table, sizes that were judged, and notes."""

    policy: PolicyTree
    figures: dict[str, Any]
    table: Table
    sizes: tuple[Size, ...]
    notes: tuple[str, ...] = ()


def fit_quantity(
    data: str | Path,
    target: str,
    out: str | Path | None = None,
    *,
    test: str | Path | None = None,
    depth: int | None = None,
    terms: int = TERMS,
    parsimony: float = PARSIMONY,
    digits: int | None = None,
    max_rules: int | None = None,
    complexity: float | None = None,
    slack: float = 1.0,
    seed: int = 0,
    columns: Sequence[str] | None = None,
    drop: Sequence[str] = (),
    sep: str | None = None,
) -> FittedQuantity:
    """Learn the rules of a file's quantity and write them as a policy file, as `fit` does."""
    choice = Choice(columns, drop, sep)
    tests = None if test is None else Path(test)
    train, unseen = read_tables(Path(data), tests, target, choice, numeric=True)
    if np.ptp(train.target) == 0.0:
        raise DataError(f"column {target!r} is constant; a rule needs one that varies")
    check_varying(data, train)
    started = perf_counter()
    model = NLDTRegressor(
        depth,
        terms=terms,
        parsimony=parsimony,
        digits=DIGITS if digits is None else digits,
        max_rules=max_rules,
        complexity=complexity,
        slack=slack,
        random_state=seed,
    ).fit(train.frame, train.target)
    tree = model.tree_
    if tree.encoding is None:
        tree = replace(tree, state_names=tuple(train.names))
    seconds = perf_counter() - started
    if out is not None:
        save(tree, out)
    figures = {
        **_figures("train", model, train),
        **_figures("test", model, unseen),
        **tree.sizes,
        "seconds": seconds,
    }
    notes = [] if tree.n_rules else ["no rule is better than always the mean"]
    return FittedQuantity(tree, figures, train, model.sizes_, (*remarks(train), *notes))


def _figures(part: str, model: NLDTRegressor, table: Table | None) -> dict[str, Any]:
    """Return the distances of one table, or that there are none."""
    names = ("r2", "mean_error", "root_mean_square")
    if table is None:
        return dict.fromkeys((f"{part}_{name}" for name in names), None)
    found = asdict(Distances.of(table.target, model.predict(table.frame)))
    return {f"{part}_{name}": found[name] for name in names}
