"""A note beside the folder of a run: the digest of the code that made it."""

from pathlib import Path

from .origins import run_code


def note_of(folder: Path) -> Path:
    """Return the note beside a folder."""
    return folder.with_name(f"{folder.name}.code")


def begin(folder: Path, task: str) -> None:
    """Note the code of a run that begins; one that goes on by other code loses its note."""
    note, code = note_of(folder), run_code(task)
    if not (folder / "config.toml").exists():
        note.parent.mkdir(parents=True, exist_ok=True)
        note.write_text(f"{code}\n")
    elif not is_noted(folder, task):
        note.unlink(missing_ok=True)


def is_noted(folder: Path, task: str) -> bool:
    """Tell whether a run is known to be by the code that is here."""
    note = note_of(folder)
    return note.exists() and note.read_text().strip() == run_code(task)
