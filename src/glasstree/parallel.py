"""An ordered map over joblib: the same result on one core, on two, on Dask and on Ray."""

import logging
import socket
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from contextvars import ContextVar, copy_context
from typing import Any, TypeVar
from urllib.parse import urlsplit

from glasstree import progress
from glasstree.errors import EngineError, MissingExtraError, OptionError, unknown

Item = TypeVar("Item")
Result = TypeVar("Result")

PATIENCE = 10.0
ATTEMPTS = 4


def ordered_map(
    function: Callable[[Item], Result], items: Iterable[Item], workers: int = 1
) -> list[Result]:
    """Apply a function to each item, in the engine's workers or else in worker processes.

    >>> ordered_map(abs, [-1, 2, -3])
    [1, 2, 3]
    """
    work = list(items)
    crew = _crew.get() or Crew(_local, workers)
    return crew.map(function, work)


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
    contexts = [copy_context() for _ in work]
    with ThreadPoolExecutor(threads) as pool:
        return list(pool.map(lambda item, own: own.run(function, item), work, contexts))


@contextmanager
def engine(name: str = "local", address: str | None = None, workers: int = 1) -> Iterator[None]:
    """Let every ordered map inside the block use the workers of this machine or of a cluster.

    Without an address, Dask and Ray start as many workers on this machine.

    >>> with engine("local", workers=1):
    ...     ordered_map(abs, [-1, 2])
    [1, 2]
    """
    if name not in ENGINES:
        raise OptionError(unknown("engine", name, ENGINES))
    if address is not None:
        if name == "local":
            raise OptionError("an address belongs to a cluster; say which with --engine dask|ray")
        _check_answers(address)
    with ExitStack() as stack:
        if name == "local":
            crew = Crew(_local, workers)
        else:
            connection = stack.enter_context(ENGINES[name](address, workers))
            crew = Crew(connection, -1)
        stack.callback(crew.close)
        token = _crew.set(crew)
        stack.callback(_crew.reset, token)
        yield


class Crew:
    """The workers of a joblib backend; when some die, what was not finished is done again."""

    def __init__(self, backend: Callable[[ExitStack], None], workers: int) -> None:
        self.backend, self.workers = backend, workers
        self._stack = ExitStack()
        self._pool: Any = None

    def map(self, function: Callable[[Item], Result], work: Sequence[Item]) -> list[Result]:
        """Return the results in the order of the work."""
        if self.workers == 1 or len(work) < 2:
            return [function(item) for item in work]
        from joblib import delayed
        from joblib.externals.loky.process_executor import BrokenProcessPool

        for _ in range(ATTEMPTS):
            try:
                results: list[Result] = self._open()(delayed(function)(item) for item in work)
                return results
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

    def close(self) -> None:
        """Let go of the workers."""
        self._pool = None
        self._stack.close()

    def _open(self) -> Any:
        if self._pool is None:
            from joblib import Parallel

            self.backend(self._stack)
            self._pool = self._stack.enter_context(Parallel(n_jobs=self.workers))
        return self._pool


def _died(error: Exception) -> bool:
    """Tell whether an error of a cluster says that a worker is gone."""
    module = type(error).__module__.partition(".")[0]
    return module in ("ray", "distributed") and type(error).__name__ in (
        *("ActorDiedError", "ActorUnavailableError", "RayActorError", "WorkerCrashedError"),
        *("NodeDiedError", "KilledWorker"),
    )


def _local(stack: ExitStack) -> None:
    """Use joblib's own worker processes."""


@contextmanager
def _dask(address: str | None, workers: int) -> Iterator[Callable[[ExitStack], None]]:
    try:
        from distributed import Client, LocalCluster
    except ImportError:
        raise MissingExtraError("--engine dask", "dask") from None
    from joblib import parallel_config

    with ExitStack() as stack:
        target: Any = address or stack.enter_context(
            LocalCluster(
                n_workers=workers,
                threads_per_worker=1,
                dashboard_address=None,
                silence_logs=logging.ERROR,
            )
        )
        try:
            client = stack.enter_context(Client(target, timeout=PATIENCE, set_as_default=False))
        except (OSError, ValueError) as error:
            raise _no_answer("Dask", str(address), error) from None
        if not client.scheduler_info()["workers"]:
            raise EngineError(f"the Dask cluster at {address} has no workers; start some")
        yield lambda own: own.enter_context(parallel_config(backend="dask", client=client))


@contextmanager
def _ray(address: str | None, workers: int) -> Iterator[Callable[[ExitStack], None]]:
    try:
        import ray
        from ray.util.joblib import register_ray
    except ImportError:
        raise MissingExtraError("--engine ray", "ray") from None
    from joblib import parallel_config

    logging.getLogger("ray.util.multiprocessing.pool").setLevel(logging.ERROR)
    given = {"address": address} if address else {"num_cpus": workers, "include_dashboard": False}
    try:
        ray.init(**given, log_to_driver=False, logging_level=logging.ERROR)
    except (ConnectionError, RuntimeError, ValueError) as error:
        raise _no_answer("Ray", str(address), error) from None
    register_ray()
    try:
        yield lambda own: own.enter_context(parallel_config(backend="ray"))
    finally:
        ray.shutdown()


def _check_answers(address: str) -> None:
    """Refuse an address at which no cluster greets us, before its library waits for ever."""
    if address == "auto":
        return
    try:
        parts = urlsplit(address if "//" in address else f"//{address}")
        host, port = parts.hostname, parts.port
    except ValueError:
        host, port = None, None
    if not host or port is None:
        raise OptionError(f"the address {address!r} is not HOST:PORT, such as 10.0.0.1:8786")
    try:
        with socket.create_connection((host, port), timeout=PATIENCE) as connection:
            if parts.scheme != "tls" and not connection.recv(1):
                raise ConnectionError("the connection was closed")
    except OSError as error:
        raise _no_answer("cluster", address, error) from None


def _no_answer(what: str, address: str, error: Exception) -> EngineError:
    reason = str(error).strip().splitlines()[0] if str(error).strip() else type(error).__name__
    return EngineError(f"no {what} answers at {address} ({reason}); start it, or correct --address")


ENGINES: dict[str, Any] = {"local": None, "dask": _dask, "ray": _ray}
_crew: ContextVar[Crew | None] = ContextVar("crew", default=None)
