"""Digests of the source files that decide something: a compiled kernel, a measured result."""

import hashlib
import re
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path

PACKAGE = Path(__file__).parent
NAMED = re.compile(r"\bglasstree((?:\.\w+)+)")
WEIGHTS = PACKAGE / "oracles" / "weights"
IDLE = {PACKAGE / name for name in ("cli", "errors.py", "progress.py")}  # decide no result
IMPORTED = re.compile(r"^\s*from glasstree([.\w]*) import (\([^)]*\)|.*)", re.MULTILINE)


def digest(files: Iterable[Path], *words: object) -> str:
    """Return a short digest of what files contain, wherever they lie, and of some words."""
    contents = sorted(f"{path.name} {_content(path)}" for path in set(files))
    text = "\n".join([*contents, *map(str, words)])
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def code_and_data(*files: Path) -> str:
    """Return the digest of all that decides what files measure: code, and the shipped oracles."""
    return digest({*sources(*files), *WEIGHTS.glob("*.npz")})


def sources(*files: Path) -> set[Path]:
    """Return files with all files of this package that they import, directly or not.

    >>> sorted(path.name for path in sources(PACKAGE / "policy" / "scaling.py"))
    ['arrays.py', 'scaling.py']
    """
    found: set[Path] = set()
    waiting = list(files)
    while waiting:
        path = waiting.pop()
        if path not in found:
            found.add(path)
            waiting += _imports(path)
    return found


@cache
def _content(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


@cache
def _imports(path: Path) -> tuple[Path, ...]:
    """Return the files of this package that a file names: its imports, or more."""
    names = set(_names(path.read_text(encoding="utf-8")))
    places = (place for place in map(_place, names) if place is not None)
    return tuple(place for place in places if IDLE.isdisjoint((place, *place.parents)))


def _names(text: str) -> Iterator[tuple[str, ...]]:
    for dotted in NAMED.findall(text):
        yield tuple(dotted.split(".")[1:])
    for dotted, names in IMPORTED.findall(text):
        for name in re.findall(r"\w+", names):
            yield (*dotted.split(".")[1:], name)


@cache
def _place(parts: tuple[str, ...]) -> Path | None:
    """Return the file of a dotted name inside this package: a module, or what a module holds."""
    for length in range(len(parts), 0, -1):
        place = PACKAGE.joinpath(*parts[:length])
        for path in (place.with_name(f"{place.name}.py"), place / "__init__.py"):
            if path.exists():
                return path
    return None
