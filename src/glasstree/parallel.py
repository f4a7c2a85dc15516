"""An ordered map over joblib: the same result whatever the number of workers."""

from collections.abc import Callable, Iterable
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
