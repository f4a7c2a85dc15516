"""On the first run after an installation, a second process compiles what is needed later."""

import os
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from importlib import import_module
from pathlib import Path
from types import ModuleType

import glasstree
from glasstree import progress

# what learning needs after other kernels, which the command itself compiles meanwhile
LEARNING = ("glasstree.openloop.upper.relaxation",)
STARTED: list[subprocess.Popen[bytes]] = []  # never waited for: they end by themselves


def compiling_ahead(tasks: Sequence[str]) -> Callable[[progress.Event], None]:
    """Return a listener that starts the second process once, at the first kernel it hears of.

    The two meet in the cache: whoever comes second to a kernel waits for it and reads it there.
    """
    waiting = os.cpu_count() != 1

    def hear(event: progress.Event) -> None:
        nonlocal waiting
        if not waiting or not isinstance(event, progress.Compiling):
            return
        waiting = False
        words = [sys.executable, "-P", "-m", __name__, *tasks]
        nowhere = subprocess.DEVNULL
        with suppress(OSError):  # then the command compiles everything
            STARTED.append(subprocess.Popen(words, stdin=nowhere, stdout=nowhere, stderr=nowhere))

    return hear


def main(tasks: list[str]) -> None:
    """Import what learning needs, then what proves loops of the tasks."""
    with bare("glasstree.openloop"):
        for name in LEARNING:
            import_module(name)
    from glasstree.prove.loops import PROVERS

    for task in tasks:
        if task in PROVERS:
            import_module(PROVERS[task].partition(":")[0])


@contextmanager
def bare(package: str) -> Iterator[None]:
    """Import modules of a package alone: with it come all others, in the order of the command."""
    module = ModuleType(package)
    module.__path__ = [str(Path(glasstree.__file__).parent / package.rpartition(".")[2])]
    sys.modules[package] = module
    try:
        yield
    finally:
        del sys.modules[package]


if __name__ == "__main__":
    main(sys.argv[1:])
