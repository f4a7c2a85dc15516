"""Work that goes on may take its time; work that does not is broken off."""

import signal
import threading
import time
from collections.abc import Callable
from typing import Any

import pytest

from glasstree.patience import Watch, watched

LIMIT = 0.2


def outlive(watch: Watch) -> int:
    """Go on until the watch has looked three times, then count the looks."""
    looks: set[int] = set()
    while len(looks) < 4:
        watch.beats += 1
        looks.add(watch._heard)
        time.sleep(0.0)
    return len(looks) - 1


def beat_once(watch: Watch) -> None:
    """Stop without an end after a good beginning."""
    watch.beats += 1
    time.sleep(60.0)


def of_a_thread(work: Callable[[], Any]) -> Any:
    """Return what work answers or raises in a thread."""
    found: list[Any] = []

    def run() -> None:
        try:
            found.append(work())
        except Exception as error:
            found.append(error)

    thread = threading.Thread(target=run)
    thread.start()
    thread.join(30.0)
    return found[0]


def test_beats_keep_work_alive() -> None:
    assert watched(outlive, LIMIT) == 3
    assert of_a_thread(lambda: watched(outlive, LIMIT)) == 3


def test_work_that_stops_is_broken_off() -> None:
    with pytest.raises(TimeoutError, match=r"no answer within 0\.2 s"):
        watched(beat_once, LIMIT)
    assert isinstance(of_a_thread(lambda: watched(beat_once, LIMIT)), TimeoutError)


def test_what_work_raises_in_a_thread_comes_out() -> None:
    found = of_a_thread(lambda: watched(lambda _: {}["nothing"], 60.0))
    assert isinstance(found, KeyError)


def test_an_alarm_of_the_users_still_rings() -> None:
    rung: list[int] = []
    before = signal.signal(signal.SIGALRM, lambda number, frame: rung.append(number))
    signal.setitimer(signal.ITIMER_REAL, LIMIT)
    try:
        assert watched(lambda _: 1, 60.0) == 1
        waited = time.monotonic()
        while not rung and time.monotonic() - waited < 30.0:
            time.sleep(0.01)
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0.0)
        signal.signal(signal.SIGALRM, before)
    assert rung == [signal.SIGALRM]
