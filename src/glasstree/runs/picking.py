"""Which policy of a front is picked, and picking another one in a finished run."""

import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from glasstree.errors import OptionError, RunError
from glasstree.files.writing import write_atomically, write_json
from glasstree.runs.locks import FolderLock
from glasstree.runs.shapes import Figures, FrontFigures, Metrics, read_json

DEFAULT, BEST, SIMPLEST = PICKS = ("default", "best", "simplest")
CHOSEN = "chosen"
FIGURES = Figures.__struct_fields__
SIZES = ("complexity", "rules", "rule_length", "depth")
PLACE = re.compile(r'(<script type="application/json" id="chosen">)\d+(</script>)')


def check_pick(which: str | int) -> None:
    """Refuse words that choose no policy."""
    if which not in PICKS and not str(which).isdecimal():
        raise OptionError(
            f"cannot pick {which!r}; pick {', '.join(PICKS)}, or give the most symbols, like 15"
        )


def picked(sizes: Sequence[int], worths: Sequence[float], bar: float, which: str | int) -> int:
    """Return the place of the policy that is picked; sizes, in symbols, grow along a front.

    The default is the least complex one that reaches the bar, or the best if none does.

    >>> picked([1, 9, 17], [0.0, 8.0, 9.0], 7.5, "default")
    1
    >>> picked([1, 9, 17], [0.0, 8.0, 9.0], 7.5, "best")
    2
    """
    check_pick(which)
    best = max(range(len(worths)), key=worths.__getitem__)
    if which == BEST:
        return best
    if which == SIMPLEST:
        return 0
    if which == DEFAULT:
        return next((place for place, worth in enumerate(worths) if worth >= bar), best)
    within = [place for place, size in enumerate(sizes) if size <= int(which)]
    if not within:
        raise OptionError(
            f"no policy has at most {which} symbols; the simplest has {sizes[0]}: pick simplest"
        )
    return max(within, key=worths.__getitem__)


def pick(folder: Path, which: str | int) -> dict[str, Any]:
    """Pick another policy of the front: rewrite policy.json, metrics.json and the page."""
    check_pick(which)
    path = folder / "front.json"
    if not path.exists():
        raise RunError(
            f"{folder} has no front to pick from; finish the run with --resume, or begin one "
            "without --recipe paper"
        )
    if not (folder / "metrics.json").exists():
        raise RunError(f"{folder} is not finished; continue it with --resume, then pick")
    front = read_json(path, FrontFigures)
    rows = front["policies"]
    place = picked(
        [row["complexity"] for row in rows], [row["worth"] for row in rows], front["bar"], which
    )
    lock = FolderLock(folder)
    lock.acquire()
    try:
        _take(folder, rows[place])
    finally:
        lock.release()
    return dict(rows[place])


def _agreement(folder: Path, policy: Path) -> dict[str, float]:
    """Return how often a policy does what the oracle did, where the run kept states for that."""
    from glasstree.data.dataset import Dataset
    from glasstree.policy import load
    from glasstree.runs.reading import config_of

    if not (folder / "test.npz").exists():
        return {}
    test = Dataset.load(folder / "test.npz")
    return {"agreement": test.agreement(load(policy), config_of(folder).words().get("levels"))}


def _take(folder: Path, row: dict[str, Any]) -> None:
    """Put a policy of the front in the place of the final one."""
    chosen = folder / f"front/{row['complexity']:03d}.json"
    if not chosen.exists():
        raise RunError(f"{chosen} is missing; remove {folder / 'front.json'}, go on with --resume")
    policy = chosen.read_bytes()
    metrics = read_json(folder / "metrics.json", Metrics)
    figures = {name: row[name] for name in FIGURES}
    metrics |= figures | {name: row[name] for name in SIZES}
    metrics["stages"] = metrics["stages"] | {CHOSEN: figures}
    known = metrics.get("agreements", {}).get(str(row["complexity"]))
    metrics |= _agreement(folder, chosen) if known is None else {"agreement": known}
    page = folder / "report.html"
    if page.exists():
        text = page.read_text(encoding="utf-8")
        write_atomically(page, PLACE.sub(rf"\g<1>{row['complexity']}\g<2>", text).encode())
    write_json(folder / "metrics.json", metrics)
    write_atomically(folder / "policy.json", policy)
