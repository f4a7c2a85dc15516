"""Sets of levels that tell something: `city in {Rome, Milan}`, found where a plain tree would ask.

A small tree of thresholds and sets is grown, and in each of its nodes the best set of every
column of categories is a candidate. Levels are ordered by their mean target, which is best for
two classes, and cut where the squared error is least: Gini's impurity for classes.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np
from sklearn.tree import DecisionTreeRegressor

from glasstree.policy.arrays import Bools, Floats, Ints
from glasstree.policy.sources.encoding import Source
from glasstree.tables.frame import Column, Frame

DEPTH = 4  # of the tree that looks for sets
MOST_SETS = 6  # of one column
FEWEST = 5  # rows of a level that may be in a set, and on each side
WORTH = 0.002  # of the whole squared error that a set must explain
SHRUNK = 10.0  # rows at the mean that each level gets before it is ordered
MOST_ROWS = 20_000  # that are looked at
MOST_ORDERS = 8  # targets by which levels are ordered


@dataclass(frozen=True, eq=False)
class _Category:
    """A column of categories: codes (n,) of its levels; unknown and rare cells come last."""

    source: Source
    codes: Ints
    levels: tuple[str, ...]
    has_unknown: bool

    @property
    def n_codes(self) -> int:
        """Levels that may be in a set, unknown among them, and one for all others."""
        return len(self.levels) + self.has_unknown + 1

    def set_of(self, chosen: Ints) -> Source:
        """Return the source of a set of codes."""
        levels = tuple(self.levels[code] for code in chosen if code < len(self.levels))
        unknown = float(self.has_unknown and len(self.levels) in chosen)
        return replace(self.source, levels=levels, unknown=unknown)


def find_sets(frame: Frame, numbers: Floats, targets: Floats, weights: Floats) -> list[Source]:
    """Return sets of levels, each column's most telling first.

    numbers: (n, variables) of the table's numbers, targets: (n, k), one column a class.
    """
    rows = np.arange(0, len(frame), -(-len(frame) // MOST_ROWS))
    categories = [_category(source, column, rows) for source, column in category_columns(frame)]
    categories = [one for one in categories if one.levels or one.has_unknown]
    if not categories:
        return []
    table = _Node(categories, numbers[rows], targets[rows], weights[rows])
    least = WORTH * table.error(np.arange(len(rows)))
    gains: dict[Source, float] = {}
    for source, gain in table.grow(np.arange(len(rows)), DEPTH):
        if gain > least:
            gains[source] = max(gain, gains.get(source, 0.0))
    kept: list[Source] = []
    for category in categories:
        own = [s for s in gains if s.subject == category.source.subject]
        kept += sorted(own, key=lambda source: -gains[source])[:MOST_SETS]
    return kept


def category_columns(frame: Frame) -> Iterator[tuple[Source, Column]]:
    """Yield the columns of categories, months and weekdays of dates among them."""
    for name, column in frame.columns.items():
        if column.kind == "category":
            yield Source(name, "set"), column
        elif column.kind == "date":
            for part in ("month", "weekday"):
                yield Source(name, "set", part), column.part(part)  # type: ignore[arg-type]


def _category(source: Source, column: Column, rows: Ints) -> _Category:
    column = column.take(rows)
    counts = np.bincount(column.values[~column.unknown].astype(np.int64), minlength=1)
    frequent = np.flatnonzero(counts >= FEWEST)
    has_unknown = bool(column.unknown.sum() >= FEWEST)
    others = len(frequent) + has_unknown
    places = np.full(max(len(column.levels), 1) + 1, others)
    places[frequent] = np.arange(len(frequent))
    if has_unknown:
        places[-1] = len(frequent)
    codes = np.where(column.unknown, len(places) - 1, column.values).astype(np.int64)
    return _Category(source, places[codes], tuple(column.levels[j] for j in frequent), has_unknown)


@dataclass(frozen=True, eq=False)
class _Node:
    """The rows that the small tree is grown from."""

    categories: list[_Category]
    numbers: Floats
    targets: Floats
    weights: Floats

    def error(self, rows: Ints) -> float:
        """Return the squared error of the mean."""
        targets, weights = self.targets[rows], self.weights[rows, np.newaxis]
        mean = (weights * targets).sum(axis=0) / weights.sum()
        return float((weights * np.square(targets - mean)).sum())

    def grow(self, rows: Ints, depth: int) -> Iterator[tuple[Source, float]]:
        """Yield each column's best set in every node, with the error that it spares."""
        if depth == 0 or len(rows) < 2 * FEWEST:
            return
        best, side = self._threshold(rows)
        for category in self.categories:
            gain, chosen = self._best_set(category, rows)
            if not len(chosen):
                continue
            yield category.set_of(chosen), gain
            if gain > best:
                best, side = gain, np.isin(category.codes[rows], chosen)
        if best > 0 and side.any() and not side.all():
            yield from self.grow(rows[side], depth - 1)
            yield from self.grow(rows[~side], depth - 1)

    def _threshold(self, rows: Ints) -> tuple[float, Bools]:
        nowhere = np.zeros(len(rows), dtype=np.bool_)
        if not self.numbers.shape[1]:
            return 0.0, nowhere
        stump = DecisionTreeRegressor(max_depth=1, min_samples_leaf=FEWEST, random_state=0)
        weights = self.weights[rows]
        stump.fit(self.numbers[rows], self.targets[rows], weights)
        side = stump.apply(self.numbers[rows]) == 1
        if stump.tree_.node_count == 1:
            return 0.0, nowhere
        return self.error(rows) - self.error(rows[side]) - self.error(rows[~side]), side

    def _best_set(self, category: _Category, rows: Ints) -> tuple[float, Ints]:
        """Return the error that the best set of levels spares, and its codes, the fewer side."""
        codes, weights = category.codes[rows], self.weights[rows]
        size: Floats = np.bincount(codes, weights, category.n_codes).astype(np.float64)
        sums: Floats = np.column_stack(
            [np.bincount(codes, weights * t, category.n_codes) for t in self.targets[rows].T]
        )
        total, whole = size.sum(), sums.sum(axis=0)
        present = np.flatnonzero(size[:-1] > 0)
        means = (sums[present] + SHRUNK * whole / total) / (size[present, np.newaxis] + SHRUNK)
        best, chosen = 0.0, np.empty(0, dtype=np.int64)
        for order in means.T[np.argsort(-whole, kind="stable")[:MOST_ORDERS]]:
            upwards = present[np.argsort(order, kind="stable")]
            for sequence in (upwards, upwards[::-1]):
                first = sequence[: (len(sequence) + 1) // 2]
                inside, inside_sums = size[first].cumsum(), sums[first].cumsum(axis=0)
                spared = _spared(inside, inside_sums, float(total), whole)
                place = int(np.argmax(spared)) if len(spared) else 0
                if len(spared) and spared[place] > best:
                    best, chosen = float(spared[place]), np.sort(first[: place + 1])
        return best, chosen


def _spared(inside: Floats, inside_sums: Floats, total: float, whole: Floats) -> Floats:
    """Return the error that each prefix of an order spares; none where a side is too small."""
    outside = total - inside
    able = (inside >= FEWEST) & (outside >= FEWEST)
    with np.errstate(all="ignore"):
        spared = (
            np.square(inside_sums).sum(axis=1) / inside
            + np.square(whole - inside_sums).sum(axis=1) / outside
            - np.square(whole).sum() / total
        )
    return np.where(able, spared, -np.inf)
