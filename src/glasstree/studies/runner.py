"""Measure what is missing, in worker processes; each finished cell is kept at once."""

import json
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

from glasstree import progress
from glasstree.digests import PACKAGE, code_and_data
from glasstree.policy.document import write_atomically
from glasstree.studies.study import Bench, Cell, Measured, Missing, Work

STAGE = "cells"


def settle(works: Mapping[str, Work], folder: Path, workers: int = 1) -> dict[str, Any]:
    """Do every work, measuring the cells that they ask for until none is missing."""
    bench = Bench()
    while True:
        results, wanted = {}, dict[str, Cell]()
        for name, work in works.items():
            try:
                results[name] = work(bench)
            except Missing as missing:
                wanted |= {cell.name: cell for cell in missing.cells}
        if not wanted:
            return results
        for name, measured in measured_cells(list(wanted.values()), folder, workers):
            bench.known[name] = measured


def measured_cells(
    cells: Sequence[Cell], folder: Path, workers: int
) -> Iterator[tuple[str, Measured]]:
    """Yield the names and figures of cells as they finish, those that were kept at once."""
    from joblib import Parallel, delayed

    found = {cell.name: kept(cell, folder) for cell in cells}
    new = sorted((c for c in cells if found[c.name] is None), key=lambda cell: -cell.effort)
    progress.emit(progress.Stage(STAGE, total=len(cells)))
    done = len(cells) - len(new)
    progress.emit(progress.Advance(STAGE, done, {}))
    yield from ((name, measured) for name, measured in found.items() if measured is not None)
    pool = Parallel(n_jobs=workers, batch_size=1, return_as="generator_unordered")
    for name, measured in pool(delayed(finish)(cell, folder) for cell in new):
        done += 1
        progress.emit(progress.Advance(STAGE, done, {}))
        yield name, measured


def finish(cell: Cell, folder: Path) -> tuple[str, Measured]:
    """Measure a cell on one thread and keep it."""
    from threadpoolctl import threadpool_limits

    made = made_by(cell)
    with progress.silence(), threadpool_limits(1):
        measured = cell.measure(cell.settings)
    document = {**made, "measured": measured}
    text = json.dumps(document, allow_nan=False) + "\n"
    write_atomically(place(cell, folder), text.encode())
    return cell.name, json.loads(text)["measured"]


def kept(cell: Cell, folder: Path) -> Measured | None:
    """Return a cell that was measured before by the same code with the same settings."""
    try:
        document = json.loads(place(cell, folder).read_text(encoding="utf-8"))
        same = {key: document.get(key) for key in made_by(cell)} == made_by(cell)
        return document["measured"] if same else None
    except (OSError, ValueError, AttributeError, KeyError):
        return None


def made_by(cell: Cell) -> dict[str, Any]:
    """Return what decides a cell, as its file says it."""
    return {"code": code(), "settings": json.loads(json.dumps(cell.settings))}


@cache
def code() -> str:
    """Return the digest of what measures: all code and data that can decide a cell."""
    return code_and_data(PACKAGE / "studies" / "measures.py")


def place(cell: Cell, folder: Path) -> Path:
    """Return the file of a cell."""
    return folder / "cells" / f"{cell.name}.json"
