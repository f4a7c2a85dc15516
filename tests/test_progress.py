"""Events reach listeners while they listen, and nobody else."""

import pytest

from glasstree.progress import Advance, Event, Note, Stage, emit, listening, silence


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
