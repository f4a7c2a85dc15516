"""Work in parallel gives the results of work in order."""

import pytest

from glasstree.parallel import ordered_map, threaded_map
from toys import draw


@pytest.mark.parametrize("workers", [1, 2])
def test_results_stand_in_the_order_of_items(workers: int) -> None:
    items = list(range(12))
    assert ordered_map(draw, items, workers) == [draw(item) for item in items]


def test_functions_without_a_name_travel_too() -> None:
    shift = 10
    assert ordered_map(lambda item: item + shift, [1, 2], workers=2) == [11, 12]


def test_nothing_to_do_gives_nothing() -> None:
    assert ordered_map(draw, [], workers=2) == []


def test_an_error_in_a_worker_comes_back() -> None:
    with pytest.raises(ZeroDivisionError):
        ordered_map(lambda item: 1 / item, [1, 0], workers=2)


@pytest.mark.parametrize("threads", [1, 3])
def test_results_of_threads_stand_in_order_too(threads: int) -> None:
    assert threaded_map(draw, range(12), threads) == [draw(item) for item in range(12)]
