"""Files are written whole or not at all; devices and pipes are written through."""

import contextlib
import errno
import json
import os
import secrets
import stat
import sys
from pathlib import Path
from typing import Any

STANDARD = (1, 2)  # output and error
FULL = (errno.ENOSPC, errno.EDQUOT)
CLOSED = (errno.EACCES, errno.EPERM, errno.EROFS)


def way_out(error: OSError) -> str:
    """Say what helps where a file cannot be written."""
    if error.errno in FULL:
        return "make room"
    return "get the right to write there" if error.errno in CLOSED else "mend that"


def write_atomically(path: str | Path, content: bytes) -> None:
    """Write beside the target and move into place; a link stays, its target is replaced.

    A new file has the rights that the umask leaves, a replaced one keeps its own.
    """
    old = _status(path)
    if old is None or stat.S_ISREG(old.st_mode):
        handle = _standard_stream(old)
        if handle is None:
            _replace(Path(os.path.realpath(path)), content, old)
        else:
            _write_on(handle, content)
    elif stat.S_ISFIFO(old.st_mode) or stat.S_ISCHR(old.st_mode):
        _write_through(path, content, old)
    elif stat.S_ISDIR(old.st_mode):
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), str(path))
    else:
        raise OSError(errno.EINVAL, "is neither a file nor a pipe", str(path))


def write_json(path: Path, value: Any) -> None:
    """Write plain values as indented JSON."""
    write_atomically(path, (json.dumps(value, indent=2, allow_nan=False) + "\n").encode())


def _status(path: str | Path) -> os.stat_result | None:
    try:
        return Path(path).stat()
    except FileNotFoundError:
        return None


def _standard_stream(status: os.stat_result | None) -> int | None:
    """Return the standard stream that a file is, if it is one."""
    for handle in STANDARD if status else ():
        with contextlib.suppress(OSError):
            if status and os.path.samestat(status, os.fstat(handle)):
                return handle
    return None


def _write_through(path: str | Path, content: bytes, status: os.stat_result) -> None:
    handle = _standard_stream(status)
    if handle is not None:
        _write_on(handle, content)
    else:
        with Path(path).open("wb", buffering=0) as file:
            _write_all(file.fileno(), content)


def _write_on(handle: int, content: bytes) -> None:
    """Write to a standard stream after what was printed to it before."""
    sys.stdout.flush()
    sys.stderr.flush()
    _write_all(handle, content)


def _write_all(handle: int, content: bytes) -> None:
    rest = memoryview(content)
    while rest:
        rest = rest[os.write(handle, rest) :]


def _replace(target: Path, content: bytes, old: os.stat_result | None) -> None:
    target.parent.mkdir(parents=True, exist_ok=True)
    beside = target.with_name(f".{target.name}.{secrets.token_hex(4)}")
    handle = os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o666)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(content)
            file.flush()
            if old is not None:
                with contextlib.suppress(PermissionError):
                    os.fchown(file.fileno(), old.st_uid, old.st_gid)
                os.fchmod(file.fileno(), stat.S_IMODE(old.st_mode))
            os.fsync(file.fileno())
        beside.replace(target)
    except BaseException:
        beside.unlink(missing_ok=True)
        raise
