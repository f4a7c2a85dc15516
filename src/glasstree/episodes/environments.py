"""Environments are made once per thread and reused: making one may cost as much as an episode.

A reset must make an environment forget the episodes before, as Gymnasium asks.
"""

import atexit
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stdout
from typing import Any

import gymnasium

from glasstree.tasks.base import Environment
from glasstree.tasks.checked import Checked


class IdleEnvironments(threading.local):
    """This thread's idle environments, all of one kind."""

    kind: tuple[Environment, int, Any] | None = None
    idle: list[Checked] | None = None


_kept = IdleEnvironments()


@contextmanager
def borrowed(factory: Environment, n_variables: int) -> Iterator[list[Checked]]:
    """Lend a list of environments that the borrower may add to; after an error all are closed."""
    kind = (factory, n_variables, gymnasium.registry.get(factory.id))
    if _kept.kind is None or _kept.kind != kind:
        close_all()
    environments, _kept.idle = _kept.idle or [], None
    try:
        yield environments
    except BaseException:
        _close(environments)
        raise
    if _kept.idle is not None:  # somebody else gave back in the meantime
        _close(environments)
    else:
        _kept.kind, _kept.idle = kind, environments


def close_all() -> None:
    """Close this thread's idle environments."""
    _close(_kept.idle or [])
    _kept.kind, _kept.idle = None, None


def _close(environments: list[Checked]) -> None:
    for environment in environments:
        environment.close()


def _leave() -> None:
    """Close what is left at exit, when nothing should be printed any more."""
    with redirect_stdout(sys.stderr):
        close_all()


atexit.register(_leave)
