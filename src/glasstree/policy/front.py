"""What all fronts have in common: rows, of which each is better than all less complex ones."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeVar, overload

Row = TypeVar("Row")


@dataclass(frozen=True)
class Rows(Sequence[Row]):
    """The rows of a front, the least complex first."""

    rows: tuple[Row, ...]

    def __len__(self) -> int:
        return len(self.rows)

    @overload
    def __getitem__(self, place: int) -> Row: ...
    @overload
    def __getitem__(self, place: slice) -> Sequence[Row]: ...
    def __getitem__(self, place: int | slice) -> Row | Sequence[Row]:
        return self.rows[place]
