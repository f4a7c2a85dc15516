"""An ordered map over joblib: the same result whatever the number of workers."""

from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

Item = TypeVar("Item")
Result = TypeVar("Result")


def ordered_map(
    function: Callable[[Item], Result], items: Iterable[Item], workers: int = 1
) -> list[Result]:
    """Apply a function to each item, in worker processes where there are several.

    >>> ordered_map(abs, [-1, 2, -3])
    [1, 2, 3]
    """
    work = list(items)
    if workers == 1 or len(work) < 2:
        return [function(item) for item in work]
    from joblib import Parallel, delayed

    results: list[Result] = Parallel(n_jobs=workers)(delayed(function)(item) for item in work)
    return results


def threaded_map(
    function: Callable[[Item], Result], items: Iterable[Item], threads: int = 1
) -> list[Result]:
    """Apply a function that spends its time in compiled code to each item, in order.

    >>> threaded_map(abs, [-1, 2, -3], threads=2)
    [1, 2, 3]
    """
    work = list(items)
    if threads == 1 or len(work) < 2:
        return [function(item) for item in work]
    with ThreadPoolExecutor(threads) as pool:
        return list(pool.map(function, work))
