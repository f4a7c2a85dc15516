"""The cells of `glasstree reproduce`: kept in one file, and default runs that are there already.

    python benchmarks/study_cells.py pack runs/reproduce      # into benchmarks/study_cells.jsonl.gz
    python benchmarks/study_cells.py unpack runs/reproduce
    python benchmarks/study_cells.py adopt runs/reproduce --runs benchmarks/peers/runs

Only cells by the code that is here are packed and unpacked. Adopted are finished default runs of
`make peers`, or of benchmarks/control.py, that this code made: what a study would do again.
"""

import argparse
import gzip
import json
from pathlib import Path

from peers.notes import is_noted
from peers.origins import run_code

from glasstree.policy.document import write_atomically
from glasstree.studies import measures, recipes
from glasstree.studies.cells import is_made_by
from glasstree.studies.runner import code, store_in
from glasstree.studies.study import Plan
from glasstree.workflows.run import Run, open_run

PACKED = Path(__file__).with_suffix(".jsonl.gz")
TASKS = ("carfollowing", "lunarlander", "psm5", "psm10")  # whose default runs tables ask for


def pack(folder: Path) -> int:
    """Write all cells by this code into one file; return how many."""
    store = store_in(folder)
    found = {name: store.read(name) for name in store.names()}
    lines = [json.dumps([name, one]) for name, one in found.items() if is_made_by(code(), one)]
    text = "".join(f"{line}\n" for line in lines)
    write_atomically(PACKED, gzip.compress(text.encode(), mtime=0))
    return len(lines)


def unpack(folder: Path) -> int:
    """Write the packed cells by this code into a folder that lacks them; return how many."""
    store, count = store_in(folder), 0
    for line in gzip.decompress(PACKED.read_bytes()).decode().splitlines():
        name, cell = json.loads(line)
        if is_made_by(code(), cell) and not is_made_by(code(), store.read(name)):
            store.keep(name, cell.pop("code"), cell)
            count += 1
    return count


def adopt(folder: Path, runs: Path) -> int:
    """Write cells of default runs that are finished; return how many."""
    store, count = store_in(folder), 0
    for task in TASKS:
        for cell in recipes.default_runs(Plan(), task):
            run = finished(runs, task, cell.settings["seed"])
            if run is not None and not is_made_by(code(), store.read(cell.name)):
                found = {"settings": cell.settings, "measured": measured(run), "adopted": True}
                store.keep(cell.name, code(), found)
                count += 1
    return count


def finished(runs: Path, task: str, seed: int) -> Run | None:
    """Return a finished default run by this code, if there is one."""
    name = f"{task}-default-{seed}"
    for place in (runs / run_code(task) / name, runs / name):
        known = place.parent.name == run_code(task) or is_noted(place, task)
        if known and (place / "metrics.json").exists():
            return open_run(place)
    return None


def measured(run: Run) -> dict[str, object]:
    """Return what a study would have measured."""
    rows = [
        {"rules": row.policy.n_rules, "worth": row.worth, "tree": measures.document(row.policy)}
        for row in run.front or ()
    ]
    return {
        "seconds": run.metrics["seconds"],
        "before": measures.document(run.policies["open loop"]),
        "tree": measures.document(run.policy),
        "front": rows,
        "curve": run.metrics["closed_loop"],
    }


def main() -> None:
    """Read the words and do it."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("what", choices=("pack", "unpack", "adopt"))
    parser.add_argument("folder", type=Path)
    parser.add_argument("--runs", type=Path, help="finished runs, to adopt")
    words = parser.parse_args()
    if words.what == "adopt":
        if words.runs is None:
            parser.error("adopt needs --runs, a folder of finished runs")
        count = adopt(words.folder, words.runs)
    else:
        count = (pack if words.what == "pack" else unpack)(words.folder)
    print(f"{count} cells")


if __name__ == "__main__":
    main()
