"""Where compiled kernels are kept: a folder for each state of the sources that decide them."""

import os
import platform
import shutil
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from functools import cache
from pathlib import Path
from threading import RLock
from time import time
from typing import Any

import llvmlite
import numba
import numpy as np
from numba.core.dispatcher import Dispatcher
from numba.core.registry import cpu_target
from numba.misc.appdirs import AppDirs

from glasstree import progress
from glasstree.digests import PACKAGE, digest, sources

fcntl: Any = None
with suppress(ImportError):  # Windows has none; then a kernel may be compiled twice
    import fcntl

Function = Callable[..., Any]
STARTED = time()  # sources that are younger belong to other code than what runs
USER = getattr(os, "getuid", int)()
NAME = f"kernels-{USER}-"
UNUSED_SECONDS = 7 * 24 * 3600.0  # a week; then the kernels of older code go
NO_LINKS = getattr(os, "O_NOFOLLOW", 0)
WAY_OUT = "set NUMBA_CACHE_DIR to a folder that can be written and stays"
_alone = RLock()


def folder_for(python: Function) -> Path | None:
    """Return the cache folder of a kernel, or None if it cannot be cached.

    Kernels whose sources changed after they were loaded are not cached.
    """
    own = _files(python)
    if not all(path.is_file() for path in own):
        return None
    files = sources(*own)
    base = _base(numba.config.CACHE_DIR)
    if base is None or max(path.stat().st_mtime for path in files) > STARTED:
        return None
    folder = base / f"{NAME}{digest(files, *_compiler())}"
    if not folder.exists():
        _remove_unused(base)
        folder.mkdir(exist_ok=True)
    os.utime(folder)
    return folder


def holds(folder: Path, python: Function) -> bool:
    """Tell whether a kernel is cached in a folder."""
    code, name = python.__code__, python.__qualname__.replace("<", "").replace(">", "")
    stem = Path(code.co_filename).stem
    return any(folder.glob(f"*/{stem}.{name}-{code.co_firstlineno}.*.nbc"))


@contextmanager
def one_at_a_time(folder: Path, python: Function) -> Iterator[None]:
    """Wait for another process that compiles the same kernel, so that it can be read instead."""
    with ExitStack() as stack:
        with suppress(OSError):  # a file system without locks
            name = f"{python.__name__}-{python.__code__.co_firstlineno}.lock"
            handle = os.open(folder / name, os.O_RDWR | os.O_CREAT | NO_LINKS, 0o600)
            stack.callback(os.close, handle)
            if fcntl is not None:
                fcntl.flock(handle, fcntl.LOCK_EX)
        yield


@contextmanager
def keeping_in(folder: Path) -> Iterator[None]:
    """Let numba cache in a folder what is compiled in the block."""
    with _alone:
        usual, numba.config.CACHE_DIR = numba.config.CACHE_DIR, str(folder)
        try:
            yield
        finally:
            numba.config.CACHE_DIR = usual


def _files(python: Function) -> set[Path]:
    """Return the files of a function and of all kernels that it may call."""
    functions, waiting = {python}, [python]
    while waiting:
        known = [v.py_func for v in waiting.pop().__globals__.values() if isinstance(v, Dispatcher)]
        waiting += [function for function in known if function not in functions]
        functions.update(known)
    return {Path(function.__code__.co_filename) for function in functions}


@cache
def _compiler() -> tuple[object, ...]:
    processor = cpu_target.target_context.codegen().magic_tuple()
    versions = (numba.__version__, llvmlite.__version__, np.__version__)
    return (*versions, sys.version, platform.machine(), processor)


@cache
def _base(chosen: str) -> Path | None:
    """Return the first place that can be written: chosen, beside the package, the user's, any."""
    places = [PACKAGE / "__pycache__", Path(AppDirs("glasstree", appauthor=False).user_cache_dir)]
    if chosen:
        places.insert(0, Path(chosen).absolute() / "glasstree")
    for place in places:
        if place.is_absolute() and _writable(place):
            return place
    last = _temporary()
    words = "can be kept nowhere" if last is None else f"are kept in {last} for now"
    progress.emit(progress.Note(f"compiled kernels {words}; {WAY_OUT}"))
    return last


def _writable(place: Path) -> bool:
    try:
        place.mkdir(parents=True, exist_ok=True)
        tempfile.TemporaryFile(dir=place).close()
    except OSError:
        return False
    return True


def _temporary() -> Path | None:
    """Return a temporary folder that nobody else can write, the same one in every process."""
    try:
        place = Path(tempfile.gettempdir()) / f"glasstree-{USER}"
        place.mkdir(mode=0o700, exist_ok=True)
        found = place.lstat()
        ours = not place.is_symlink() and getattr(found, "st_uid", USER) == USER
        return place if ours and not found.st_mode & 0o022 and _writable(place) else None
    except OSError:
        return None


def _remove_unused(base: Path) -> None:
    for folder in base.glob(f"{NAME}*"):
        with suppress(OSError):
            if time() - folder.stat().st_mtime > UNUSED_SECONDS:
                shutil.rmtree(folder)
