"""Typed events; consoles and reports are listeners.

The library never prints. Whoever wants to see long work registers a listener:

>>> seen = []
>>> with listening(seen.append):
...     emit(Stage("open loop"))
>>> seen
[Stage(name='open loop', total=None)]
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass


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
def _told(listeners: tuple[Listener, ...]) -> Iterator[None]:
    token = _listeners.set(listeners)
    try:
        yield
    finally:
        _listeners.reset(token)
