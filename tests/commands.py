"""What a command leaves behind."""

from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True)
class Answer:
    """What a command left behind."""

    code: int
    out: str
    err: str

    @property
    def sentence(self) -> str:
        """The last line on standard error."""
        return self.err.strip().splitlines()[-1]


Command = Callable[..., Answer]
