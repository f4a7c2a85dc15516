"""`predict` and `score`: the rules of a table meet new rows."""

import csv
import io
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from glasstree.errors import DataError, OptionError
from glasstree.explain.cells import RowExplanation
from glasstree.explain.cells import explain_row as tell
from glasstree.files.writing import write_atomically
from glasstree.policy import Leaf, PolicyTree, load
from glasstree.policy.arrays import Floats
from glasstree.policy.sources.encoding import Encoding, Source
from glasstree.policy.tree import walk
from glasstree.tables.encoding import column_kinds, complete_numbers, encoded
from glasstree.tables.figures import Confusion, Distances, Scored
from glasstree.tables.frame import Frame
from glasstree.tables.reading import Choice, read_content, read_frame, read_table
from glasstree.tables.shares import Reliability, leaf_shares

PREDICTED, SHARE = "predicted", "share"


@dataclass(frozen=True, eq=False)
class Predicted:
    """The label of each row, and its share among the training rows of the rules' leaf.

    Rules that were not counted over rows, such as those of quantities, have no shares.
    """

    labels: tuple[str, ...]
    shares: Floats | None


def predict(
    rules: str | Path | PolicyTree,
    data: str | Path,
    out: str | Path | None = None,
    *,
    sep: str | None = None,
) -> Predicted:
    """Label the rows of a CSV or Parquet file; with `out`, write them there with their labels."""
    tree = rules if isinstance(rules, PolicyTree) else load(rules)
    encoding = _encoding(tree)
    choice = Choice(encoding.columns, separator=sep)
    found = _predicted(tree, read_frame(data, choice, column_kinds(encoding)))
    if out is not None:
        _write(Path(data), sep, found, Path(out))
    return found


def score(
    rules: str | Path | PolicyTree,
    data: str | Path,
    target: str,
    *,
    sep: str | None = None,
    page: str | Path | None = None,
) -> Scored:
    """Compare the labels that rules give to the rows of a file with those of its target column.

    It also tells how far the shares of leaves can be relied on. With `page`, an HTML page about the
    rules and these rows is written there.
    """
    tree = rules if isinstance(rules, PolicyTree) else load(rules)
    encoding = _encoding(tree)
    choice = Choice(encoding.columns, separator=sep)
    table = read_table(data, target, choice, column_kinds(encoding))
    predicted = _predicted(tree, table.frame)
    if predicted.shares is None and not {*table.target.tolist()} & {*tree.action_names}:
        raise DataError(
            f"none of these rules' labels, such as {tree.action_names[0]!r}, is in {target!r}; "
            "numbers are scored with --quantity"
        )
    if page is not None:
        from glasstree.report.tables import TableContent, write_table_page

        labels = tuple(table.target.tolist())
        content = TableContent(Path(data).name, target, tree, table.frame, labels)
        try:
            write_table_page(content, Path(page))
        except OSError as error:
            reason = error.strerror or str(error)
            raise DataError(f"cannot write {str(page)!r}: {reason}") from None
    found = Confusion.of(table.target.tolist(), predicted.labels)
    relied = None
    if predicted.shares is not None:
        relied = Reliability.of(predicted.shares, np.array(predicted.labels) == table.target)
    return Scored(found.names, found.counts, relied)


def score_quantity(
    rules: str | Path | PolicyTree, data: str | Path, target: str, *, sep: str | None = None
) -> Distances:
    """Compare the quantities that rules give to the rows of a file with those of its target."""
    tree = rules if isinstance(rules, PolicyTree) else load(rules)
    encoding = _encoding(tree)
    choice = Choice(encoding.columns, separator=sep)
    table = read_table(data, target, choice, column_kinds(encoding), numeric=True)
    try:
        values = np.array([float(name) for name in tree.action_names])
    except ValueError:
        raise DataError(f"these rules give labels such as {tree.action_names[0]!r}") from None
    return Distances.of(table.target, values[tree.actions(_states(tree, table.frame))])


def explain_row(
    rules: str | Path | PolicyTree, data: str | Path, row: int, *, sep: str | None = None
) -> RowExplanation:
    """Tell why one row of a file gets its label; the first below the header is row 1."""
    tree = rules if isinstance(rules, PolicyTree) else load(rules)
    encoding = _encoding(tree)
    frame = read_frame(data, Choice(encoding.columns, separator=sep), column_kinds(encoding))
    if not 1 <= row <= len(frame):
        raise OptionError(f"{data} has rows 1 to {len(frame):,}, got row {row}")
    one = frame.take(np.array([row - 1]))
    _states(tree, one)
    return tell(tree, one)


def _encoding(tree: PolicyTree) -> Encoding:
    return tree.encoding or Encoding(tuple(Source(name) for name in tree.state_names))


def _states(tree: PolicyTree, frame: Frame) -> Floats:
    if tree.encoding is None:
        return complete_numbers(tree.state_names, frame)
    return encoded(tree.encoding, frame)


def _predicted(tree: PolicyTree, frame: Frame) -> Predicted:
    states = _states(tree, frame)
    labels, shares = np.empty(len(states), dtype=np.int64), np.full(len(states), np.nan)
    nodes = (node for _, node in walk(tree.root))
    for node, rows in zip(nodes, tree.apply(states), strict=True):
        if isinstance(node, Leaf):
            labels[rows] = node.action
            if node.counts:
                shares[rows] = leaf_shares(node.counts)[node.action]
    names = tuple(tree.action_names[label] for label in labels)
    return Predicted(names, None if np.isnan(shares).any() else shares)


def _write(data: Path, sep: str | None, found: Predicted, out: Path) -> None:
    """Write the rows of a file with what was found, all of them or nothing."""
    content = read_content(data, Choice(separator=sep), index=True)
    names = [*content.names]
    more = [found.labels]
    if found.shares is not None:
        more.append(tuple(f"{share:.4f}" for share in found.shares))
    for name, _ in zip((PREDICTED, SHARE), more, strict=False):
        while name in names:
            name += "_"
        names.append(name)
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(names)
    cells = [content.texts(name) for name in content.names]
    writer.writerows(zip(*cells, *more, strict=True))
    try:
        write_atomically(out, text.getvalue().encode())
    except OSError as error:
        reason = error.strerror or str(error)
        raise DataError(f"cannot write {str(out)!r}: {reason}") from None
