"""How long a run took, all of its parts together: what was spent before a stop is kept."""

from pathlib import Path
from time import perf_counter

from glasstree.files.writing import write_json

SECONDS = "seconds.json"
BETWEEN = 1.0  # seconds between two notes, at least


class Clock:
    """Counts the seconds of a run from when it is made, beside those of earlier parts.

    >>> Clock().seconds() < 1.0
    True
    """

    def __init__(self, earlier: float = 0.0) -> None:
        self._earlier, self._started = earlier, perf_counter()
        self._noted = self._started

    def seconds(self) -> float:
        """Return what all parts took so far."""
        return self._earlier + perf_counter() - self._started

    def note(self, folder: Path, ended: bool = False) -> None:
        """Keep that in the folder of the run, now and then; figures hold it once it has ended."""
        if ended:
            (folder / SECONDS).unlink(missing_ok=True)
        elif perf_counter() - self._noted >= BETWEEN:
            write_json(folder / SECONDS, self.seconds())
            self._noted = perf_counter()
