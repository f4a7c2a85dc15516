"""A run: a folder with its configuration, its data, each stage's policy and its figures."""

import tomllib
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from io import BytesIO
from pathlib import Path
from typing import Any, TypeVar

import numpy as np
import tomli_w

from glasstree.data.dataset import Dataset
from glasstree.errors import GlasstreeError, OptionError, RunError
from glasstree.files.writing import way_out, write_atomically, write_json
from glasstree.policy import PolicyTree, load
from glasstree.policy.arrays import Floats
from glasstree.policy.document import dumps
from glasstree.runs.clock import SECONDS, Clock
from glasstree.runs.locks import LOCK, FolderLock
from glasstree.runs.shapes import (
    Archive,
    Curve,
    FrontFigures,
    Lines,
    Metrics,
    Seconds,
    WeightSearch,
    read_config,
    read_json,
)

CONFIG = "config.toml"
CURVE = "curve.json"
STATE = "closed_loop.state.json"
PLAIN = "plain.json"
METRICS = "metrics.json"
REWARDS = "rewards.npz"
PAGE = "report.html"
ARCHIVE = "front.state.json"
FRONT_FIGURES = "front.json"
CONDITIONS = "conditions.json"
ROUNDS, CUTS, ROUNDED, FRONT = PARTS = "rounds", "cuts", "rounded", "front"
FILES = (
    *("train.npz", "test.npz", "open_loop.json", "closed_loop.json", "reengineered.json"),
    *(CURVE, STATE, PLAIN, ARCHIVE, FRONT_FIGURES, SECONDS),
    *("policy.json", METRICS, REWARDS, CONDITIONS, PAGE, CONFIG),
)
REWARD = ".reward.json"
SHAPES: dict[str, Any] = {
    CURVE: Curve,
    STATE: list[WeightSearch],
    PLAIN: Lines,
    REWARD: float,
    SECONDS: Seconds,
    METRICS: Metrics,
    ARCHIVE: Archive,
    FRONT_FIGURES: FrontFigures,
}
Kept = TypeVar("Kept")


class RunStore:
    """Keeps what stages make, and returns what an earlier, interrupted run kept.

    Without a folder nothing is kept. The folder of a new run begins with the first thing that
    is finished, its configuration beside it: what fails at once leaves no trace. In a with
    statement, such as that of distill, the folder is locked against other processes.

    >>> RunStore().policy("tree.json", lambda: "made anew")
    'made anew'
    """

    def __init__(
        self, folder: Path | None = None, config: str | None = None, overwrite: bool = False
    ) -> None:
        self.folder = folder
        self._config, self._overwrite = config, overwrite
        self._curve: dict[str, list[float]] = {"best": [], "mean": []}
        self._size: tuple[int, int] | None = None
        self._lock, self._users = None if folder is None else FolderLock(folder), 0
        self._clock = Clock(self._earlier())

    def __enter__(self) -> "RunStore":
        there = self.folder is not None and self.folder.is_dir()
        if self._lock is not None and there and (self._config is None or self._overwrite):
            with self._writing(self._lock.path):
                self._hold(self._lock)
        self._users += 1
        return self

    def __exit__(self, *_: object) -> None:
        self._users -= 1
        if self._lock is not None and not self._users:
            self._lock.release()

    @property
    def seconds(self) -> float:
        """What the run took so far, all of its parts together."""
        return self._clock.seconds()

    def dataset(self, name: str, make: Callable[[], Dataset]) -> Dataset:
        """Make a dataset, or load the kept one."""
        data = self._keep(name, make, Dataset.load, lambda data, path: data.save(path))
        self._check_fit(name, (data.states.shape[1], data.n_actions))
        return data

    def policy(self, name: str, make: Callable[[], PolicyTree]) -> PolicyTree:
        """Make a policy, or load the kept one."""
        tree = self._keep(
            name, make, load, lambda tree, path: write_atomically(path, dumps(tree).encode())
        )
        if self.folder is not None and tree.levels is None:  # of levels each tree has its own
            self._check_fit(name, (tree.n_variables, len(tree.action_names)))
        return tree

    def figures(self, name: str, make: Callable[[], Any]) -> Any:
        """Make plain figures, or load the kept ones."""
        return self._keep(name, make, _read, lambda value, path: write_json(path, value))

    def checkpoint(self, name: str) -> Any:
        """Return the state that a stage saved when it was interrupted, or None."""
        if self.folder is None or self._config is not None or not (self.folder / name).exists():
            return None
        return self._keep(name, lambda: None, _read, lambda *_: None)

    @contextmanager
    def restoring(self, name: str) -> Iterator[Any]:
        """Give the state of an interrupted stage, or None; refuse one that does not fit."""
        saved = self.checkpoint(name)
        try:
            yield saved
        except (KeyError, TypeError, ValueError, IndexError) as error:
            raise RunError(
                f"{self.folder}/{name} does not fit its run ({type(error).__name__}: {error}); "
                "remove it and go on with --resume"
            ) from None

    def curve(self) -> dict[str, list[float]]:
        """Return the best and mean reward of each closed-loop generation."""
        kept: dict[str, list[float]] = self.checkpoint(CURVE) or self._curve
        return kept

    def document(self, name: str, value: Any) -> None:
        """Keep plain figures."""
        if name == CURVE:
            self._curve = value
        if self.folder is not None:
            with self._writing(self.folder / name):
                self._begin(self.folder)
                write_json(self.folder / name, value)
                self._clock.note(self.folder, ended=name == METRICS)

    def arrays(self, name: str, arrays: Mapping[str, Floats]) -> None:
        """Keep arrays by name; a file that holds just these stays as it is."""
        if self.folder is None:
            return
        path, content = self.folder / name, BytesIO()
        np.savez(content, **arrays)  # type: ignore[arg-type]
        with self._writing(path):
            self._begin(self.folder)
            if not path.exists() or path.read_bytes() != content.getvalue():
                write_atomically(path, content.getvalue())

    def _keep(
        self,
        name: str,
        make: Callable[[], Kept],
        read: Callable[[Path], Kept],
        write: Callable[[Kept, Path], None],
    ) -> Kept:
        if self.folder is None:
            return make()
        path = self.folder / name
        if self._config is not None or not path.exists():
            made = make()
            with self._writing(path):
                self._begin(self.folder)
                write(made, path)
                self._clock.note(self.folder)
        try:
            return read(path)
        except GlasstreeError as error:
            raise RunError(f"{error}; remove {path} and go on with --resume") from None

    def _earlier(self) -> float:
        """Return the seconds of the parts before, which the figures of a finished run hold."""
        known = self.checkpoint(SECONDS)
        return float(known or (self.checkpoint(METRICS) or {}).get("seconds") or 0.0)

    def _check_fit(self, name: str, size: tuple[int, int]) -> None:
        """Refuse a part with other numbers of variables and actions than those before it."""
        self._size = self._size or size
        if self.folder is not None and size != self._size:
            path = self.folder / name
            raise RunError(
                f"{path} has {size[0]} variables and {size[1]} actions, other parts of the run "
                f"{self._size[0]} and {self._size[1]}; remove {path} and go on with --resume"
            )

    def _hold(self, lock: FolderLock) -> None:
        lock.acquire()
        _sweep(lock.folder)

    def _begin(self, folder: Path) -> None:
        if self._config is not None:
            if self._lock is not None and self._users:
                folder.mkdir(parents=True, exist_ok=True)
                self._hold(self._lock)
            if not self._overwrite and read_config(folder / CONFIG) is not None:
                raise RunError(in_the_way(folder))
            parts = (path for part in PARTS for path in (folder / part).glob("*.*"))
            for path in (*(folder / name for name in FILES), *parts):
                path.unlink(missing_ok=True)
            write_atomically(folder / CONFIG, self._config.encode())
            self._config = None

    @contextmanager
    def _writing(self, path: Path) -> Iterator[None]:
        try:
            yield
        except OSError as error:
            reason = error.strerror or str(error)
            raise RunError(
                f"cannot write {path}: {reason}; what was finished is kept: "
                f"{way_out(error)}, and go on with --resume"
            ) from error


