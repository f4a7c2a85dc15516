"""Rows of a table on which code that reads them must agree with its tree."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

import numpy as np

from glasstree.policy import PolicyTree
from glasstree.policy.arrays import Floats
from glasstree.policy.sources.encoding import Encoding
from glasstree.tables.encoding import column_kinds, encoded
from glasstree.tables.frame import Column, Frame

GAPS = 16  # one cell of so many is unknown
OTHER = "something else"
DAYS = (10_000.0, 20_000.0)  # since 1970, of dates whose days no rule reads
SECONDS = 86400  # a day


@dataclass(frozen=True)
class Rows:
    """Cells by column, the (n, variables) states that they come to, and which columns are dates."""

    cells: dict[str, list[Any]]
    states: Floats
    dates: tuple[str, ...] = ()


def check_rows(tree: PolicyTree, states: Floats, seed: int = 0) -> Rows:
    """Return rows that hold check states where a column is one variable, and others elsewhere."""
    if tree.encoding is None:
        columns = states.T.tolist()
        return Rows(dict(zip(tree.state_names, columns, strict=True)), states)
    generator = np.random.default_rng(seed)
    cells, columns = {}, {}
    kinds = column_kinds(tree.encoding)
    for name, kind in kinds.items():
        known = generator.integers(GAPS, size=len(states)) > 0
        if kind == "category":
            found, shown = _categories(tree.encoding, name, len(states), generator)
        elif kind == "date":
            found, shown = _dates(tree, name, len(states), generator)
        else:
            found = Column("number", _numbers(tree, name, states, generator))
            shown = found.values.tolist()
        columns[name] = Column(kind, np.where(known, found.values, np.nan), found.levels)
        cells[name] = [cell if here else None for cell, here in zip(shown, known, strict=True)]
    dates = tuple(name for name, kind in kinds.items() if kind == "date")
    return Rows(cells, encoded(tree.encoding, Frame(columns)), dates)


def _categories(
    encoding: Encoding, name: str, count: int, generator: np.random.Generator
) -> tuple[Column, list[str]]:
    levels = {
        level for source in encoding.sources if source.column == name for level in source.levels
    }
    shown = generator.choice(sorted({*levels, OTHER}), count).tolist()
    return Column.of_texts(shown), shown


def _dates(
    tree: PolicyTree, name: str, count: int, generator: np.random.Generator
) -> tuple[Column, list[str]]:
    low, high = DAYS
    for variable, source in enumerate(tree.encoding.sources if tree.encoding else ()):
        if source.kind == "date" and source.column == name:
            low, high = tree.scaling.minimum[variable], tree.scaling.maximum[variable]
    seconds = generator.integers(int(low * SECONDS), int(high * SECONDS), count, endpoint=True)
    shown = [
        f"{datetime(1970, 1, 1) + timedelta(seconds=int(s)):%Y-%m-%d %H:%M:%S}" for s in seconds
    ]
    return Column("date", seconds / SECONDS), shown


def _numbers(tree: PolicyTree, name: str, states: Floats, generator: np.random.Generator) -> Floats:
    for variable, source in enumerate(tree.encoding.sources if tree.encoding else ()):
        if source.kind == "number" and source.column == name and not source.part:
            return states[:, variable].copy()
    return generator.lognormal(0.0, 2.0, len(states))
