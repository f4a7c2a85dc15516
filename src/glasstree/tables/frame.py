"""A table in memory: named columns of numbers, categories and dates, some cells unknown."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from glasstree.errors import DataError
from glasstree.policy.arrays import Bools, Floats, Ints
from glasstree.policy.sources.encoding import MONTHS, WEEKDAYS, Part

ColumnKind = Literal["number", "category", "date"]
FIRST_WEEKDAY = 3  # 1970 began on a Thursday
HOURS = 24.0


@dataclass(frozen=True, eq=False)
class Column:
    """Cells as (n,) numbers, NaN where unknown: values, days since 1970, or places in `levels`."""

    kind: ColumnKind
    values: Floats
    levels: tuple[str, ...] = ()

    @classmethod
    def of_texts(cls, texts: Iterable[str | None]) -> "Column":
        """Make a column of categories.

        >>> Column.of_texts(["b", None, "a"]).values
        array([ 1., nan,  0.])
        """
        places: dict[str | None, int] = {}
        codes = np.array([places.setdefault(text, len(places)) for text in texts], dtype=np.int64)
        levels = sorted(text for text in places if text is not None)
        order = {text: float(place) for place, text in enumerate(levels)}
        values = np.array([order.get(text, np.nan) for text in places], dtype=np.float64)  # type: ignore[arg-type]
        return cls("category", values[codes], tuple(levels))

    @classmethod
    def of_codes(cls, codes: Ints, texts: Sequence[str]) -> "Column":
        """Make a column of categories by the places of its texts; -1 is unknown."""
        order = sorted(range(len(texts)), key=lambda place: texts[place])
        values = np.full(len(texts) + 1, np.nan)
        values[order] = np.arange(len(texts))
        return cls("category", values[codes], tuple(texts[place] for place in order))

    @property
    def unknown(self) -> Bools:
        """Which cells are unknown."""
        result: Bools = np.isnan(self.values)
        return result

    def take(self, rows: Ints | Bools) -> "Column":
        """Return the chosen cells."""
        return Column(self.kind, self.values[rows], self.levels)

    def part(self, part: Part) -> "Column":
        """Return a part of each date; the column itself where no part is named.

        >>> Column("date", np.array([0.75, 31.0])).part("weekday").values
        array([3., 6.])
        """
        if not part:
            return self
        unknown = self.unknown
        days = np.where(unknown, 0.0, self.values)
        dates = np.floor(days).astype("int64").astype("datetime64[D]")
        months = dates.astype("datetime64[M]").astype(np.int64)
        found = {
            "year": 1970 + months // 12,
            "month": months % 12,
            "weekday": (np.floor(days).astype(np.int64) + FIRST_WEEKDAY) % len(WEEKDAYS),
            "hour": np.floor((days - np.floor(days)) * HOURS),
        }[part]
        values = np.where(unknown, np.nan, found)
        levels = {"month": MONTHS, "weekday": WEEKDAYS}.get(part, ())
        return Column("category" if levels else "number", values, levels)

    def as_kind(self, kind: ColumnKind, where: str) -> "Column":
        """Return the column as another kind, where it was read as numbers for want of words."""
        if kind == self.kind or self.unknown.all():
            return Column(kind, self.values, self.levels)
        if kind == "category" and self.kind == "number":
            texts = (None if np.isnan(v) else _written(v) for v in self.values.tolist())
            return Column.of_texts(texts)
        words = {"number": "numbers", "category": "categories", "date": "dates"}
        raise DataError(f"{where} holds {words[self.kind]}; the rules need {words[kind]} there")


def _written(value: float) -> str:
    return str(int(value)) if value.is_integer() else repr(value)


@dataclass(frozen=True, eq=False)
class Frame:
    """Columns of one length by name; notes say what was remarkable about reading them."""

    columns: dict[str, Column]
    notes: tuple[str, ...] = ()

    def __len__(self) -> int:
        return len(next(iter(self.columns.values())).values) if self.columns else 0

    @property
    def shape(self) -> tuple[int, int]:
        """Rows and columns, as scikit-learn asks for them."""
        return len(self), len(self.columns)

    @property
    def names(self) -> list[str]:
        """The columns' names."""
        return list(self.columns)

    @property
    def is_plain(self) -> bool:
        """Whether there is nothing but numbers, all of them known."""
        return all(c.kind == "number" and not c.unknown.any() for c in self.columns.values())

    def numbers(self) -> Floats:
        """Return (n, columns) numbers: of plain columns, and places of levels; NaN is unknown."""
        return np.column_stack([column.values for column in self.columns.values()])

    def take(self, rows: Ints | Bools) -> "Frame":
        """Return the chosen rows."""
        return Frame({name: column.take(rows) for name, column in self.columns.items()})

    def only(self, names: Sequence[str]) -> "Frame":
        """Return the named columns."""
        return Frame({name: self.columns[name] for name in names}, self.notes)
