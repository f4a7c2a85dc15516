"""How the columns of a table become the variables of a tree; data that travels with the tree."""

import re
from dataclasses import dataclass
from math import isfinite
from typing import Literal, get_args

Kind = Literal["number", "date", "set"]
Part = Literal["", "year", "month", "weekday", "hour"]
UNKNOWN = "unknown"
MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")
WEEKDAYS = ("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun")


@dataclass(frozen=True)
class Source:
    """Where one variable comes from, and the number that stands for an unknown cell.

    A number is the cell; a date its days since 1970; a set is 1 where the cell is one of `levels`
    and 0 elsewhere. A part is one of a date's.

    >>> Source("city", "set", levels=("Milan", "Rome")).name
    'city in {Milan, Rome}'
    """

    column: str
    kind: Kind = "number"
    part: Part = ""
    unknown: float = 0.0
    levels: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        if self.kind not in get_args(Kind) or self.part not in get_args(Part):
            raise ValueError(f"a column of kind {self.kind!r}, part {self.part!r} is not known")
        if not isfinite(self.unknown):
            raise ValueError("what stands for an unknown cell must be finite")

    @property
    def subject(self) -> str:
        """The column, or the part of it, that is read."""
        return f"{self.column}.{self.part}" if self.part else self.column

    @property
    def name(self) -> str:
        """What the variable is called."""
        return self.words(True) if self.kind == "set" else self.subject

    def words(self, inside: bool) -> str:
        """Say that a cell is one of a set, or that it is not."""
        if not self.levels:
            return f"{self.subject} is {UNKNOWN}" if inside else f"{self.subject} is known"
        levels = [quoted(level) for level in self.levels]
        if len(levels) == 1:
            shown = f"{self.subject} {'=' if inside else '!='} {levels[0]}"
        else:
            shown = f"{self.subject} {'' if inside else 'not '}in {{{', '.join(levels)}}}"
        if not self.unknown:
            return shown
        return f"{shown} or {UNKNOWN}" if inside else f"{shown} and known"


@dataclass(frozen=True)
class Encoding:
    """The source of each variable of a tree, and the columns that may have unknown cells."""

    sources: tuple[Source, ...]
    gaps: tuple[str, ...] = ()

    @property
    def columns(self) -> tuple[str, ...]:
        """The columns that are read, each once."""
        return tuple(dict.fromkeys(source.column for source in self.sources))

    @property
    def names(self) -> tuple[str, ...]:
        """The name of each variable; the second one of a column says where its gaps are put."""
        names: list[str] = []
        for source in self.sources:
            name = source.name
            while name in names:
                name += ", unknown high"
            names.append(name)
        return tuple(names)

    def may_be_unknown(self, source: Source) -> bool:
        """Tell whether a cell of the variable was unknown in the table that it was learnt from."""
        return source.column in self.gaps


def quoted(level: str) -> str:
    """Write a level of a category, in quotes where it would be misread.

    >>> quoted("New York"), quoted("a, b"), quoted("unknown")
    ('New York', '"a, b"', '"unknown"')
    """
    plain = re.fullmatch(r"[\w.+-]+( [\w.+-]+)*", level) and level != UNKNOWN
    return level if plain else '"' + level.replace('"', '\\"') + '"'
