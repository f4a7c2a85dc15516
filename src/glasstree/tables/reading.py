"""Tables from CSV and Parquet files, with or without a target column."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from glasstree.errors import DataError, MissingExtraError, OptionError, unknown
from glasstree.files.archive import MOST_NUMBERS
from glasstree.policy.arrays import MOST_VARIABLES, Floats
from glasstree.tables.cells import column_of
from glasstree.tables.csvs import csv_form, csv_rows, reason
from glasstree.tables.frame import Column, ColumnKind, Frame
from glasstree.tables.frames import column_of_series, labels_of

PARQUET = (".parquet", ".pq")
FILL = "fill it in, or take the row out"
INDEX = "index"
LEFT_OUT = "the first column has no name and is left out; --columns takes it as {!r}"
Kinds = Mapping[str, ColumnKind]


@dataclass(frozen=True)
class Choice:
    """Which columns are read, and how they are separated; None is all, and found out."""

    columns: Sequence[str] | None = None
    drop: Sequence[str] = ()
    separator: str | None = None

    def of(self, path: str | Path, content: "Content", target: str | None) -> list[str]:
        """Return the columns that are wanted: no target, and no index unless it is named."""
        names = content.names
        for name in (*(self.columns or ()), *self.drop):
            if name not in names:
                raise OptionError(
                    f"{path} has no column {name!r}: {unknown('column', name, names)}"
                )
        if self.columns is None:
            wanted = [name for name in names if name != content.index]
        else:
            wanted = [name for name in names if name in self.columns]
        return [name for name in wanted if name not in (*self.drop, target)]


ALL = Choice()


@dataclass(frozen=True, eq=False)
class Table:
    """The columns, and the labels (n,) of the target, or its numbers."""

    frame: Frame
    target: NDArray[Any]

    @property
    def names(self) -> list[str]:
        """The columns' names."""
        return self.frame.names


class Content(Protocol):
    """A file that was read: its columns by name, and a column's labels."""

    @property
    def names(self) -> list[str]:
        """The columns' names."""
        ...

    @property
    def index(self) -> str | None:
        """The name that a first column without one was given."""
        ...

    def column(self, name: str, kind: ColumnKind | None) -> Column:
        """Make one column, of a kind if that is known."""
        ...

    def labels(self, name: str) -> list[str]:
        """Return one column as labels, or name the first row without one."""
        ...

    def texts(self, name: str) -> list[str]:
        """Return the cells of one column as text."""
        ...


def read_table(
    path: str | Path,
    target: str,
    choice: Choice = ALL,
    kinds: Kinds | None = None,
    numeric: bool = False,
) -> Table:
    """Read a file's columns and its labels; a row without a label is refused.

    kinds: what columns are known to be; the others are judged by what they hold. numeric: whether
    the labels are quantities.
    """
    content = read_content(path, choice, index=True)
    if target not in content.names:
        near = unknown("column", target, content.names)
        raise DataError(f"{path} has no column {target!r}: {near}")
    names = choice.of(path, content, target)
    labels = _quantities(path, content, target) if numeric else np.array(content.labels(target))
    if not names or not len(labels):
        raise DataError(f"{path} needs a column beside {target!r} and at least one line of data")
    return Table(_frame(content, names, kinds), labels)


def _quantities(path: str | Path, content: Content, target: str) -> Floats:
    column = content.column(target, "number")
    if column.unknown.any():
        row = int(np.argmax(column.unknown)) + 1
        raise DataError(f"{path}, row {row} has no number in {target!r}; {FILL}")
    return column.values


def read_frame(path: str | Path, choice: Choice = ALL, kinds: Kinds | None = None) -> Frame:
    """Read a file's columns."""
    content = read_content(path, choice, index=True)
    return _frame(content, choice.of(path, content, None), kinds)


def _frame(content: Content, names: list[str], kinds: Kinds | None) -> Frame:
    columns = {name: content.column(name, (kinds or {}).get(name)) for name in names}
    is_left_out = content.index is not None and content.index not in names
    return Frame(columns, (LEFT_OUT.format(content.index),) if is_left_out else ())


def read_content(path: str | Path, choice: Choice = ALL, index: bool = False) -> Content:
    """Read a Parquet file if the name says so, and a CSV file otherwise.

    index: whether a first column without a name, such as pandas writes, is let pass and named.
    """
    content: Content
    if Path(path).suffix.lower() in PARQUET:
        content = _parquet(path)
    else:
        content = _csv(path, choice.separator)
        if index and len(content.names) > 1 and not content.names[0]:
            content = content.with_index()
    names = content.names
    if len(set(names)) != len(names) or not all(names):
        raise DataError(f"{path} has empty or repeated column names; give each its own")
    if len(names) > MOST_VARIABLES:
        raise DataError(f"{path} has {len(names):,} columns; at most {MOST_VARIABLES:,} are read")
    return content


