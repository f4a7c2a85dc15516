"""Typed events; consoles and reports are listeners.

The library never prints. Whoever wants to see long work registers a listener:

>>> seen = []
>>> with listening(seen.append):
...     emit(Stage("open loop"))
>>> seen
[Stage(name='open loop', total=None)]
"""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from time import monotonic

PAUSE = 2.0  # seconds between two lines about one stage, at least


@dataclass(frozen=True)
class Compiling:
    """A kernel is compiled, which happens once per installation."""

    kernel: str


@dataclass(frozen=True)
class Stage:
    """A stage begins; total is its number of advances where known."""

    name: str
    total: int | None = None


@dataclass(frozen=True)
class Advance:
    """One step of the current stage is done, with the figures that matter."""

    stage: str
    step: int
    figures: dict[str, float]


@dataclass(frozen=True)
class Found:
    """The front of the search so far: symbols, mean reward and first rule of each policy."""

    front: tuple[tuple[int, float, str], ...]


@dataclass(frozen=True)
class Note:
    """One sentence that the user should read."""

    text: str


Event = Compiling | Stage | Advance | Found | Note
Listener = Callable[[Event], None]

_listeners: ContextVar[tuple[Listener, ...]] = ContextVar("listeners", default=())


def emit(event: Event) -> None:
    """Tell everybody who listens to this thread's work."""
    for listener in _listeners.get():
        listener(event)


def anybody_listens() -> bool:
    """Tell whether it is worth the work to say something."""
    return bool(_listeners.get())


@contextmanager
def listening(listener: Listener) -> Iterator[None]:
    """Send events to a listener while the block runs."""
    with _told((*_listeners.get(), listener)):
        yield


@contextmanager
def silence() -> Iterator[None]:
    """Send no events to anybody while the block runs: it is a detail of larger work."""
    with _told(()):
        yield


@contextmanager
def printing(wanted: bool | None = None) -> Iterator[None]:
    """Print events to standard error while the block runs, unless somebody listens already.

    Where nothing is said, they are printed in a terminal and in a notebook.
    """
    seen = (sys.stderr.isatty() or "ipykernel" in sys.modules) if wanted is None else wanted
    if not seen or anybody_listens():
        yield
        return
    with listening(Lines().hear):
        yield


class Lines:
    """A listener that prints a line now and then, with about how long the stage will take."""

    def __init__(self) -> None:
        self.total: int | None = None
        self.began = self.told = monotonic()

    def hear(self, event: Event) -> None:
        """Print an event, if none was printed a moment ago."""
        if isinstance(event, Note):
            print(event.text, file=sys.stderr, flush=True)
        elif isinstance(event, Stage):
            self.total, self.began = event.total, monotonic()
            print(f"{event.name} ...", file=sys.stderr, flush=True)
        elif isinstance(event, Advance) and monotonic() - self.told >= PAUSE:
            self.told = monotonic()
            print(self._line(event), file=sys.stderr, flush=True)

    def _line(self, event: Advance) -> str:
        figures = "".join(f"  {name} {value:,.5g}" for name, value in event.figures.items())
        if not self.total or not event.step:
            return f"{event.stage}: {event.step:,}{figures}"
        left = (monotonic() - self.began) * max(0, self.total - event.step) / event.step
        done = f"{event.step:,} of {self.total:,}"
        return f"{event.stage}: {done}, about {left:,.0f} s left{figures}"


@contextmanager
def _told(listeners: tuple[Listener, ...]) -> Iterator[None]:
    token = _listeners.set(listeners)
    try:
        yield
    finally:
        _listeners.reset(token)
