"""What is measured: one cell a file, written at once, so that nothing is done twice."""

import json
from collections.abc import Callable, Collection, Iterable, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import asdict, dataclass
from multiprocessing import get_context
from pathlib import Path
from typing import Any

from glasstree.policy.document import write_atomically

from .ours import SIZES, STAGES
from .rivals import RIVALS

ORACLE = "oracle"
NAMES = (*STAGES, *RIVALS, ORACLE)
Figures = dict[str, Any]


@dataclass(frozen=True)
class Cell:
    """One contender at one size on one task or table, with one kind of data and one seed."""

    task: str
    rival: str
    size: int
    data: str
    seed: int

    @property
    def name(self) -> str:
        """A file's name without its ending."""
        return f"{self.task}/{self.rival}-{self.size}-{self.data}-{self.seed}"


def control_cells(
    tasks: Iterable[str], rivals: Sequence[str], seeds: Iterable[int], quick: bool = False
) -> list[Cell]:
    """Return the cells of control tasks, one seed after another; quick ones are few."""
    cells = []
    for seed in seeds:
        for task in tasks:
            for rival in rivals:
                for size in sizes(rival, task)[: 3 if quick else None]:
                    cells += [Cell(task, rival, size, kind, seed) for kind in kinds(rival)]
    return cells


def sizes(rival: str, task: str) -> tuple[int, ...]:
    """Return the sizes of a contender on a task."""
    if rival == ORACLE:
        return (0,)
    return SIZES[task] if rival in STAGES else RIVALS[rival].sizes_for(task)


def kinds(rival: str) -> tuple[str, ...]:
    """Return the kinds of data that a contender learns from."""
    if rival == ORACLE:
        return ("own",)
    return ("aggregated",) if rival in STAGES else RIVALS[rival].data


def run(
    cells: Iterable[Cell],
    folder: Path,
    measure: Callable[[Cell], Figures],
    workers: int = 1,
    tell: Callable[[str], None] = print,
    known: Collection[str] = (),
) -> int:
    """Measure what is not yet measured, each cell in a worker process; return how many failed."""
    left = [cell for cell in cells if cell.name not in known and not path_of(folder, cell).exists()]
    failures = 0
    context = get_context("spawn")
    with ProcessPoolExecutor(workers, mp_context=context) as pool:
        waiting = {pool.submit(kept, measure, cell, folder): cell for cell in left}
        for number, future in enumerate(as_completed(waiting), 1):
            reason = future.result().get("failed")
            failures += reason is not None
            tell(f"{number}/{len(left)} {waiting[future].name} {reason or ''}".rstrip())
    return failures


def kept(measure: Callable[[Cell], Figures], cell: Cell, folder: Path) -> Figures:
    """Measure a cell and keep it; a contender that cannot do it is kept with its reason."""
    try:
        figures = measure(cell)
    except Exception as error:
        figures = {"failed": f"{type(error).__name__}: {error}"}
    found = {**asdict(cell), **figures}
    write_atomically(path_of(folder, cell), json.dumps(found, indent=1).encode())
    return found


def path_of(folder: Path, cell: Cell) -> Path:
    """Return the file of a cell."""
    return folder / f"{cell.name}.json"


def gathered(folder: Path, store: Path) -> list[Figures]:
    """Return all figures: those of the store, those of the folder's cells in their place."""
    known = stored(store)
    for path in sorted(folder.glob("*/*.json")):
        figures = json.loads(path.read_text())
        known[name_of(figures)] = figures
    found = [known[name] for name in sorted(known)]
    text = "".join(json.dumps(figures) + "\n" for figures in found)
    write_atomically(store, text.encode())
    return found


def stored(store: Path) -> dict[str, Figures]:
    """Return what the store holds, by the names of cells."""
    lines = store.read_text().splitlines() if store.exists() else []
    return {name_of(figures): figures for figures in map(json.loads, lines)}


def name_of(figures: Figures) -> str:
    """Return the name of the cell whose figures these are."""
    return Cell(*(figures[name] for name in Cell.__dataclass_fields__)).name