def open_store(
    folder: str | Path, config: Mapping[str, Any], *, resume: bool = False, overwrite: bool = False
) -> RunStore:
    """Return the store of a new run, or that of an interrupted one.

    Overwriting removes what a run writes and nothing else.
    """
    path = Path(folder)
    FolderLock(path).check()
    known = read_config(path / CONFIG)
    text = tomli_w.dumps(dict(config))
    if resume and overwrite:
        raise OptionError("--resume goes on with a run and --overwrite replaces it; choose one")
    if resume and known is None:
        raise RunError(nothing_to_resume(path))
    if resume and known != tomllib.loads(text):
        raise RunError(
            f"{path} was started with other options; resume it with the same ones "
            f"(see {path / CONFIG}) or with none, or choose another folder with --out"
        )
    if resume:
        return RunStore(path)
    taken = path.exists() and (not path.is_dir() or any(map(_counts, path.iterdir())))
    if taken and known is None:
        raise RunError(f"{path} exists already and is not a run; choose another folder with --out")
    if taken and not overwrite:
        raise RunError(in_the_way(path))
    return RunStore(path, text, overwrite)


def nothing_to_resume(folder: Path) -> str:
    """Say that a folder holds no run."""
    return f"{folder} holds no run to resume; start one without --resume"


def in_the_way(folder: Path) -> str:
    """Say that a folder holds a run already."""
    return (
        f"{folder} exists already; continue it with --resume, replace it with --overwrite, or "
        "choose another folder with --out"
    )


def _counts(entry: Path) -> bool:
    """Tell whether an entry of a folder is more than what a killed run left behind."""
    return entry.name != LOCK and not _is_half_written(entry)


def _is_half_written(entry: Path) -> bool:
    name, _, ending = entry.name[1:].rpartition(".")
    return entry.name.startswith(".") and name in FILES and len(ending) == 8


def _sweep(folder: Path) -> None:
    """Remove what a killed run left half-written beside its files."""
    parts = (path for part in PARTS for path in folder.glob(f"{part}/.[0-9]*.*.????????"))
    for path in (*filter(_is_half_written, folder.iterdir()), *parts):
        path.unlink(missing_ok=True)


def _read(path: Path) -> Any:
    name = REWARD if path.name.endswith(REWARD) else path.name
    return read_json(path, SHAPES.get(name, Any))
