"""What studies share: cells that are kept as soon as they are finished, and one Markdown table."""

import json
import tomllib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path
from typing import Any

import numpy as np

from glasstree import __version__, progress
from glasstree.errors import OptionError
from glasstree.policy.document import write_atomically
from glasstree.runs import write_json

Figures = Mapping[str, Sequence[float]]
Measured = Mapping[str, Any]


@dataclass(frozen=True)
class Plan:
    """How much work a study may do: runs of each setting; quick is for a first look."""

    runs: int = 10
    quick: bool = False

    def __post_init__(self) -> None:
        if self.runs < 1:
            raise OptionError(f"a study needs at least 1 run, got {self.runs}")


@dataclass(frozen=True)
class Cell:
    """One measurement: the name of its file, and all that decides its outcome."""

    name: str
    settings: Mapping[str, Any]


@dataclass(frozen=True)
class Column:
    """One column of the table."""

    key: str
    title: str
    digits: int = 2


@dataclass(frozen=True)
class Row:
    """One setting: (mean, deviation) of each column, in the paper and here."""

    name: str
    paper: Figures
    ours: Figures


@dataclass(frozen=True)
class Study:
    """A table of the paper: what to measure, and how measurements become its rows."""

    name: str
    title: str
    setting: str
    columns: tuple[Column, ...]
    cells: Callable[[Plan], list[Cell]]
    measure: Callable[[Mapping[str, Any]], dict[str, Any]]
    rows: Callable[[Sequence[tuple[Cell, Measured]]], list[Row]]
    notes: str = ""


def reproduce(study: Study, folder: Path, plan: Plan) -> dict[str, Any]:
    """Measure what is missing in a folder, write the table, and return its figures."""
    cells = study.cells(plan)
    progress.emit(progress.Stage(study.name, total=len(cells)))
    finished: list[tuple[Cell, Measured]] = []
    for number, cell in enumerate(cells, start=1):
        finished.append((cell, finish(study, cell, folder / study.name)))
        progress.emit(progress.Advance(study.name, number, {}))
    rows = study.rows(finished)
    path = folder / f"{study.name}.md"
    write_atomically(path, markdown(study, rows, plan).encode())
    return {
        "study": study.name,
        "runs": plan.runs,
        "quick": plan.quick,
        "rows": [{"name": row.name, "paper": row.paper, "ours": row.ours} for row in rows],
        "markdown": str(path),
    }


def finish(study: Study, cell: Cell, folder: Path) -> Measured:
    """Return a cell that was measured before with the same settings, or measure and keep it."""
    path = folder / f"{cell.name}.json"
    made_by = {"version": __version__, "settings": dict(cell.settings)}
    kept = _kept(path)
    if isinstance(kept, dict) and {key: kept.get(key) for key in made_by} == made_by:
        measured: Measured = kept["measured"]
        return measured
    with progress.silence():
        measured = study.measure(cell.settings)
    write_json(path, {**made_by, "measured": measured})
    return measured


def paper_values(table: str) -> dict[str, dict[str, list[float]]]:
    """Return the settings of one of the paper's tables, each with its (mean, deviation)s."""
    text = (files("glasstree.studies") / "paper.toml").read_text(encoding="utf-8")
    values = tomllib.loads(text)[table]
    return {name: figures for name, figures in values.items() if isinstance(figures, dict)}


def spread(values: Sequence[float]) -> tuple[float, float]:
    """Return mean and deviation over runs.

    >>> spread([1.0, 3.0])
    (2.0, 1.0)
    """
    return float(np.mean(values)), float(np.std(values))


def markdown(study: Study, rows: Sequence[Row], plan: Plan) -> str:
    """Write a table with the paper's line above ours for each setting."""
    head = [study.setting, "", *(column.title for column in study.columns)]
    lines = [
        f"# {study.title}",
        "",
        _line(head),
        _line(["---", "---"] + ["---:"] * (len(head) - 2)),
    ]
    for row in rows:
        lines.append(_line([row.name, "paper", *_words(study.columns, row.paper)]))
        lines.append(_line(["", "glasstree", *_words(study.columns, row.ours)]))
    quick = " --quick" if plan.quick else ""
    command = f"`glasstree reproduce {study.name} --runs {plan.runs}{quick}`"
    lines += ["", f"{study.notes} Made by {command}, glasstree {__version__}.".strip(), ""]
    return "\n".join(lines)


def _words(columns: Sequence[Column], figures: Figures) -> list[str]:
    return [
        " ± ".join(f"{value:.{column.digits}f}" for value in figures[column.key])
        if column.key in figures
        else "-"
        for column in columns
    ]


def _line(fields: Sequence[str]) -> str:
    return f"| {' | '.join(fields)} |"


def _kept(path: Path) -> Any:
    try:
        return json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return None
