"""What cells of text are: numbers with a point or a comma, dates, words, or nothing at all."""

import re
from collections.abc import Callable, Sequence
from datetime import datetime

import numpy as np

from glasstree.errors import DataError
from glasstree.policy.arrays import Floats
from glasstree.tables.frame import Column, ColumnKind

MISSING = frozenset(
    ["", "na", "n/a", "#n/a", "nan", "null", "none", "?", "unknown", "missing", "<na>", "nat"]
)
DATE = re.compile(r"(\d{4})-(\d\d)-(\d\d)([ T]\d\d:\d\d(:\d\d(\.\d{1,6})?)?(Z|[+-]\d\d:?\d\d)?)?")
LIKE_A_DATE = re.compile(r"\d{1,4}[./-]\d{1,2}[./-]\d{1,4}\b.*")
LIKE_A_NUMBER = re.compile(r"[^\w\s]?\s*[+-]?\d[\d.,' ]*\s*\S{0,3}")  # with a sign or a unit
DECIMAL_COMMA = re.compile(r"[+-]?(\d{1,3}(\.\d{3})+|\d*)(,\d+)?([eE][+-]?\d+)?")
THOUSANDS = re.compile(r"[+-]?\d{1,3}(,\d{3})+(\.\d*)?")
WORDS_AMONG_NUMBERS = 20  # different cells, at most, that make a column of numbers a category
SECONDS = 86400.0  # a day

Place = Callable[[int], str]


def column_of(
    cells: Sequence[str], place: Place, comma: bool = False, kind: ColumnKind | None = None
) -> Column:
    """Make a column of stripped cells; `place` words where a row of it stands.

    comma: whether a comma may stand for the decimal point. A kind that is given is kept to.
    """
    known = {cell for cell in cells if cell.lower() not in MISSING}
    if kind in (None, "number"):
        numbers = {cell: _number(cell) for cell in known}
        if None in numbers.values():
            numbers = {cell: _number(_with_point(cell, comma)) for cell in known}
        wrong = [cell for cell in known if numbers[cell] is None]
        if not wrong:
            values = _lookup(cells, numbers)
            _check_finite(cells, values, place)
            return Column("number", values)
        if kind == "number" or _is_mixed(len(wrong), len(known)):
            row = next(row for row, cell in enumerate(cells) if cell in set(wrong))
            raise DataError(
                f"{place(row)}: {cells[row]!r} is not a number, unlike the others; "
                "mend it, or leave the column out with --drop"
            )
    if kind in (None, "date"):
        dates = {cell: _days(cell) for cell in known}
        if None not in dates.values():
            return Column("date", _lookup(cells, dates))
        if kind == "date":
            row = next(row for row, cell in enumerate(cells) if dates.get(cell, 0.0) is None)
            raise DataError(f"{place(row)}: {cells[row]!r} is not a date like 2024-01-31")
    return Column.of_texts(cell if cell in known else None for cell in cells)


def _is_mixed(words: int, known: int) -> bool:
    """Tell whether a column is numbers with slips in them, rather than a category such as 3+."""
    return known > WORDS_AMONG_NUMBERS and 2 * words < known


def _lookup(cells: Sequence[str], numbers: dict[str, float | None]) -> Floats:
    return np.array([numbers.get(cell, np.nan) for cell in cells], dtype=np.float64)


def _number(cell: str) -> float | None:
    try:
        return float(cell) if cell.isascii() and "_" not in cell else None
    except ValueError:
        return None


def _with_point(cell: str, comma: bool) -> str:
    """Write a number with a point where the comma is one, or without commas between thousands.

    >>> _with_point("1.234,5", True), _with_point("31.12.2024", True)
    ('1234.5', '31.12.2024')
    >>> _with_point("1,234.5", False), _with_point("1,5", False)
    ('1234.5', '1,5')
    """
    if comma:
        return cell.replace(".", "").replace(",", ".") if DECIMAL_COMMA.fullmatch(cell) else cell
    return cell.replace(",", "") if THOUSANDS.fullmatch(cell) else cell


def better_written(column: Column) -> str | None:
    """Tell how the words of a column should be written, if they seem to be numbers or dates.

    >>> better_written(Column.of_texts(f"{n}.3.2024" for n in range(1, 31)))
    'dates are read if they are written as 2024-01-31'
    >>> better_written(Column.of_texts(f"$ {n}" for n in range(30)))
    'numbers are read if they are written as 1234.5'
    """
    levels = column.levels if column.kind == "category" else ()
    if len(levels) > WORDS_AMONG_NUMBERS:
        for form, thing in ((LIKE_A_DATE, "dates"), (LIKE_A_NUMBER, "numbers")):
            if 2 * sum(bool(form.fullmatch(level)) for level in levels) > len(levels):
                shown = "2024-01-31" if thing == "dates" else "1234.5"
                return f"{thing} are read if they are written as {shown}"
    return None


def _check_finite(cells: Sequence[str], values: Floats, place: Place) -> None:
    wrong = np.flatnonzero(np.isinf(values))
    if len(wrong):
        row = int(wrong[0])
        raise DataError(f"{place(row)}: {cells[row]!r} is not a finite number")


def _days(cell: str) -> float | None:
    """Return days since 1970 of an ISO date, with or without a time.

    >>> _days("1970-01-02T12:00")
    1.5
    """
    if not DATE.fullmatch(cell):
        return None
    try:
        return days_of(datetime.fromisoformat(cell))
    except ValueError:
        return None


def days_of(moment: datetime) -> float:
    """Return days since 1970 by the clock that is written, whatever its zone."""
    written = moment.replace(tzinfo=None)
    return (written - datetime(1970, 1, 1)).total_seconds() / SECONDS
