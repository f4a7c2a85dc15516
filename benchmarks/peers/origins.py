"""The digest of the code and data that decide the cells of a contender on a task."""

import sys
from functools import cache
from pathlib import Path

from glasstree.digests import PACKAGE, WEIGHTS, digest, sources

from .rivals import CONTINUOUS, RIVALS

HERE = Path(__file__).parent
OURS, FLOOR, ORACLE = "glasstree", "random", "oracle"
TRACE = "trace"  # of glasstree: what it has after some seconds
PLAYED, FOLDED = ("measure.py",), ("tables.py",)
RUN = (PACKAGE / "pipeline.py", PACKAGE / "data" / "levels.py")
THEIRS = ("aggregate.py", "rivals/base.py", "rivals/forest.py", "rivals/printing.py")
# of glasstree: how users bring their own, how processes work, how files are kept. No cell of a
# shipped task hangs on them.
OTHERS = (
    *("caches.py", "clusters.py", "digests.py", "timeout.py", "files", "policy/sources"),
    *("policy/document.py", "tasks/own", "tasks/registry.py", "tasks/drawing.py"),
    *("tasks/intervals.py", "tasks/arms/bullet.py", "oracles/apart.py", "oracles/sb3.py"),
    *("oracles/onnx.py", "oracles/function.py", "oracles/guarded.py", "oracles/library.py"),
)
LANDER, ARMS = ("tasks/lunarlander.py", "tasks/lander"), ("tasks/arms",)
PLACES = {
    **{name: (f"tasks/{name}.py",) for name in ("cartpole", "carfollowing", "mountaincar")},
    "acrobot": ("tasks/acrobot.py",),
    "lunarlander": LANDER,
    "psm5": ARMS,
    "psm10": ARMS,
}


@cache
def code_of(rival: str, task: str) -> str:
    """Return the digest of what decides a cell.

    For glasstree that is the code of its runs, or of its classifier, and what measures it; for
    others what measures them, their own files, the task and its oracle.
    """
    measured = PLAYED if task in (*PLACES, *CONTINUOUS) else FOLDED
    files = [HERE / name for name in measured]
    if rival in (OURS, TRACE):
        own = "estimator.py" if measured == FOLDED else "readable.py"
        run = run_code(task) if measured == PLAYED else ""
        return digest({*deciding(task, *files, HERE / own), HERE / "ours.py"}, rival, run)
    if rival in RIVALS:
        files += [HERE / name for name in THEIRS]
        files.append(Path(str(sys.modules[RIVALS[rival].module].__file__)))
    return digest({*deciding(task, *files), *WEIGHTS.glob(f"{task}.npz")}, rival)


@cache
def run_code(task: str) -> str:
    """Return the digest of all that decides a run of glasstree on a task."""
    return digest({*deciding(task, *RUN), *WEIGHTS.glob(f"{task}.npz")})


def deciding(task: str, *files: Path) -> set[Path]:
    """Return files, and those of glasstree that they use and that may decide something."""
    return {path for path in sources(*files) if decides(path, task)}


def decides(path: Path, task: str) -> bool:
    """Tell whether a file may decide what happens on a task."""
    if not path.is_relative_to(PACKAGE):
        return True
    if task in CONTINUOUS:
        return True
    elsewhere = [place for name, places in PLACES.items() if name != task for place in places]
    idle = {*OTHERS, *elsewhere} - {*PLACES.get(task, ())}
    return not any(path.is_relative_to(PACKAGE / place) for place in idle)
