"""Work in parallel gives the results of work in order."""

import os
from pathlib import Path

import pytest

from glasstree.parallel import engine, n_workers, ordered_map, threaded_map, using_workers
from toys import draw


@pytest.mark.parametrize("workers", [1, 2])
def test_results_stand_in_the_order_of_items(workers: int) -> None:
    items = list(range(12))
    with using_workers(workers):
        assert ordered_map(draw, items) == [draw(item) for item in items]


def test_functions_without_a_name_travel_too() -> None:
    shift = 10
    with using_workers(2):
        assert ordered_map(lambda item: item + shift, [1, 2]) == [11, 12]


def test_workers_that_are_used_again_work_where_they_are_asked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("one", "two"):
        (tmp_path / name).mkdir()
        monkeypatch.chdir(tmp_path / name)
        with engine("local", workers=2):
            assert set(ordered_map(lambda _: Path.cwd(), range(4))) == {tmp_path / name}


def test_nothing_to_do_gives_nothing() -> None:
    with using_workers(2):
        assert ordered_map(draw, []) == []


def test_an_error_in_a_worker_comes_back() -> None:
    with using_workers(2), pytest.raises(ZeroDivisionError):
        ordered_map(lambda item: 1 / item, [1, 0])


@pytest.mark.parametrize("threads", [1, 3])
def test_results_of_threads_stand_in_order_too(threads: int) -> None:
    with using_workers(threads):
        assert threaded_map(draw, range(12)) == [draw(item) for item in range(12)]


def test_a_thread_has_no_threads_of_its_own() -> None:
    with using_workers(3):
        assert threaded_map(lambda _: n_workers(), range(4)) == [1] * 4
        assert n_workers() == 3
    assert n_workers() == 1


def test_no_number_of_workers_keeps_that_of_the_block_and_zero_is_all_cores() -> None:
    with using_workers(3), using_workers(None):
        assert n_workers() == 3
        with using_workers(0):
            assert n_workers() == os.cpu_count()
        with engine("local"):
            assert n_workers() == 3
