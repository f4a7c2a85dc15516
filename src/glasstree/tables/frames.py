"""Data frames of pandas, polars and pyarrow as tables; none of them is imported here."""

from collections.abc import Sequence
from datetime import date, datetime, time
from numbers import Real
from typing import Any

import numpy as np

from glasstree.errors import DataError
from glasstree.tables.cells import days_of
from glasstree.tables.frame import Column, Frame

LIBRARIES = ("pandas", "polars", "pyarrow")


def is_frame(table: Any) -> bool:
    """Tell whether something is a table with named columns."""
    library = type(table).__module__.partition(".")[0]
    return isinstance(table, Frame) or (
        library in LIBRARIES and getattr(table, "ndim", 2) == 2 and hasattr(table, "columns")
    )


def names_of(table: Any) -> list[str]:
    """Return the names of a data frame's columns."""
    return [str(name) for name in getattr(table, "column_names", table.columns)]


def as_frame(table: Any) -> Frame:
    """Return any data frame as a table, or say which cell is wrong."""
    if isinstance(table, Frame):
        return table
    names = names_of(table)
    if len(set(names)) != len(names):
        raise DataError("the table has repeated column names; give each its own")
    columns = {}
    for place, name in enumerate(names):
        cells = _series(table, place)
        columns[name] = column_of_series(cells, f"column {name!r}")
    return Frame(columns)


def labels_of(series: Any) -> list[Any]:
    """Return the cells of a series as Python values."""
    for method in ("to_pylist", "to_list", "tolist"):
        if hasattr(series, method):
            return list(getattr(series, method)())
    return list(series)


def _series(table: Any, place: int) -> Any:
    if hasattr(table, "iloc"):
        return table.iloc[:, place]
    return table.column(place) if hasattr(table, "column") else table.to_series(place)


def column_of_series(series: Any, where: str) -> Column:
    """Make a column of a series of pandas, polars or pyarrow."""
    kind = getattr(getattr(series, "dtype", None), "kind", "")
    if kind in "iuf" and kind and isinstance(series.dtype, np.dtype):
        return Column("number", _finite(series.to_numpy(dtype=np.float64), where))
    words = _words(series)
    if words is not None:
        return words
    cells = [None if _is_missing(cell) else cell for cell in labels_of(series)]
    known = [cell for cell in cells if cell is not None]
    if not known or all(isinstance(c, Real) and not isinstance(c, bool | np.bool_) for c in known):
        values = [np.nan if cell is None else float(cell) for cell in cells]
        return Column("number", _finite(np.array(values, dtype=np.float64), where))
    if all(isinstance(cell, date) for cell in known):
        return Column("date", np.array([np.nan if c is None else _days(c) for c in cells]))
    if any(isinstance(cell, dict | list | set | bytes | np.ndarray) for cell in known):
        raise DataError(f"{where} holds {type(known[0]).__name__}; leave it out")
    return Column.of_texts(None if cell is None else str(cell) for cell in cells)


def _words(series: Any) -> Column | None:
    """Return a column of pandas' words or truth values by its distinct cells, which are few."""
    if not hasattr(series, "factorize"):
        return None
    try:
        codes, found = series.factorize()
    except TypeError:
        return None
    cells = list(found)
    is_truth = getattr(series.dtype, "kind", "") == "b"
    if not cells or not (is_truth or all(isinstance(cell, str) for cell in cells)):
        return None
    return Column.of_codes(codes, [str(cell) for cell in cells])


def _is_missing(cell: Any) -> bool:
    """Tell None, NaN, NaT and pandas.NA from values."""
    if cell is None or type(cell).__name__ in ("NAType", "NaTType"):
        return True
    return isinstance(cell, float) and cell != cell


def _days(cell: date) -> float:
    return days_of(cell if isinstance(cell, datetime) else datetime.combine(cell, time()))


def _finite(values: Any, where: str) -> Any:
    wrong: Sequence[int] = np.flatnonzero(np.isinf(values)).tolist()
    if wrong:
        raise DataError(f"{where}, row {wrong[0] + 1}: {values[wrong[0]]} is not a finite number")
    return values
