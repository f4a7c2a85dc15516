"""What a reproduction is going to measure, and about how long that takes, before it begins."""

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from glasstree.studies import measures
from glasstree.studies.runner import kept, store_in
from glasstree.studies.study import Bench, Cell, Measured, Work

NUMBERED = re.compile(r"(-\d+)?-[0-9a-f]{8}$")  # the seed and the settings in a cell's name
CONTROL = {"reward": [0.0, 0.0], "completion": [0.0, 0.0], "best": [0.0], "episode_sd": [0.0]}
FIGURES = (
    *("train_accuracy", "test_accuracy", "rules", "rule_length", "complexity", "seconds"),
    "worth",
)
LONGEST = 30  # rules of a front's policy: more than any table asks for


class Outlook(Bench):
    """Answers what is not measured with stand-ins, and notes it."""

    def __init__(self, folder: Path) -> None:
        super().__init__()
        self.folder, self.missing = folder, dict[str, Cell]()

    def __call__(self, *cells: Cell) -> list[Measured]:
        """Return what is kept, or else stand-ins."""
        return [self._answer(cell) for cell in cells]

    def _answer(self, cell: Cell) -> Measured:
        if cell.name not in self.known:
            found = kept(cell, self.folder)
            if found is None:
                self.missing[cell.name] = cell
            self.known[cell.name] = stand_in(cell) if found is None else found
        return self.known[cell.name]


def stand_in(cell: Cell) -> Measured:
    """Return figures of the right shape; every tree among them differs from all others."""
    if cell.measure is measures.control:
        return CONTROL
    trees = {stage: {"of": cell.name, "stage": stage} for stage in ("before", "tree")}
    front = [{"rules": n, "worth": n, "tree": {"of": cell.name, "rules": n}} for n in rules()]
    return {**dict.fromkeys(FIGURES, 0.0), **trees, "front": front}


def rules() -> range:
    """Return how many rules the policies of a front may have."""
    return range(1, LONGEST + 1)


def missing_cells(works: Iterable[Work], folder: Path) -> list[Cell]:
    """Return all cells that tables will ask for and a folder does not hold."""
    outlook = Outlook(folder)
    for work in works:
        work(outlook)
    return list(outlook.missing.values())


def usual_seconds(folder: Path, quick: bool) -> dict[str, float]:
    """Return the mean seconds of the processor of each kind of cell that was measured before."""
    total, count = Counter[str](), Counter[str]()
    for name in store_in(folder).names():
        document: Mapping[str, Any] = store_in(folder).read(name)
        if "took" in document and document["settings"].get("quick", quick) == quick:
            total[kind(name)] += document["took"]
            count[kind(name)] += 1
    return {name: total[name] / count[name] for name in total}


def kind(name: str) -> str:
    """Return the name of a cell without its seed and settings.

    >>> kind("imitation-psm5-paper-rga-balanced-3-9-0123abcd"), kind("control-psm5-tree-0123abcd")
    ('imitation-psm5-paper-rga-balanced-3', 'control-psm5-tree')
    """
    return NUMBERED.sub("", name)


def forecast(works: Iterable[Work], folder: Path, workers: int, quick: bool) -> str:
    """Say how many cells are to be measured, and how long that takes by those measured before."""
    cells, usual = missing_cells(works, folder), usual_seconds(folder, quick)
    if not cells:
        return ""
    known = [usual[kind(cell.name)] for cell in cells if kind(cell.name) in usual]
    words = f"{len(cells)} cells are to be measured"
    if not known:
        return f"{words}; how long they take is known once some of them are"
    minutes = sum(known) / 60
    words += f"; by such cells before, {minutes:.0f} core minutes"
    words += f", on {workers} cores about {minutes / workers:.0f} minutes" if workers > 1 else ""
    unknown = len(cells) - len(known)
    return f"{words}, and {unknown} of kinds that are new here" if unknown else words
