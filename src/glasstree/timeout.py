"""User code that makes no progress for too long is stopped."""

import signal
import threading
from collections.abc import Callable
from concurrent.futures import Future, wait
from contextvars import copy_context
from typing import Any, TypeVar

Result = TypeVar("Result")

PATIENCE = 300.0  # seconds that one step of a user's code may take


class Watch:
    """How long a step of some work may take; the work counts up beats at each step."""

    def __init__(self, seconds: float) -> None:
        self.seconds, self.beats, self._heard = seconds, 0, 0

    def check(self, *_: Any) -> None:
        """Raise TimeoutError if nothing was heard since the last check."""
        if self.beats == self._heard:
            raise TimeoutError(f"no answer within {self.seconds:g} s")
        self._heard = self.beats


def watched(work: Callable[[Watch], Result], seconds: float) -> Result:
    """Do work, and raise TimeoutError in it once it has made no step for so many seconds.

    >>> watched(lambda watch: 1 + 1, seconds=60.0)
    2
    """
    watch = Watch(seconds)
    if threading.current_thread() is not threading.main_thread():
        return _in_a_thread(work, watch)
    return _under_alarm(work, watch) if hasattr(signal, "setitimer") else work(watch)


def _under_alarm(work: Callable[[Watch], Result], watch: Watch) -> Result:
    before = signal.signal(signal.SIGALRM, watch.check)
    timer = signal.setitimer(signal.ITIMER_REAL, watch.seconds, watch.seconds)
    try:
        return work(watch)
    finally:
        signal.setitimer(signal.ITIMER_REAL, *timer)
        signal.signal(signal.SIGALRM, before)


def _in_a_thread(work: Callable[[Watch], Result], watch: Watch) -> Result:
    """Alarms reach the main thread only: elsewhere work goes to a thread that can be abandoned."""
    outcome: Future[Result] = Future()

    def run() -> None:
        try:
            outcome.set_result(work(watch))
        except BaseException as error:
            outcome.set_exception(error)

    threading.Thread(target=copy_context().run, args=(run,), daemon=True).start()
    while not wait([outcome], watch.seconds).done:
        watch.check()
    return outcome.result()
