"""Why rules of a table label one row as they do, in the table's own words."""

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

import numpy as np

from glasstree.formats.shared.wording import worded
from glasstree.formats.text import TextStyle, short
from glasstree.policy import PolicyTree
from glasstree.policy.sources.encoding import UNKNOWN, Encoding, Source
from glasstree.tables.encoding import column_kinds, encoded
from glasstree.tables.frame import Column, Frame

GRID = 257  # values of a number that are tried
HALVINGS = 60  # until the first value with another label is known well enough
OTHER = "another"  # stands for a level that no rule names


@dataclass(frozen=True)
class RowStep:
    """A rule on the way of a row, as it is printed, and whether it holds."""

    node: int
    condition: str
    holds: bool


@dataclass(frozen=True)
class CellFlip:
    """What one cell would have to be for another label."""

    column: str
    value: str
    label: str


@dataclass(frozen=True)
class RowExplanation:
    """The cells that are read, the label, its share in the leaf, the way, and what changes it."""

    cells: dict[str, str]
    label: str
    share: float | None
    steps: list[RowStep]
    flips: list[CellFlip]


def explain_row(tree: PolicyTree, frame: Frame) -> RowExplanation:
    """Explain the label of the one row of a frame."""
    encoding = tree.encoding or Encoding(tuple(Source(name) for name in tree.state_names))
    kinds = column_kinds(encoding)
    row = Frame({n: frame.columns[n].as_kind(k, f"column {n!r}") for n, k in kinds.items()})
    state = encoded(encoding, row)
    taken, leaf = tree.path(state[0])
    style, numbers = TextStyle(tree.state_names), _numbers(tree)
    steps = [
        RowStep(
            numbers[id(step.split)],
            worded(tree, step.split.rule, "original", style),
            step.goes_left,
        )
        for step in taken
    ]
    flips = [flip for name in row.names for flip in _flips(tree, encoding, row, name)]
    total = sum(leaf.counts)
    return RowExplanation(
        {name: _shown(column) for name, column in row.columns.items()},
        tree.action_names[leaf.action],
        leaf.counts[leaf.action] / total if total else None,
        steps,
        flips,
    )


def row_text(explanation: RowExplanation, title: str) -> str:
    """Write why a row is labelled as it is."""
    cells = ", ".join(f"{name} = {cell}" for name, cell in explanation.cells.items())
    share = explanation.share
    sure = "" if share is None else f" ({100 * share:.1f} % of the training rows that came here)"
    lines = [f"{title}: {cells}", f"label: {explanation.label}{sure}", ""]
    for step in explanation.steps:
        lines.append(f"node {step.node}: {step.condition}? {'yes' if step.holds else 'no'}")
    lines += ["", "what would change it, one cell at a time:"]
    lines += [f"    {f.column} = {f.value}: {f.label}" for f in explanation.flips]
    if not explanation.flips:
        lines.append("    nothing: no single cell can")
    return "\n".join(lines) + "\n"


def _numbers(tree: PolicyTree) -> dict[int, int]:
    from glasstree.policy.tree import walk

    return {id(node): number for number, (_, node) in enumerate(walk(tree.root))}


def _flips(tree: PolicyTree, encoding: Encoding, row: Frame, name: str) -> list[CellFlip]:
    """Return the levels, or the nearest numbers, of one column that another label belongs to."""
    column = row.columns[name]
    before = _labels(tree, encoding, row, name, column)[0]
    if column.kind == "category":
        levels = {level for s in encoding.sources if s.column == name for level in s.levels}
        tried = Column.of_texts([*sorted(levels), OTHER])
        shown = [*sorted(levels), f"{OTHER} one"]
    else:
        tried = Column(column.kind, _grid(tree, encoding, row, name))
        shown = []
    after = _labels(tree, encoding, row, name, tried)
    if shown:
        flips = [
            CellFlip(name, level, label)
            for level, label in zip(shown, after, strict=True)
            if label != before and level != _shown(column)
        ]
    else:
        flips = _nearest(tree, encoding, row, name, tried, after, before)
    unknown = _labels(tree, encoding, row, name, Column(column.kind, np.array([np.nan])))[0]
    if unknown != before and name in encoding.gaps:
        flips.append(CellFlip(name, UNKNOWN, unknown))
    return flips


def _labels(
    tree: PolicyTree, encoding: Encoding, row: Frame, name: str, cells: Column
) -> list[str]:
    """Return the labels of the row with each of some cells in one column."""
    rows = row.take(np.zeros(len(cells.values), dtype=np.int64))
    changed = Frame({**rows.columns, name: cells})
    return [tree.action_names[action] for action in tree.actions(encoded(encoding, changed))]


def _grid(tree: PolicyTree, encoding: Encoding, row: Frame, name: str) -> np.ndarray:
    own = [j for j, source in enumerate(encoding.sources) if source.column == name]
    plain = [j for j in own if not encoding.sources[j].part] or own
    low, high = tree.scaling.minimum[plain].min(), tree.scaling.maximum[plain].max()
    if any(encoding.sources[j].part for j in plain):
        low, high = 0.0, 25_000.0  # days since 1970
    return np.unique(np.append(np.linspace(low, high, GRID), row.columns[name].values))


def _nearest(
    tree: PolicyTree,
    encoding: Encoding,
    row: Frame,
    name: str,
    tried: Column,
    after: list[str],
    before: str,
) -> list[CellFlip]:
    """Return the first value on either side of a number at which the label is another one."""
    start = float(row.columns[name].values[0])
    values, differs = tried.values, np.array([label != before for label in after])
    values, differs = values[~np.isnan(values)], differs[~np.isnan(values)]
    found = []
    for side in (values < start, values > start):
        candidates = values[side & differs]
        if len(candidates):
            other = float(candidates[np.argmin(np.abs(candidates - start))])
            same = start
            for _ in range(HALVINGS):
                middle = same / 2 + other / 2
                cells = Column(tried.kind, np.array([middle]))
                if _labels(tree, encoding, row, name, cells)[0] == before:
                    same = middle
                else:
                    other = middle
            cell = Column(tried.kind, np.array([other]))
            label = _labels(tree, encoding, row, name, cell)[0]
            found.append(CellFlip(name, _shown(cell), label))
    return found


def _shown(column: Column) -> str:
    """Write the first cell of a column."""
    value = float(column.values[0])
    if np.isnan(value):
        return UNKNOWN
    if column.kind == "category":
        return column.levels[int(value)]
    if column.kind == "date":
        moment = datetime.fromtimestamp(0, UTC) + timedelta(days=value)
        return f"{moment:%Y-%m-%d}" if value.is_integer() else f"{moment:%Y-%m-%d %H:%M}"
    return short(value)
