"""Events reach listeners while they listen, and nobody else."""

import threading
from concurrent.futures import ThreadPoolExecutor
from contextvars import copy_context

import pytest

from glasstree import progress
from glasstree.parallel import threaded_map, using_workers
from glasstree.progress import Advance, Event, Note, Stage, emit, listening, silence
from glasstree.timeout import watched


def test_events_reach_all_listeners_in_order() -> None:
    first: list[Event] = []
    second: list[Event] = []
    with listening(first.append), listening(second.append):
        emit(Stage("open loop", 3))
        emit(Advance("open loop", 1, {"impurity": 0.5}))
    emit(Note("nobody hears this"))
    assert first == second == [Stage("open loop", 3), Advance("open loop", 1, {"impurity": 0.5})]


def test_a_listener_is_forgotten_after_an_error() -> None:
    heard: list[Event] = []
    with pytest.raises(RuntimeError), listening(heard.append):
        raise RuntimeError
    emit(Note("too late"))
    assert heard == []


def test_silence_hides_a_detail_and_ends_with_it() -> None:
    heard: list[Event] = []
    with listening(heard.append):
        with pytest.raises(RuntimeError), silence():
            emit(Note("hidden"))
            raise RuntimeError
        emit(Note("heard"))
    assert heard == [Note("heard")]


def test_a_listener_may_leave_while_it_hears() -> None:
    heard: list[Event] = []

    def once(event: Event) -> None:
        heard.append(event)
        with listening(heard.append):
            pass

    with listening(once):
        emit(Note("a"))
        emit(Note("b"))
    assert heard == [Note("a"), Note("b")]


def test_work_of_another_thread_is_not_heard() -> None:
    heard: list[Event] = []
    with listening(heard.append):
        stranger = threading.Thread(target=emit, args=(Note("not yours"),))
        stranger.start()
        stranger.join()
        with ThreadPoolExecutor(1) as pool, pytest.raises(RuntimeError):
            pool.submit(_silent_and_failing).result()
        emit(Note("yours"))
    assert heard == [Note("yours")]


def _silent_and_failing() -> None:
    with silence():
        raise RuntimeError


def test_threads_of_our_own_report_to_who_began_them() -> None:
    heard: list[Event] = []
    with listening(heard.append):
        with using_workers(2):
            threaded_map(lambda number: emit(Note(str(number))), range(4))
        with ThreadPoolExecutor(1) as pool:
            own = copy_context()
            pool.submit(own.run, watched, lambda _: emit(Note("watched")), 60.0).result()
    assert sorted(map(str, heard[:4])) == [f"Note(text='{number}')" for number in range(4)]
    assert heard[4:] == [Note("watched")]


def test_lines_tell_how_long_a_stage_will_take(capsys, monkeypatch):
    clock = iter([0.0, 0.0, 10.0, 10.0, 10.0, 11.0])
    monkeypatch.setattr(progress, "monotonic", lambda: next(clock))
    with progress.printing(True):
        progress.emit(progress.Stage("front", total=100))
        progress.emit(progress.Advance("front", 20, {"best reward": 12.5}))
        progress.emit(progress.Advance("front", 21, {"best reward": 12.5}))
        progress.emit(progress.Note("about 4 minutes"))
    told = capsys.readouterr().err.splitlines()
    expected = "front: 20 of 100, about 40 s left  best reward 12.5"
    assert told == ["front ...", expected, "about 4 minutes"]


def test_nothing_is_printed_where_somebody_listens_or_nobody_looks(capsys):
    with progress.listening(lambda _: None), progress.printing(True):
        progress.emit(progress.Note("heard elsewhere"))
    with progress.printing():
        progress.emit(progress.Note("no terminal"))
    with progress.printing(False):
        progress.emit(progress.Note("not wanted"))
    assert capsys.readouterr().err == ""
