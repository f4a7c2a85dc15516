"""Measure what is missing, in worker processes; each finished cell is kept at once."""

import json
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path
from time import process_time
from typing import Any

from glasstree import progress
from glasstree.digests import PACKAGE, code_and_data
from glasstree.studies.cells import CellStore, is_made_by
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
    """Measure a cell on one thread and keep it, and what it took of the processor."""
    from threadpoolctl import threadpool_limits

    made, started = code(), process_time()
    with progress.silence(), threadpool_limits(1):
        measured = cell.measure(cell.settings)
    took = round(process_time() - started, 3)
    found = {"settings": cell.settings, "measured": measured, "took": took}
    return cell.name, store_in(folder).keep(cell.name, made, found)["measured"]


def kept(cell: Cell, folder: Path) -> Measured | None:
    """Return a cell that was measured before by the same code with the same settings."""
    document = store_in(folder).read(cell.name)
    settings = json.loads(json.dumps(cell.settings))
    same = is_made_by(code(), document) and document.get("settings") == settings
    return document.get("measured") if same else None


@cache
def code() -> str:
    """Return the digest of what measures: all code and data that can decide a cell."""
    return code_and_data(PACKAGE / "studies" / "measures.py")


def store_in(folder: Path) -> CellStore:
    """Return the cells of a study's folder."""
    return CellStore(folder / "cells")
