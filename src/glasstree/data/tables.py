"""Tables from files: named numeric columns and a target column."""

import csv
from array import array
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TextIO

import numpy as np
from numpy.typing import NDArray

from glasstree.errors import DataError, MissingExtraError, unknown
from glasstree.files.archive import MOST_NUMBERS
from glasstree.policy.arrays import MOST_VARIABLES, Floats

LONGEST_LINE = 1 << 24  # of a CSV file: more is something else
PARQUET = (".parquet", ".pq")


@dataclass(frozen=True, eq=False)
class Table:
    """Features (n, columns) with their names, and the target labels (n,)."""

    names: list[str]
    features: Floats
    target: NDArray[np.str_]


def read_table(path: str | Path, target: str) -> Table:
    """Read a Parquet file if the name says so, and a CSV file otherwise."""
    if Path(path).suffix.lower() in PARQUET:
        return read_parquet(path, target)
    return read_csv(path, target)


def read_csv(path: str | Path, target: str) -> Table:
    """Read a CSV file with a header line; every column but the target must be numeric."""
    rows = _csv_rows(path)
    _, first = next(rows, (1, []))
    header = [name.strip() for name in first]
    if not header:
        raise DataError(f"{path} needs a header line and at least one line of data")
    names = _feature_names(path, header, target)
    place = header.index(target)
    numbers, labels = array("d"), []
    for line, row in rows:
        if not row:
            continue
        if len(row) != len(header):
            raise DataError(
                f"{path}, line {line} has {len(row)} fields, the header has {len(header)}"
            )
        labels.append(row.pop(place).strip())
        numbers.extend(_numbers(row, names, f"{path}, line {line}"))
    _check_size(path, names, target, len(labels))
    features = np.array(numbers, dtype=np.float64).reshape(len(labels), len(names))
    return Table(names, features, np.array(labels))


def read_parquet(path: str | Path, target: str) -> Table:
    """Read a Parquet file; every column but the target must be numeric, without gaps."""
    try:
        from pyarrow import ArrowException, ArrowInvalid
        from pyarrow.parquet import ParquetFile
    except ImportError:
        raise MissingExtraError("reading Parquet files", "parquet") from None
    try:
        with ParquetFile(path) as file:
            _check_parquet(path, file.metadata)
            table = file.read()
    except ArrowInvalid as error:
        reason = str(error).splitlines()[0]
        raise DataError(f"{path} is not a Parquet file: {reason}") from None
    except (OSError, ArrowException) as error:
        raise DataError(f"cannot read {str(path)!r}: {_reason(error)}") from None
    names = _feature_names(path, table.column_names, target)
    _check_size(path, names, target, len(table))
    labels = table.column(target).to_pylist()
    if None in labels:
        raise DataError(f"{path}, row {labels.index(None) + 1} has no label in {target!r}")
    columns = [_parquet_numbers(table.column(name), f"{path}, column {name!r}") for name in names]
    return Table(names, np.column_stack(columns), np.array([str(label) for label in labels]))


def _check_parquet(path: str | Path, metadata: Any) -> None:
    """Refuse what a small, well packed file may grow to."""
    groups = (metadata.row_group(number) for number in range(metadata.num_row_groups))
    cells = sum(g.column(j).num_values for g in groups for j in range(metadata.num_columns))
    if max(cells, metadata.num_rows) > MOST_NUMBERS:
        raise DataError(
            f"{path} has {cells:,} fields; at most {MOST_NUMBERS:,} are read, so take a sample"
        )


def _csv_rows(path: str | Path) -> Iterator[tuple[int, list[str]]]:
    """Yield each row of a CSV file and the line that it begins in."""
    begins = 1
    try:
        with Path(path).open(newline="", encoding="utf-8-sig", errors="surrogateescape") as file:
            reader = csv.reader(_lines(path, file), strict=True)
            for row in reader:
                if any("\udc80" <= letter <= "\udcff" for field in row for letter in field):
                    raise DataError(f"{path} is not a CSV file: line {begins} is not UTF-8 text")
                yield begins, row
                begins = reader.line_num + 1
    except OSError as error:
        raise DataError(f"cannot read {str(path)!r}: {_reason(error)}") from None
    except csv.Error as error:
        raise DataError(f"{path} is not a CSV file: line {begins}: {error}") from None


def _lines(path: str | Path, file: TextIO) -> Iterator[str]:
    while line := file.readline(LONGEST_LINE):
        if len(line) == LONGEST_LINE:
            raise DataError(f"{path} is not a CSV file: a line has over {LONGEST_LINE:,} letters")
        yield line


def _feature_names(path: str | Path, header: list[str], target: str) -> list[str]:
    if target not in header:
        raise DataError(f"{path} has no column {target!r}: {unknown('column', target, header)}")
    if len(set(header)) != len(header) or not all(header):
        raise DataError(f"{path} has empty or repeated column names; give each its own")
    if len(header) > MOST_VARIABLES:
        raise DataError(f"{path} has {len(header):,} columns; at most {MOST_VARIABLES:,} are read")
    return [name for name in header if name != target]


def _check_size(path: str | Path, names: list[str], target: str, rows: int) -> None:
    if not names or not rows:
        raise DataError(f"{path} needs a column beside {target!r} and at least one line of data")


def _numbers(fields: list[str], names: list[str], where: str) -> list[float]:
    numbers = []
    for name, field in zip(names, fields, strict=True):
        try:
            number = float(field if field.isascii() and "_" not in field else "no number")
        except ValueError:
            raise DataError(f"{where}, column {name!r}: {field!r} is not a number") from None
        if not -np.inf < number < np.inf:
            raise DataError(f"{where}, column {name!r}: {field!r} is not a finite number")
        numbers.append(number)
    return numbers


def _parquet_numbers(column: Any, where: str) -> Floats:
    from pyarrow import types

    kind = column.type
    if not (types.is_integer(kind) or types.is_floating(kind) or types.is_boolean(kind)):
        raise DataError(f"{where} holds {kind}, not numbers")
    if column.null_count:
        row = column.is_null().to_pylist().index(True) + 1
        raise DataError(f"{where}, row {row} is empty; fill it in or leave the row out")
    numbers: Floats = column.to_numpy().astype(np.float64)
    wrong = np.flatnonzero(~np.isfinite(numbers))
    if len(wrong):
        raise DataError(f"{where}, row {wrong[0] + 1}: {numbers[wrong[0]]} is not a finite number")
    return numbers


def _reason(error: Exception) -> str:
    return str(getattr(error, "strerror", None) or error).splitlines()[0]
