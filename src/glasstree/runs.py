"""A run: a folder with its configuration, its data, each stage's policy and its figures."""

import json
import shutil
import tomllib
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, TypeVar

import tomli_w

from glasstree.closedloop import Reoptimised
from glasstree.data import Dataset
from glasstree.errors import RunError
from glasstree.policy import PolicyTree, load
from glasstree.policy.document import dumps, write_atomically

CONFIG = "config.toml"
Kept = TypeVar("Kept")


class Keeper:
    """Keeps what stages make, and returns what an earlier, interrupted run kept.

    Without a folder nothing is kept.

    >>> Keeper().policy("tree.json", lambda: "made anew")
    'made anew'
    """

    def __init__(self, folder: Path | None = None) -> None:
        self.folder = folder

    def dataset(self, name: str, make: Callable[[], Dataset]) -> Dataset:
        """Make a dataset, or load the kept one."""
        return self._keep(name, make, Dataset.load, lambda data, path: data.save(path))

    def policy(self, name: str, make: Callable[[], PolicyTree]) -> PolicyTree:
        """Make a policy, or load the kept one."""
        return self._keep(
            name, make, load, lambda tree, path: write_atomically(path, dumps(tree).encode())
        )

    def reoptimised(self, make: Callable[[], Reoptimised]) -> Reoptimised:
        """Re-optimise a policy, or load the kept one with its training curve."""
        made: list[Reoptimised] = []

        def tree() -> PolicyTree:
            made.append(make())
            self.document("curve.json", {"best": made[0].best, "mean": made[0].mean})
            return made[0].tree

        kept = self.policy("closed_loop.json", tree)
        if self.folder is None:
            return made[0]
        curve = _read_json(self.folder / "curve.json")
        return Reoptimised(kept, curve["best"], curve["mean"])

    def document(self, name: str, value: Any) -> None:
        """Keep plain figures."""
        if self.folder is not None:
            write_json(self.folder / name, value)

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
        if not path.exists():
            write(make(), path)
        return read(path)


def open_run(
    folder: str | Path, config: Mapping[str, Any], *, resume: bool = False, overwrite: bool = False
) -> Keeper:
    """Make the folder of a new run, or open that of an interrupted one."""
    path = Path(folder)
    ours = (path / CONFIG).is_file()
    text = tomli_w.dumps(dict(config))
    if resume and not ours:
        raise RunError(f"{path} holds no run to resume; start one without --resume")
    if resume:
        try:
            known = tomllib.loads((path / CONFIG).read_text())
        except tomllib.TOMLDecodeError as error:
            raise RunError(
                f"{path / CONFIG} is damaged: {error}; start again with --overwrite"
            ) from None
        if known != tomllib.loads(text):
            raise RunError(
                f"{path} was started with other options; resume it with the same ones "
                f"(see {path / CONFIG}) or choose another folder with --out"
            )
        return Keeper(path)
    if path.exists() and (not path.is_dir() or any(path.iterdir())):
        if not (overwrite and ours):
            hint = "continue it with --resume, replace it with --overwrite, or " if ours else ""
            raise RunError(f"{path} exists already; {hint}choose another folder with --out")
        shutil.rmtree(path)
    path.mkdir(parents=True, exist_ok=True)
    write_atomically(path / CONFIG, text.encode())
    return Keeper(path)


def write_json(path: Path, value: Any) -> None:
    """Write plain values as indented JSON."""
    write_atomically(path, (json.dumps(value, indent=2, allow_nan=False) + "\n").encode())


def _read_json(path: Path) -> Any:
    try:
        return json.loads(path.read_text())
    except ValueError as error:
        raise RunError(f"{path} is damaged: {error}; remove it and resume") from None
