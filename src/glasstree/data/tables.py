"""Tables from files: named numeric columns and a target column."""

import csv
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from glasstree.errors import DataError, unknown
from glasstree.policy.arrays import Floats


@dataclass(frozen=True, eq=False)
class Table:
    """Features (n, columns) with their names, and the target labels (n,)."""

    names: list[str]
    features: Floats
    target: NDArray[np.str_]


def read_csv(path: str | Path, target: str) -> Table:
    """Read a CSV file with a header line; every column but the target must be numeric."""
    try:
        with Path(path).open(newline="", encoding="utf-8-sig") as file:
            rows = list(csv.reader(file, strict=True))
    except OSError as error:
        raise DataError(f"cannot read {str(path)!r}: {error.strerror or error}") from None
    except (csv.Error, UnicodeDecodeError) as error:
        raise DataError(f"{path} is not a CSV file: {error}") from None
    if len(rows) < 2:
        raise DataError(f"{path} needs a header line and at least one line of data")
    header = [name.strip() for name in rows[0]]
    if target not in header:
        raise DataError(f"{path} has no column {target!r}: {unknown('column', target, header)}")
    if len(set(header)) != len(header) or not all(header):
        raise DataError(f"{path} has empty or repeated column names; give each its own")
    place = header.index(target)
    features, labels = [], []
    for number, row in enumerate(rows[1:], start=2):
        if not row:
            continue
        if len(row) != len(header):
            raise DataError(
                f"{path}, line {number} has {len(row)} fields, the header has {len(header)}"
            )
        labels.append(row[place].strip())
        features.append(_numbers(row, header, place, f"{path}, line {number}"))
    names = [name for name in header if name != target]
    if not names or not features:
        raise DataError(f"{path} needs a column beside {target!r} and at least one line of data")
    return Table(names, np.array(features, dtype=np.float64), np.array(labels))


def _numbers(row: list[str], header: list[str], target: int, where: str) -> list[float]:
    numbers = []
    for place, (name, field) in enumerate(zip(header, row, strict=True)):
        if place == target:
            continue
        try:
            numbers.append(float(field))
        except ValueError:
            raise DataError(f"{where}, column {name!r}: {field!r} is not a number") from None
        if not np.isfinite(numbers[-1]):
            raise DataError(f"{where}, column {name!r}: {field!r} is not a finite number")
    return numbers
