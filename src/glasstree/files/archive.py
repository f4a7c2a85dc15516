"""Array files are read only after their sizes were checked, and never unpickled."""

from math import prod
from pathlib import Path
from typing import IO, Any
from zipfile import BadZipFile, ZipFile, ZipInfo

import numpy as np
from numpy.typing import NDArray

MOST_NUMBERS = 1 << 26  # in a file of arrays or a table: half a GiB

HEADERS = {(1, 0): np.lib.format.read_array_header_1_0, (2, 0): np.lib.format.read_array_header_2_0}


def read_archive(path: str | Path) -> dict[str, NDArray[Any]]:
    """Return the arrays of an .npz file; OSError or ValueError say what is wrong with it."""
    with Path(path).open("rb") as file:
        try:
            _check(file)
            file.seek(0)
            with np.load(file, allow_pickle=False) as archive:
                return {name: archive[name] for name in archive.files}
        except OSError:
            raise
        except BadZipFile:
            raise ValueError("it is not an .npz archive, or it is truncated") from None
        except Exception as error:  # damaged archives raise a dozen unrelated kinds
            raise ValueError(str(error) or type(error).__name__) from None


def _check(file: IO[bytes]) -> None:
    with ZipFile(file) as archive:
        members = archive.infolist()
        if sum(member.file_size for member in members) > 8 * MOST_NUMBERS:
            raise ValueError(_too_large())
        if sum(_numbers(archive, member) for member in members) > MOST_NUMBERS:
            raise ValueError(_too_large())


def _numbers(archive: ZipFile, member: ZipInfo) -> int:
    """Return how many numbers the header of an array announces."""
    with archive.open(member) as content:
        version = np.lib.format.read_magic(content)
        if version not in HEADERS:
            raise ValueError(f"{member.filename} has an unknown version")
        shape, _, kind = HEADERS[version](content)
    if kind.hasobject:
        raise ValueError(f"{member.filename} holds Python objects, which are never loaded")
    count = prod(shape)
    if count * kind.itemsize > member.file_size:
        raise ValueError(f"{member.filename} announces more than it holds")
    return count


def _too_large() -> str:
    return f"it holds more than {MOST_NUMBERS:,} numbers"
