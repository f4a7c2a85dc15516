"""An ordered map over joblib: the same result on one core, on two, on Dask and on Ray."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from contextvars import ContextVar, copy_context
from os import chdir, cpu_count
from pathlib import Path
from typing import Any, TypeVar

from glasstree import progress
from glasstree.clusters import NAMES, Cluster, connected, leave
from glasstree.errors import EngineError, OptionError, unknown

Item = TypeVar("Item")
Result = TypeVar("Result")

ATTEMPTS = 4  # in all, at work whose workers died


@contextmanager
def using_workers(workers: int | None = None) -> Iterator[None]:
    """Let every map inside the block use so many cores: 0 for all, None for as many as outside.

    >>> with using_workers(2):
    ...     n_workers()
    2
    """
    token = _workers.set(n_workers() if workers is None else cores(workers))
    try:
        yield
    finally:
        _workers.reset(token)


def cores(workers: int) -> int:
    """Return how many cores a number means: 0 stands for all of them."""
    return workers or cpu_count() or 1


def n_workers() -> int:
    """Return how many cores the block that runs may use; 1 unless somebody asked for more."""
    return _workers.get()


def ordered_map(function: Callable[[Item], Result], items: Iterable[Item]) -> list[Result]:
    """Apply a function to each item, in the engine's workers or else in worker processes.

    >>> ordered_map(abs, [-1, 2, -3])
    [1, 2, 3]
    """
    work = list(items)
    pool = _current.get() or WorkerPool(n_workers())
    return pool.map(function, work)


def threaded_map(function: Callable[[Item], Result], items: Iterable[Item]) -> list[Result]:
    """Apply a function that spends its time in compiled code to each item, in order.

    >>> with using_workers(2):
    ...     threaded_map(abs, [-1, 2, -3])
    [1, 2, 3]
    """
    work, threads = list(items), n_workers()
    if threads == 1 or len(work) < 2:
        return [function(item) for item in work]

    def alone(item: Item) -> Result:
        _workers.set(1)
        return function(item)

    contexts = [copy_context() for _ in work]
    with ThreadPoolExecutor(threads) as pool:
        return list(pool.map(lambda item, own: own.run(alone, item), work, contexts))


@contextmanager
def engine(
    name: str = "local", address: str | None = None, workers: int | None = None
) -> Iterator[None]:
    """Let every ordered map inside the block use the workers of this machine or of a cluster.

    Without an address, Dask and Ray start as many workers on this machine; 0 stands for all cores.

    >>> with engine("local", workers=1):
    ...     ordered_map(abs, [-1, 2])
    [1, 2]
    """
    if name not in ENGINES:
        raise OptionError(unknown("engine", name, ENGINES))
    if address is not None and name == "local":
        raise OptionError("an address belongs to a cluster; say which with --engine dask|ray")
    with ExitStack() as stack:
        stack.enter_context(using_workers(workers))
        if name == "local":
            pool = WorkerPool(n_workers())
        else:
            pool = WorkerPool(-1, stack.enter_context(connected(name, address, n_workers())))
        stack.callback(pool.close)
        token = _current.set(pool)
        stack.callback(_current.reset, token)
        yield


class WorkerPool:
    """Workers here or of a cluster; when some die, what was not finished is done again."""

    def __init__(self, workers: int, cluster: Cluster | None = None) -> None:
        self.workers, self.cluster = workers, cluster
        self._stack = ExitStack()
        self._pool: Any = None

    def map(self, function: Callable[[Item], Result], work: Sequence[Item]) -> list[Result]:
        """Return the results in the order of the work."""
        if self.workers == 1 or len(work) < 2:
            return [function(item) for item in work]
        from joblib.externals.loky.process_executor import BrokenProcessPool

        for _ in range(ATTEMPTS):
            try:
                return self._map(function, work)
            except EngineError:
                self.close(lost=True)
                raise
            except Exception as error:
                self.close()
                if not isinstance(error, BrokenProcessPool) and not _died(error):
                    raise
                last = error
            progress.emit(progress.Note("a worker died; its episodes are played again"))
        raise EngineError(
            f"workers died {ATTEMPTS} times in a row ({type(last).__name__}); perhaps they need "
            "more memory: try fewer --workers"
        )

    def close(self, lost: bool = False) -> None:
        """Release the workers."""
        self._pool = None
        stack, self._stack = self._stack, ExitStack()
        if self.cluster is None:
            stack.close()
        elif not lost:
            leave(stack.close)

    def _map(self, function: Callable[[Item], Result], work: Sequence[Item]) -> list[Result]:
        from joblib import delayed

        folder = Path.cwd()

        def call() -> Any:
            if self.cluster is not None:
                return self._open()(delayed(function)(item) for item in work)
            return self._open()(delayed(_within)(folder, function, item) for item in work)

        results: list[Result] = call() if self.cluster is None else self.cluster.call(call)
        return results

    def _open(self) -> Any:
        if self._pool is None:
            from joblib import Parallel

            if self.cluster is not None:
                self.cluster.enter(self._stack)
            self._pool = self._stack.enter_context(Parallel(n_jobs=self.workers))
        return self._pool


def _within(folder: Path, function: Callable[[Item], Result], item: Item) -> Result:
    """Work in the folder of who asks: a worker that is used again may have begun in another."""
    chdir(folder)
    return function(item)


def _died(error: Exception) -> bool:
    """Tell whether an error of a cluster says that a worker is gone."""
    module = type(error).__module__.partition(".")[0]
    return module in ("ray", "distributed") and type(error).__name__ in (
        *("ActorDiedError", "ActorUnavailableError", "RayActorError", "WorkerCrashedError"),
        *("NodeDiedError", "KilledWorker"),
    )


ENGINES = ("local", *NAMES)
_current: ContextVar[WorkerPool | None] = ContextVar("pool", default=None)
_workers: ContextVar[int] = ContextVar("workers", default=1)
