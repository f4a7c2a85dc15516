"""Measure glasstree and its peers, then write docs/comparison.md from what is stored.

    cd benchmarks && peers/.venv/bin/python -m peers [--workers 2] [--runs DIR] [--quick]
        [--tasks cartpole,...] [--tables iris,...] [--rivals cart,...] [--seeds 5] [--page-only]
        [--anew]

Every finished cell is kept at once; a second call goes on where the first stopped. Cells of earlier
code are kept, counted, and measured again only if asked for with --anew. DIR holds finished runs of
glasstree, as benchmarks/control.py keeps them: they are read instead of being made.
"""

import argparse
import os
import sys
from functools import partial
from pathlib import Path

from glasstree.tasks import task_names

from .cells import NAMES, control_cells, gathered, is_earlier, run, stored
from .estimator import on_a_table
from .measure import control
from .pages.page import earlier, write
from .pages.readme import refresh
from .rivals import CONTINUOUS
from .tables import TABLES, table_cells

HERE = Path(__file__).parent
DOCS = HERE.parents[1] / "docs"
TEMPLATE = HERE / "pages" / "comparison.template.md"
STORE = "results.jsonl"
THREADS = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "NUMBA_NUM_THREADS")


def words() -> argparse.Namespace:
    """Read the command line."""
    parser = argparse.ArgumentParser(prog="peers", description=__doc__.splitlines()[0])
    parser.add_argument("--tasks", default=",".join((*task_names(), *CONTINUOUS)))
    parser.add_argument("--tables", default=",".join(TABLES))
    parser.add_argument("--rivals", default=",".join(NAMES))
    parser.add_argument("--seeds", type=int, default=5)
    parser.add_argument("--repeats", type=int, default=3, help="of the ten folds of a table")
    parser.add_argument("--workers", type=int, default=os.cpu_count() or 1)
    parser.add_argument(
        "--runs", type=Path, action="append", help="of glasstree, as benchmarks/control.py keeps"
    )
    parser.add_argument("--out", type=Path, help="a folder for results and page instead of ours")
    parser.add_argument("--quick", action="store_true", help="a trial: few cells, in quick/")
    parser.add_argument("--page-only", action="store_true", help="write the page, measure nothing")
    parser.add_argument(
        "--anew", action="store_true", help="measure again what earlier code measured"
    )
    chosen = parser.parse_args()
    if chosen.quick:
        chosen.tasks, chosen.tables = "cartpole,mountaincar", "iris"
        chosen.seeds = chosen.repeats = 1
        chosen.out = chosen.out or HERE / "quick"
    return chosen


def split(text: str) -> list[str]:
    """Return the names in a list with commas."""
    return [name for name in text.split(",") if name]


def main() -> None:
    """Measure, gather, write."""
    chosen = words()
    for name in THREADS:
        os.environ[name] = "1"
    place, docs = chosen.out or HERE, chosen.out or DOCS
    failures = 0 if chosen.page_only else measure(chosen, place)
    cells = gathered(place / "cells", place / STORE)
    write(cells, docs, TEMPLATE)
    if docs == DOCS:
        refresh(DOCS.parent / "README.md", DOCS)
    print(f"{len(cells)} cells are stored; the page is {docs.name}/comparison.md")
    print(earlier(cells))
    if failures:
        sys.exit(f"{failures} cells failed; the page names them")


def measure(chosen: argparse.Namespace, place: Path) -> int:
    """Measure every cell that is not yet measured; return how many failed."""
    rivals, few = split(chosen.rivals), chosen.quick
    folders = [folder.resolve() for folder in (*(chosen.runs or ()), place / "runs")]
    play = partial(control, runs=folders, anew=chosen.anew)
    waves = (
        (play, control_cells(split(chosen.tasks), rivals, range(chosen.seeds), few)),
        (on_a_table, table_cells(split(chosen.tables), rivals, range(chosen.repeats), few)),
    )
    known = {
        name
        for name, figures in stored(place / STORE).items()
        if "failed" not in figures and not (chosen.anew and is_earlier(figures))
    }
    return sum(
        run(wave, place / "cells", how, chosen.workers, known=known, anew=chosen.anew)
        for how, wave in waves
    )


if __name__ == "__main__":
    main()
