"""A table as the variables of a tree: what each source reads of a frame."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from glasstree.errors import DataError
from glasstree.policy.arrays import Floats, Ints
from glasstree.policy.rule import Rule
from glasstree.policy.scaling import Scaling
from glasstree.policy.sources.encoding import Encoding, Kind, Source
from glasstree.policy.tree import Node, PolicyTree, Split, fold
from glasstree.tables.frame import Column, ColumnKind, Frame

BEYOND = 0.125  # of a range: how far from it an unknown cell is put


def encoded(encoding: Encoding, frame: Frame) -> Floats:
    """Return (n, variables) finite numbers of a frame."""
    missing = [name for name in encoding.columns if name not in frame.columns]
    if missing:
        raise DataError(f"the table has no column {missing[0]!r}, which the rules need")
    kinds = column_kinds(encoding)
    fitting = {
        name: frame.columns[name].as_kind(kind, f"column {name!r}") for name, kind in kinds.items()
    }
    if not encoding.sources:
        return np.empty((len(frame), 0))
    return np.column_stack([_variable(source, fitting) for source in encoding.sources])


def complete_numbers(names: Sequence[str], frame: Frame) -> Floats:
    """Return (n, columns) numbers of a frame, none of which may be unknown."""
    states = encoded(Encoding(tuple(Source(name) for name in names)), frame)
    for name in names:
        unknown = frame.columns[name].unknown
        if unknown.any():
            raise DataError(
                f"row {int(np.argmax(unknown)) + 1} has no {name!r}, and these rules were learnt "
                "from a table without gaps; fill it in, or take the row out"
            )
    return states


def column_kinds(encoding: Encoding) -> dict[str, ColumnKind]:
    """Return of what kind each column must be."""
    kinds: dict[str, ColumnKind] = {}
    for source in encoding.sources:
        is_date = source.kind == "date" or source.part
        plain: ColumnKind = "category" if source.kind == "set" else "number"
        kinds[source.column] = "date" if is_date else plain
    return kinds


def _variable(source: Source, columns: dict[str, Column]) -> Floats:
    column = columns[source.column].part(source.part)
    if source.kind == "set":
        inside = np.array([*(level in set(source.levels) for level in column.levels), False])
        codes = np.where(column.unknown, len(column.levels), column.values).astype(np.int64)
        values = inside[codes].astype(np.float64)
    else:
        values = column.values
    return np.where(column.unknown, source.unknown, values)


def plain_sources(frame: Frame) -> tuple[Source, ...]:
    """Return the numbers of a frame, with two sides for gaps; sets are not among them.

    An unknown cell counts as a little less than the least, or a little more than the greatest, of
    the others, so that a rule may take it to either side.
    """
    sources: list[Source] = []
    for name, column in frame.columns.items():
        if column.kind == "category":
            continue
        kind: Kind = "date" if column.kind == "date" else "number"
        sources += _with_sides(Source(name, kind), column)
        if kind == "date":
            sources += _with_sides(Source(name, part="year"), column.part("year"))
            hours = column.part("hour")
            if np.nanmax(hours.values, initial=0.0) > 0:
                sources += _with_sides(Source(name, part="hour"), hours)
    return tuple(sources)


def _with_sides(source: Source, column: Column) -> list[Source]:
    known = column.values[~column.unknown]
    if not len(known):
        return []
    low, high = float(known.min()), float(known.max())
    beyond = BEYOND * (high - low) or 1.0
    if not column.unknown.any():
        return [replace(source, unknown=float(np.median(known)))]
    return [replace(source, unknown=low - beyond), replace(source, unknown=high + beyond)]


def learnt_encoding(frame: Frame, targets: Floats, weights: Floats) -> Encoding:
    """Choose the variables of a table: its numbers, and sets of levels that tell of the targets.

    targets: (n, k), one column a class, or the quantity itself.
    """
    from glasstree.tables.sets import category_columns, find_sets

    gaps = tuple(name for name, column in frame.columns.items() if column.unknown.any())
    plain = plain_sources(frame)
    numbers = encoded(Encoding(plain), frame)
    sources = [*plain, *find_sets(frame, numbers, targets, weights)]
    if not sources:
        source, column = next(category_columns(frame))
        sources = [replace(source, levels=column.levels[:1], unknown=float(not column.levels))]
    return Encoding(tuple(sources), gaps)


def one_hot(codes: Ints, most: int = 32) -> Floats:
    """Return (n, k) targets of class codes, the `most` frequent ones.

    >>> one_hot(np.array([0, 1, 1]))
    array([[0., 1.],
           [1., 0.],
           [1., 0.]])
    """
    frequent = np.argsort(-np.bincount(codes), kind="stable")[:most]
    return (codes[:, np.newaxis] == frequent).astype(np.float64)


def only_used(tree: PolicyTree) -> PolicyTree:
    """Return a tree of a table without the variables that no rule reads; one is always kept.

    Rules about one set go left where a cell is in it.
    """
    if tree.encoding is None:
        return tree
    used = np.zeros(tree.n_variables, dtype=np.bool_)
    for split in tree.splits():
        used |= split.rule.exponents.any(axis=0)
    used[0] |= not used.any()
    encoding = Encoding(
        tuple(s for s, kept in zip(tree.encoding.sources, used, strict=True) if kept),
        tree.encoding.gaps,
    )

    def put(node: Split, left: Node, right: Node) -> Node:
        rule = replace(node.rule, exponents=node.rule.exponents[:, used])
        if _asks_for_a_set(rule, encoding):
            inside = rule.exponents.any(axis=0)
            if rule.value([inside])[0] > 0.0:
                left, right = right, left
            rule = Rule([inside], [-1.0], 0.5, raw=True)
        return Split(rule, left, right, node.counts)

    return PolicyTree(
        fold(tree.root, lambda leaf: leaf, put),
        Scaling(tree.scaling.minimum[used], tree.scaling.maximum[used]),
        encoding.names,
        tree.action_names,
        encoding=encoding,
    )


def _asks_for_a_set(rule: Rule, encoding: Encoding) -> bool:
    """Tell whether a rule reads nothing but one set, and decides by it."""
    read = np.flatnonzero(rule.exponents.any(axis=0))
    if len(read) != 1 or encoding.sources[read[0]].kind != "set" or not rule.raw:
        return False
    sides = (
        rule.value(np.array([np.zeros(rule.exponents.shape[1]), rule.exponents.any(axis=0)])) <= 0
    )
    return bool(sides[0] != sides[1])
