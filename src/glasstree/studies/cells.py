"""Measured cells on disk: one JSON file each, with the digest of the code that made it."""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from glasstree.policy.document import write_atomically

Document = dict[str, Any]


@dataclass(frozen=True)
class CellStore:
    """A folder of cells; a finished one is written at once, so that nothing is done twice."""

    folder: Path

    def path(self, name: str) -> Path:
        """Return the file of a cell."""
        return self.folder / f"{name}.json"

    def read(self, name: str) -> Document:
        """Return what is kept of a cell: nothing where its file is missing or damaged."""
        try:
            document = json.loads(self.path(name).read_text(encoding="utf-8"))
        except (OSError, ValueError):
            return {}
        return document if isinstance(document, dict) else {}

    def keep(self, name: str, code: str, found: Mapping[str, Any]) -> Document:
        """Write what was found and the code that found it; return it as it will be read."""
        text = json.dumps({"code": code, **found}, allow_nan=False) + "\n"
        write_atomically(self.path(name), text.encode())
        document: Document = json.loads(text)
        return document

    def names(self) -> Iterator[str]:
        """Yield the names of all cells that are kept, in order."""
        for path in sorted(self.folder.rglob("[!.]*.json")):
            yield path.relative_to(self.folder).with_suffix("").as_posix()


def is_made_by(code: str, document: Mapping[str, Any]) -> bool:
    """Tell whether a cell was measured, and by the code of a digest."""
    return document.get("code") == code
