"""Connections to Dask and Ray: tried from a process that can be ended, and watched afterwards.

python -m glasstree.clusters dask|ray ADDRESS    tells what the workers of a cluster have, as JSON
"""

import json
import logging
import os
import socket
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from contextvars import copy_context
from dataclasses import dataclass
from threading import Event, Thread
from time import sleep
from typing import Any
from urllib.parse import urlsplit

from glasstree.errors import EngineError, MissingExtraError, OptionError

PATIENCE = 10.0  # seconds for one answer of a cluster
GREETING_PATIENCE = 20.0  # seconds for a process that asks it, with its imports
STRIKES = 3  # tries before an address counts as gone
NAMES = {"dask": "Dask", "ray": "Ray"}
GREETING = 9  # bytes that tell the two apart
# Dask begins with the size of a small message, Ray with a SETTINGS frame of HTTP/2
GREETINGS: dict[str, Callable[[bytes], bool]] = {
    "dask": lambda first: int.from_bytes(first[:8], sys.byteorder) < 2**20,
    "ray": lambda first: first[3] == 4,
}


@dataclass(frozen=True)
class Cluster:
    """A way to hand work to joblib, and the address whose silence means that it is lost."""

    enter: Callable[[ExitStack], None]
    name: str
    address: str

    def call(self, work: Callable[[], Any]) -> Any:
        """Do work that waits for the cluster, but no longer than the cluster lives."""
        job = Job(work)
        while not job.done.wait(1.0):
            self.check()
        try:
            return job.result()
        except Exception:
            self.check()
            raise

    def check(self) -> None:
        """Raise an error if nobody listens at the address any more."""
        for _ in range(STRIKES):
            try:
                socket.create_connection(host_and_port(self.address), PATIENCE).close()
                return
            except OSError:
                sleep(0.5)
        raise EngineError(
            f"the {NAMES[self.name]} cluster at {self.address} is gone; what was finished is "
            "kept: start it again and go on, a run with --resume"
        )


class Job:
    """A call in a thread of its own, which nobody has to wait for."""

    def __init__(self, work: Callable[[], Any]) -> None:
        self.done, self._work = Event(), work
        self._value: Any = None
        self._error: BaseException | None = None
        Thread(target=copy_context().run, args=(self._run,), daemon=True).start()

    def _run(self) -> None:
        try:
            self._value = self._work()
        except BaseException as error:
            self._error = error
        self.done.set()

    def result(self) -> Any:
        """Return what the call returned, or raise what it raised."""
        if self._error is not None:
            raise self._error
        return self._value


@contextmanager
def connected(name: str, address: str | None, workers: int) -> Iterator[Cluster]:
    """Connect to a cluster, or start one on this machine; disconnect in any case."""
    _need(name)
    if address is not None and address != "auto":
        _check_answers(name, address)
        _check_workers(name, address, _greet(name, address))
    with (_dask if name == "dask" else _ray)(address, workers) as cluster:
        yield cluster


def host_and_port(address: str) -> tuple[str, int]:
    """Take an address apart.

    >>> host_and_port("tcp://10.0.0.1:8786")
    ('10.0.0.1', 8786)
    """
    try:
        parts = urlsplit(address if "//" in address else f"//{address}")
        if parts.hostname and parts.port is not None:
            return parts.hostname, parts.port
    except ValueError:
        pass
    raise OptionError(f"the address {address!r} is not HOST:PORT, such as 10.0.0.1:8786")


def _need(name: str) -> None:
    try:
        if name == "dask":
            import distributed  # noqa: F401
        else:
            import ray  # noqa: F401
    except ImportError:
        raise MissingExtraError(f"--engine {name}", name) from None


def _check_answers(name: str, address: str) -> None:
    """Refuse an address whose first bytes are not those of a cluster."""
    host = host_and_port(address)
    try:
        with socket.create_connection(host, PATIENCE) as connection:
            if address.startswith("tls://"):
                return
            connection.settimeout(PATIENCE)
            first = connection.recv(GREETING, socket.MSG_WAITALL)
    except OSError as error:
        raise _no_answer("cluster", address, str(error) or type(error).__name__) from None
    if len(first) < GREETING:
        raise _no_answer("cluster", address, "the connection was closed")
    if not GREETINGS[name](first):
        raise _no_answer(NAMES[name], address, "something else answers there")


def _greet(name: str, address: str) -> list[str]:
    """Ask in another process what the workers have, since libraries may wait for ever."""
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    command = [sys.executable, "-m", "glasstree.clusters", name, address]
    try:
        done = subprocess.run(
            command, capture_output=True, timeout=GREETING_PATIENCE, env=environment, check=False
        )
        versions: list[str] = json.loads(done.stdout.decode().strip().splitlines()[-1])
    except subprocess.TimeoutExpired:
        reason = f"no understandable answer in {GREETING_PATIENCE:g} s"
        raise _no_answer(NAMES[name], address, reason) from None
    except (ValueError, IndexError):
        last = done.stderr.decode(errors="replace").strip().splitlines()[-1:]
        raise _no_answer(NAMES[name], address, "".join(last)[:200] or "no answer") from None
    return versions