@dataclass(frozen=True, eq=False)
class CsvContent:
    """The cells of a CSV file, column by column, and the line that each row begins in."""

    path: str | Path
    names: list[str]
    cells: list[list[str]]
    lines: list[int]
    comma: bool
    index: str | None = None

    def with_index(self) -> "CsvContent":
        """Return the same with a name for the first column."""
        name = INDEX
        while name in self.names:
            name += "_"
        return replace(self, names=[name, *self.names[1:]], index=name)

    def column(self, name: str, kind: ColumnKind | None) -> Column:
        """Make one column, of a kind if that is known."""

        def place(row: int) -> str:
            return f"{self.path}, line {self.lines[row]}, column {name!r}"

        return column_of(self.cells[self.names.index(name)], place, self.comma, kind)

    def labels(self, name: str) -> list[str]:
        """Return one column as labels, or name the first row without one."""
        labels = self.cells[self.names.index(name)]
        if "" in labels:
            line = self.lines[labels.index("")]
            raise DataError(f"{self.path}, line {line} has no label in {name!r}; {FILL}")
        return labels

    def texts(self, name: str) -> list[str]:
        """Return the cells of one column as text."""
        return self.cells[self.names.index(name)]


def _csv(path: str | Path, separator: str | None) -> CsvContent:
    form = csv_form(path, separator)
    rows = csv_rows(path, form)
    _, first = next(rows, (1, []))
    header = [name.strip() for name in first]
    if not header:
        raise DataError(f"{path} needs a header line and at least one line of data")
    cells: list[list[str]] = [[] for _ in header]
    seen: list[dict[str, str]] = [{} for _ in header]
    lines = []
    for line, row in rows:
        if not row:
            continue
        if len(row) != len(header):
            raise DataError(
                f"{path}, line {line} has {len(row)} fields, the header has {len(header)}"
            )
        lines.append(line)
        for column, known, cell in zip(cells, seen, row, strict=True):
            stripped = cell.strip()
            column.append(known.setdefault(stripped, stripped))
    return CsvContent(path, header, cells, lines, form.comma)


@dataclass(frozen=True, eq=False)
class ParquetContent:
    """A table of pyarrow."""

    path: str | Path
    table: Any

    @property
    def names(self) -> list[str]:
        """The columns' names."""
        return [name.strip() for name in self.table.column_names]

    @property
    def index(self) -> str | None:
        """Every column has its own name."""
        return None

    def column(self, name: str, kind: ColumnKind | None) -> Column:
        """Make one column, of a kind if that is known."""
        where = f"{self.path}, column {name!r}"
        found = column_of_series(self.table.column(self.names.index(name)), where)
        return found if kind is None else found.as_kind(kind, where)

    def labels(self, name: str) -> list[str]:
        """Return one column as labels, or name the first row without one."""
        labels = labels_of(self.table.column(self.names.index(name)))
        gap = next((row for row, label in enumerate(labels) if label in (None, "")), None)
        if gap is not None:
            raise DataError(f"{self.path}, row {gap + 1} has no label in {name!r}; {FILL}")
        return [str(label) for label in labels]

    def texts(self, name: str) -> list[str]:
        """Return the cells of one column as text."""
        cells = labels_of(self.table.column(self.names.index(name)))
        return ["" if cell is None else str(cell) for cell in cells]


def _parquet(path: str | Path) -> ParquetContent:
    try:
        from pyarrow import ArrowException, ArrowInvalid
        from pyarrow.parquet import ParquetFile
    except ImportError:
        raise MissingExtraError("reading Parquet files", "parquet") from None
    try:
        with ParquetFile(path) as file:
            _check_parquet(path, file.metadata)
            return ParquetContent(path, file.read())
    except ArrowInvalid as error:
        first = str(error).splitlines()[0]
        raise DataError(f"{path} is not a Parquet file: {first}") from None
    except (OSError, ArrowException) as error:
        raise DataError(f"cannot read {str(path)!r}: {reason(error)}") from None


def _check_parquet(path: str | Path, metadata: Any) -> None:
    """Refuse what a small, well packed file may grow to."""
    groups = (metadata.row_group(number) for number in range(metadata.num_row_groups))
    cells = sum(g.column(j).num_values for g in groups for j in range(metadata.num_columns))
    if max(cells, metadata.num_rows) > MOST_NUMBERS:
        raise DataError(
            f"{path} has {cells:,} fields; at most {MOST_NUMBERS:,} are read, so take a sample"
        )
