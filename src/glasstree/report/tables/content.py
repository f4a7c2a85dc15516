"""What the page of a table tells: rows that rules decide, rightly or not, and what matters."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from glasstree.formats.shared.wording import worded
from glasstree.formats.text import TextStyle, short
from glasstree.policy import Leaf, PolicyTree, Split
from glasstree.policy.arrays import Floats, Ints
from glasstree.policy.sources.encoding import UNKNOWN, Encoding, Source
from glasstree.policy.tree import Node
from glasstree.tables.encoding import column_kinds, encoded
from glasstree.tables.figures import Confusion
from glasstree.tables.frame import Column, Frame
from glasstree.tables.shares import leaf_shares

MOST_WRONG = 25  # rows that are shown
MOST_VARIED = 500  # rows, at most, in which a column is varied
MOST_PARTS = 4  # columns whose effect is shown
MOST_VALUES = 12  # of a column


@dataclass(frozen=True)
class Decided:
    """A leaf: its number, the conditions that lead there, its label, its rows, those right.

    expected: the share of right ones by the rows that it was learnt from, where these were counted.
    """

    node: int
    conditions: tuple[str, ...]
    action: int
    rows: int
    right: int
    expected: float | None = None


@dataclass(frozen=True)
class Effect:
    """A column: the share of labels that change when it is shuffled, and shares for its values."""

    column: str
    changed: float
    values: tuple[str, ...]
    shares: Floats


@dataclass(frozen=True, eq=False)
class TableContent:
    """The rules of a table, the columns that they read, and the right labels of its rows."""

    name: str
    target: str
    tree: PolicyTree
    frame: Frame
    labels: tuple[str, ...]

    @cached_property
    def encoding(self) -> Encoding:
        """How columns become variables."""
        tree = self.tree
        return tree.encoding or Encoding(tuple(Source(name) for name in tree.state_names))

    @cached_property
    def rows(self) -> Frame:
        """The columns that are read, of the kinds that the rules need."""
        kinds = column_kinds(self.encoding)
        columns = self.frame.columns
        return Frame({n: columns[n].as_kind(k, f"column {n!r}") for n, k in kinds.items()})

    @cached_property
    def predicted(self) -> Ints:
        """The labels that the rules give, by number."""
        return self.tree.actions(encoded(self.encoding, self.rows))

    @cached_property
    def confusion(self) -> Confusion:
        """How right they are, class by class."""
        given = [self.tree.action_names[action] for action in self.predicted]
        return Confusion.of(self.labels, given)

    def decided(self) -> Iterator[Decided]:
        """Yield every leaf with what leads to it, from left to right."""
        tree, style = self.tree, TextStyle(self.tree.state_names)
        arrivals = enumerate(tree.apply(encoded(self.encoding, self.rows)))
        labels = np.array(self.labels)

        def visit(node: Node, conditions: tuple[str, ...]) -> Iterator[Decided]:
            number, rows = next(arrivals)
            if isinstance(node, Leaf):
                right = int((labels[rows] == tree.action_names[node.action]).sum())
                expected = float(leaf_shares(node.counts)[node.action]) if node.counts else None
                yield Decided(number, conditions, node.action, len(rows), right, expected)
            elif isinstance(node, Split):
                told = worded(tree, node.rule, "original", style)
                yield from visit(node.left, (*conditions, told))
                yield from visit(node.right, (*conditions, f"not: {told}"))

        yield from visit(tree.root, ())

    def wrong(self) -> list[tuple[int, list[str], str, str]]:
        """Return the first rows that are decided wrongly: number, cells, given and right label."""
        given = [self.tree.action_names[action] for action in self.predicted]
        places = [n for n, (a, b) in enumerate(zip(given, self.labels, strict=True)) if a != b]
        return [
            (
                n + 1,
                [shown(c, c.values[n]) for c in self.rows.columns.values()],
                given[n],
                self.labels[n],
            )
            for n in places[:MOST_WRONG]
        ]

    def effects(self) -> list[Effect]:
        """Return the columns that matter most, each with the shares of labels along its values."""
        step = -(-len(self.rows) // MOST_VARIED)
        some = self.rows.take(np.arange(0, len(self.rows), step))
        before = self.tree.actions(encoded(self.encoding, some))
        generator = np.random.default_rng(0)
        found = []
        for name, column in some.columns.items():
            shuffled = column.take(generator.permutation(len(some)))
            after = self._actions(some, name, shuffled)
            values = _values(self.rows.columns[name])
            shares = np.stack([self._shares(some, name, column, value) for value in values])
            words = tuple(shown(column, value) for value in values)
            found.append(Effect(name, float((after != before).mean()), words, shares))
        return sorted(found, key=lambda effect: -effect.changed)[:MOST_PARTS]

    def _actions(self, rows: Frame, name: str, cells: Column) -> Ints:
        return self.tree.actions(encoded(self.encoding, Frame({**rows.columns, name: cells})))

    def _shares(self, rows: Frame, name: str, column: Column, value: float) -> Floats:
        """Return the share of each label if a column had the same cell in all rows."""
        cells = Column(column.kind, np.full(len(rows), value), column.levels)
        actions = self._actions(rows, name, cells)
        shares: Floats = np.bincount(actions, minlength=len(self.tree.action_names)) / len(rows)
        return shares


def _values(column: Column) -> list[float]:
    """Return cells at which a column is looked at: frequent levels, or quantiles."""
    known = column.values[~column.unknown]
    if not len(known):
        return [np.nan]
    if column.kind == "category":
        counts = np.bincount(known.astype(np.int64), minlength=len(column.levels))
        values = np.sort(np.argsort(-counts, kind="stable")[:MOST_VALUES]).tolist()
    else:
        values = np.unique(np.quantile(known, np.linspace(0, 1, MOST_VALUES))).tolist()
    return [*map(float, values), *([np.nan] if column.unknown.any() else [])]


def shown(column: Column, value: float) -> str:
    """Write a cell of a column."""
    if np.isnan(value):
        return UNKNOWN
    if column.kind == "category":
        return column.levels[int(value)]
    if column.kind == "date":
        return str(np.datetime64(int(np.floor(value)), "D"))
    return short(float(f"{value:.6g}"))
