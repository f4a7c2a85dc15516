"""A folder is written by one process at a time; whoever is killed lets go of it."""

import os
from contextlib import suppress
from pathlib import Path
from typing import Any

from glasstree.errors import RunError

fcntl: Any = None
with suppress(ImportError):  # Windows has none, and runs there are not locked
    import fcntl

LOCK = ".lock"


class FolderLock:
    """A lock on a folder: a file in it while it is held, with the process that holds it."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.path = folder, folder / LOCK
        self._handle: int | None = None

    def acquire(self) -> None:
        """Take the lock, or name the process that has it."""
        while fcntl is not None and self._handle is None:
            handle = os.open(self.path, os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW, 0o666)
            try:
                self._check(handle)
                if os.path.samestat(os.fstat(handle), self.path.lstat()):
                    os.ftruncate(handle, 0)
                    os.write(handle, f"{os.getpid()} {_machine()}".encode())
                    self._handle = handle
            except FileNotFoundError:
                pass
            finally:
                if self._handle is None:
                    os.close(handle)

    def check(self) -> None:
        """Refuse a folder in which another process is at work."""
        with suppress(OSError):
            handle = os.open(self.path, os.O_RDWR | os.O_NOFOLLOW)
            try:
                self._check(handle)
            finally:
                os.close(handle)

    def release(self) -> None:
        """Let go, and leave nothing behind."""
        if self._handle is not None:
            self.path.unlink(missing_ok=True)
            os.close(self._handle)
            self._handle = None

    def _check(self, handle: int) -> None:
        try:
            if fcntl is not None:
                fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise RunError(
                f"{_owner(handle)} is at work in {self.folder}; wait until it ends, or choose "
                "another folder with --out"
            ) from None
        except OSError:  # a file system without locks
            return


def _owner(handle: int) -> str:
    """Name the process that wrote itself into a lock."""
    number, _, machine = os.pread(handle, 100, 0).decode(errors="replace").partition(" ")
    if not number.isdecimal():
        return "another process"
    return f"process {number}" if machine == _machine() else f"process {number} on {machine}"


def _machine() -> str:
    return os.uname().nodename
