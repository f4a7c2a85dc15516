"""The digest of the code and data that decide the cells of a contender."""

import sys
from functools import cache
from pathlib import Path

from glasstree.digests import code_and_data

from .ours import STAGES
from .rivals import RIVALS

HERE = Path(__file__).parent
ALL = ("measure.py", "tables.py")
THEIRS = ("aggregate.py", "rivals/base.py", "rivals/forest.py")


@cache
def code_of(rival: str) -> str:
    """Return the digest of what measures a contender, of its own files here, and of glasstree."""
    files = [HERE / name for name in ALL]
    if rival in STAGES:
        files.append(HERE / "ours.py")
    elif rival in RIVALS:
        files += [HERE / name for name in THEIRS]
        files.append(Path(str(sys.modules[RIVALS[rival].fit.__module__].__file__)))
    return code_and_data(*files)