def _check_workers(name: str, address: str, versions: list[str]) -> None:
    """Refuse a cluster without workers, or whose workers lack this very package."""
    who = f"the {NAMES[name]} cluster at {address}"
    if not versions:
        raise EngineError(f"{who} has no workers; start some")
    wrong = sorted(set(versions) - {_version()})
    if wrong:
        count = sum(version in wrong for version in versions)
        raise EngineError(
            f"{count} of {len(versions)} workers of {who} have {', '.join(wrong)}, not "
            f"{_version()}; install the same there"
        )


def _version() -> str:
    """Tell what a process has; it travels to workers by value and so needs its own imports."""
    import platform

    python = ".".join(platform.python_version_tuple()[:2])
    try:
        import glasstree
    except ImportError:
        return f"no glasstree in Python {python}"
    return f"glasstree {glasstree.__version__} in Python {python}"


@contextmanager
def _dask(address: str | None, workers: int) -> Iterator[Cluster]:
    from distributed import Client, LocalCluster
    from joblib import parallel_config

    with ExitStack() as stack:
        target: Any = address or stack.enter_context(
            LocalCluster(
                n_workers=workers,
                threads_per_worker=1,
                dashboard_address="127.0.0.1:0",  # the usual port may be taken
                silence_logs=logging.ERROR,
            )
        )
        stack.enter_context(_silent("distributed", "tornado", "asyncio"))
        try:
            client = Client(target, timeout=PATIENCE, set_as_default=False)
        except (OSError, ValueError) as error:
            raise _no_answer("Dask", str(address), str(error)) from None
        stack.callback(leave, client.close)
        yield Cluster(
            lambda own: own.enter_context(parallel_config(backend="dask", client=client)),
            "dask",
            client.scheduler.address,
        )


@contextmanager
def _ray(address: str | None, workers: int) -> Iterator[Cluster]:
    import ray
    from joblib import parallel_config
    from ray.util.joblib import register_ray

    logging.getLogger("ray.util.multiprocessing.pool").setLevel(logging.ERROR)
    given = {"address": address} if address else {"num_cpus": workers, "include_dashboard": False}
    try:
        ray.init(**given, log_to_driver=False, logging_level=logging.ERROR)
    except (ConnectionError, RuntimeError, ValueError) as error:
        raise _no_answer("Ray", str(address), str(error)) from None
    register_ray()
    remote = address if address and address.startswith("ray://") else None
    with ExitStack() as stack:
        stack.enter_context(_silent("ray"))
        stack.callback(leave, ray.shutdown)
        yield Cluster(
            lambda own: own.enter_context(parallel_config(backend="ray")),
            "ray",
            remote or ray.get_runtime_context().gcs_address,
        )


@contextmanager
def _silent(*libraries: str) -> Iterator[None]:
    """Silence the libraries' own messages."""
    known = [logging.getLogger(name) for name in logging.root.manager.loggerDict]
    found = [logger for logger in known if logger.name.partition(".")[0] in libraries]
    before = [logger.disabled for logger in found]
    for logger in found:
        logger.disabled = True
    try:
        yield
    finally:
        for logger, disabled in zip(found, before, strict=True):
            logger.disabled = disabled


def leave(close: Callable[[], Any]) -> None:
    """Disconnect from a cluster that may be gone already."""
    job = Job(close)
    with suppress(Exception):
        if job.done.wait(PATIENCE):
            job.result()


def _no_answer(what: str, address: str, reason: str) -> EngineError:
    first = (reason.strip().splitlines() or ["no answer"])[0]
    return EngineError(f"no {what} answers at {address} ({first}); start it, or correct --address")


def _dask_versions(address: str) -> list[str]:
    from distributed import Client

    with Client(address, timeout=PATIENCE, set_as_default=False) as client:
        return list(client.run(_version, on_error="return").values())


def _ray_versions(address: str) -> list[str]:
    import ray
    from ray.util.scheduling_strategies import NodeAffinitySchedulingStrategy

    ray.init(address=address, log_to_driver=False, logging_level=logging.ERROR)
    nodes = [node["NodeID"] for node in ray.nodes() if node["Alive"] and "CPU" in node["Resources"]]
    places = [NodeAffinitySchedulingStrategy(node, soft=False) for node in nodes]
    ask = ray.remote(num_cpus=0)(_version)
    found: list[str] = ray.get(
        [ask.options(scheduling_strategy=place).remote() for place in places]
    )
    return found


if __name__ == "__main__":
    print(json.dumps((_dask_versions if sys.argv[1] == "dask" else _ray_versions)(sys.argv[2])))
    sys.stdout.flush()
    os._exit(0)
