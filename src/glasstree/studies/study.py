"""What a study is: rows of figures over cells, each cell a measurement with all that decides it."""

import hashlib
import json
import tomllib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from importlib.resources import files
from typing import Any

import numpy as np

from glasstree.errors import OptionError

Figures = Mapping[str, Sequence[float]]
Measured = Mapping[str, Any]
Measure = Callable[[Mapping[str, Any]], dict[str, Any]]
RECIPES = ("paper", "glasstree", "oracle")


@dataclass(frozen=True)
class Plan:
    """How much work a study may do: runs of each setting; quick is for a first look."""

    runs: int = 10
    quick: bool = False

    def __post_init__(self) -> None:
        if self.runs < 1:
            raise OptionError(f"a study needs at least 1 run, got {self.runs}")


@dataclass(frozen=True, eq=False)
class Cell:
    """One measurement: who measures it, and all that decides its outcome.

    Cells with the same label and settings have the same name, whichever studies ask for them.
    """

    label: str
    measure: Measure
    settings: Mapping[str, Any]
    effort: float = 1.0

    @cached_property
    def name(self) -> str:
        """The name of its file."""
        text = json.dumps(self.settings, sort_keys=True)
        return f"{self.label}-{hashlib.sha256(text.encode()).hexdigest()[:8]}"


class Missing(Exception):
    """Some cells have not been measured yet."""

    def __init__(self, cells: Sequence[Cell]) -> None:
        super().__init__(f"{len(cells)} cells are missing")
        self.cells = tuple(cells)


class Bench:
    """Hands out what was measured; asked for more, it says what is missing."""

    def __init__(self) -> None:
        self.known: dict[str, Measured] = {}

    def __call__(self, *cells: Cell) -> list[Measured]:
        """Return the measurements of cells, or raise Missing."""
        missing = [cell for cell in cells if cell.name not in self.known]
        if missing:
            raise Missing(missing)
        return [self.known[cell.name] for cell in cells]


Work = Callable[[Bench], Any]


@dataclass(frozen=True)
class Column:
    """One column of a table."""

    key: str
    title: str
    digits: int = 2


@dataclass(frozen=True)
class Row:
    """One setting: how its figures come from cells, recipe by recipe."""

    name: str
    ours: Mapping[str, Work]


@dataclass(frozen=True)
class Study:
    """A table of the paper: its rows and columns, and what a reader should know."""

    name: str
    title: str
    setting: str
    columns: tuple[Column, ...]
    rows: Callable[[Plan], list[Row]]
    notes: str = ""


@cache
def _paper() -> dict[str, Any]:
    return tomllib.loads((files("glasstree.studies") / "paper.toml").read_text(encoding="utf-8"))


def caption(table: str) -> str:
    """Return number and caption of a table as the paper prints them."""
    values = _paper()[table]
    return f"Table {values['number']}: {values['caption']}"


def paper_values(table: str) -> dict[str, dict[str, list[float]]]:
    """Return the settings of one of the paper's tables, each with its (mean, deviation)s."""
    return {
        name: {key: value for key, value in figures.items() if key != "bold"}
        for name, figures in _paper()[table].items()
        if isinstance(figures, dict)
    }


def bold_keys(table: str, row: str) -> list[str]:
    """Return which figures of a row the paper prints in bold."""
    found: list[str] = _paper()[table].get(row, {}).get("bold", [])
    return found


def spread(values: Sequence[float]) -> tuple[float, float]:
    """Return mean and deviation.

    >>> spread([1.0, 3.0])
    (2.0, 1.0)
    """
    return float(np.mean(values)), float(np.std(values))
