"""conditions.json: how the policies of a run held up where things were not as they were."""

from collections.abc import Mapping, Sequence
from math import prod
from pathlib import Path
from typing import TYPE_CHECKING, Any

from glasstree.errors import RunError
from glasstree.files.writing import write_json
from glasstree.runs.locks import FolderLock
from glasstree.runs.shapes import Measured, read_config, read_json
from glasstree.runs.store import CONDITIONS, CONFIG

if TYPE_CHECKING:
    from glasstree.report import Held

# what tells entries apart; another measurement of the same takes the place of the earlier one
SAME = ("policy", "vary", "noise", "delay", "sticky", "episodes", "seed")


def run_around(policy: str | Path) -> Path | None:
    """Return the folder of the run that a policy file lies in, if it lies in one."""
    folder = Path(policy).parent
    for place in (folder, folder.parent):
        if read_config(place / CONFIG) is not None:
            return place
    return None


def measured_in(folder: Path) -> list[dict[str, Any]]:
    """Return what was measured of a run's policies, in the order in which it came."""
    path = folder / CONDITIONS
    if not path.exists():
        return []
    try:
        rows: list[dict[str, Any]] = read_json(path, list[Measured])
    except RunError as error:
        raise RunError(f"{error}; remove {path} and measure again") from None
    for row in rows:
        if len(row["settings"]) != prod(map(len, row["vary"].values())):
            raise RunError(f"{path} is damaged: settings are missing; remove it and measure again")
    return rows


def add_measured(folder: Path, rows: Sequence[Mapping[str, Any]]) -> Path:
    """Keep what was measured beside what was measured before; return where."""
    lock = FolderLock(folder)
    try:
        lock.acquire()
        kept = {_key(row): row for row in [*measured_in(folder), *rows]}
        write_json(folder / CONDITIONS, list(kept.values()))
    except OSError as error:
        reason = error.strerror or str(error)
        raise RunError(f"cannot write {folder / CONDITIONS}: {reason}") from None
    finally:
        lock.release()
    return folder / CONDITIONS


def held_in(folder: Path) -> "tuple[Held, ...]":
    """Return what was measured as a page tells it."""
    from glasstree.report import Held

    return tuple(
        Held(
            policy=row["policy"],
            worse=in_words(row),
            vary={name: tuple(values) for name, values in row["vary"].items()},
            episodes=row["episodes"],
            seed=row["seed"],
            figures=tuple(row["settings"]),
        )
        for row in measured_in(folder)
    )


def in_words(row: Mapping[str, Any]) -> str:
    """Say what is made worse.

    >>> in_words({"noise": 0.1, "delay": 2, "sticky": 0.0})
    'noise 0.1, delay 2'
    """
    return ", ".join(
        f"{name} {row[name]:g}" for name in ("noise", "delay", "sticky") if row.get(name)
    )


def _key(row: Mapping[str, Any]) -> str:
    return repr([row[name] for name in SAME])
