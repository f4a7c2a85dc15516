"""What is measured, in worker processes; cells are kept as those of the studies are."""

import json
from collections.abc import Callable, Collection, Iterable, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from concurrent.futures.process import BrokenProcessPool
from dataclasses import asdict, dataclass
from multiprocessing import get_context
from pathlib import Path
from time import process_time
from typing import Any

from glasstree.policy.document import write_atomically
from glasstree.studies.cells import CellStore, is_made_by

from .front import AXES, Point, front, policies
from .front import OURS as RUNS
from .origins import FLOOR, ORACLE, OURS, TRACE, code_of
from .rivals import CONTINUOUS, RIVALS

OWN = "own"  # the kind of data of whoever makes its own, or needs none
NAMES = (OURS, TRACE, *RIVALS, ORACLE, FLOOR)
TRACED = 0  # the seed whose run is traced
Figures = dict[str, Any]


@dataclass(frozen=True)
class Contest:
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
) -> list[Contest]:
    """Return the cells of control tasks, one seed after another; quick ones are few."""
    cells = []
    for seed in seeds:
        for task in tasks:
            for rival in rivals:
                for size in sizes(rival, task, seed)[: 3 if quick else None]:
                    cells += [Contest(task, rival, size, kind, seed) for kind in kinds(rival)]
    return cells


def sizes(rival: str, task: str, seed: int) -> tuple[int, ...]:
    """Return the sizes of a contender on a task; the trace is of one seed, where it is compiled."""
    if rival == TRACE:
        return (0,) if seed == TRACED and task not in CONTINUOUS else ()
    return RIVALS[rival].sizes_for(task) if rival in RIVALS else (0,)


def kinds(rival: str) -> tuple[str, ...]:
    """Return the kinds of data that a contender learns from."""
    return RIVALS[rival].data if rival in RIVALS else (OWN,)


def run(
    cells: Iterable[Contest],
    folder: Path,
    measure: Callable[[Contest], Figures],
    workers: int = 1,
    tell: Callable[[str], None] = print,
    known: Collection[str] = (),
    anew: bool = False,
) -> int:
    """Measure what is not yet measured, each cell in a worker process; return how many failed.

    anew: what earlier code measured is measured again. Where a package ends its whole process,
    what is left is measured cell by cell.
    """

    store = CellStore(folder)

    def missing(cells: Iterable[Contest]) -> list[Contest]:
        return [cell for cell in cells if not is_done(store.read(cell.name), anew)]

    left = missing(cell for cell in cells if cell.name not in known)
    try:
        together(left, store, measure, workers, tell)
    except BrokenProcessPool:
        for cell in (cell for cell in left if is_earlier(store.read(cell.name))):
            try:
                together([cell], store, measure, 1, tell)
            except BrokenProcessPool:
                kept(died, cell, store)
    return len(missing(left))


def together(
    cells: Sequence[Contest],
    store: CellStore,
    measure: Callable[[Contest], Figures],
    workers: int,
    tell: Callable[[str], None],
) -> None:
    """Measure cells in worker processes and tell of each."""
    with ProcessPoolExecutor(workers, mp_context=get_context("spawn")) as pool:
        waiting = {pool.submit(kept, measure, cell, store): cell for cell in cells}
        for number, future in enumerate(as_completed(waiting), 1):
            reason = future.result().get("failed", "")
            tell(f"{number}/{len(cells)} {waiting[future].name} {reason}".rstrip())


def died(cell: Contest) -> Figures:
    """Stand for a measurement that ended its process."""
    raise RuntimeError("the process ended")


def is_done(figures: Figures, anew: bool = False) -> bool:
    """Tell whether a cell is measured; one that failed, or anew an earlier one, is tried again."""
    return bool(figures) and "failed" not in figures and not (anew and is_earlier(figures))


def is_earlier(figures: Figures) -> bool:
    """Tell whether figures are not by the code that is here."""
    return not figures or not is_made_by(code_of(figures["rival"], figures["task"]), figures)


def kept(measure: Callable[[Contest], Figures], cell: Contest, store: CellStore) -> Figures:
    """Measure a cell and keep it; a contender that cannot do it is kept with its reason.

    took: seconds of the processor, with the episodes and states that all contenders meet.
    """
    code, started = code_of(cell.rival, cell.task), process_time()
    try:
        figures = measure(cell)
    except Exception as error:
        figures = {"failed": f"{type(error).__name__}: {error}"}
    took = round(process_time() - started, 2)
    return store.keep(cell.name, code, {**asdict(cell), **figures, "took": took})


def gathered(folder: Path, store: Path) -> list[Figures]:
    """Return all figures: those of the store, those of the folder's cells in their place."""
    known, cells = stored(store), CellStore(folder)
    known |= {name: cells.read(name) for name in cells.names()}
    found = trimmed(current([known[name] for name in sorted(known)]))
    text = "".join(json.dumps(figures) + "\n" for figures in found)
    write_atomically(store, text.encode())
    return found


def current(cells: Sequence[Figures]) -> list[Figures]:
    """Return cells without those runs of glasstree, one a size, that a front has replaced."""
    replaced = {cell["task"] for cell in cells if "front" in cell}
    return [
        cell
        for cell in cells
        if "front" in cell or cell["task"] not in replaced or cell["rival"] not in RUNS
    ]


def trimmed(cells: Sequence[Figures]) -> list[Figures]:
    """Return cells without the texts of rivals that are on no front of their task and seed."""
    groups: dict[tuple[str, int], list[Point]] = {}
    for cell in cells:
        if "text" in cell:
            worth = "reward" if "reward" in cell else "accuracy"
            groups.setdefault((cell["task"], cell["seed"]), []).extend(policies([cell], worth))
    wanted = {
        (task, seed, *point.key)
        for (task, seed), points in groups.items()
        for axis in AXES
        for point in front(points, axis)
    }

    def place(cell: Figures) -> tuple[Any, ...]:
        return tuple(cell[name] for name in ("task", "seed", "rival", "size", "data"))

    return [
        cell if "text" not in cell or place(cell) in wanted else {**cell, "text": ""}
        for cell in cells
    ]


def stored(store: Path) -> dict[str, Figures]:
    """Return what the store holds, by the names of cells."""
    lines = store.read_text().splitlines() if store.exists() else []
    return {name_of(figures): figures for figures in map(json.loads, lines)}


def name_of(figures: Figures) -> str:
    """Return the name of the cell whose figures these are."""
    return Contest(*(figures[name] for name in Contest.__dataclass_fields__)).name
