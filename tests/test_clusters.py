"""Clusters that are something else, that lack the package or that die: one sentence each, soon."""

import json
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from threading import Thread

import pytest

from glasstree import clusters
from glasstree.errors import EngineError
from glasstree.parallel import engine, ordered_map

DASK_SMALL = (64).to_bytes(8, sys.byteorder) + b"\0"
HTTP2 = bytes([0, 0, 0, 4, 0, 0, 0, 0, 0])


@contextmanager
def answering(garbage: bytes) -> Iterator[str]:
    """Answer everybody with some bytes and then with silence."""
    kept = []

    def serve() -> None:
        while True:
            try:
                kept.append(server.accept()[0])
                kept[-1].sendall(garbage)
            except OSError:
                return

    with socket.create_server(("127.0.0.1", 0)) as server:
        Thread(target=serve, daemon=True).start()
        yield f"127.0.0.1:{server.getsockname()[1]}"
        server.shutdown(socket.SHUT_RDWR)
    for connection in kept:
        connection.close()


@pytest.mark.parametrize("name", ["dask", "ray"])
def test_another_service_is_told_by_its_greeting(name: str) -> None:
    pytest.importorskip("distributed" if name == "dask" else "ray")
    with (
        answering(b"SSH-2.0-OpenSSH_9.2\r\n") as address,
        pytest.raises(EngineError, match=f"no {clusters.NAMES[name]} answers at .*else answers"),
        engine(name, address),
    ):
        pass


@pytest.mark.parametrize("name, greeting", [("dask", DASK_SMALL), ("ray", HTTP2)])
def test_a_service_that_greets_well_and_falls_silent(
    name: str, greeting: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("distributed" if name == "dask" else "ray")
    monkeypatch.setattr(clusters, "GREETING_PATIENCE", 3.0)
    with (
        answering(greeting) as address,
        pytest.raises(EngineError, match="no understandable answer in 3 s"),
        engine(name, address),
    ):
        pass


@contextmanager
def dask(*words: str) -> Iterator["subprocess.Popen[bytes]"]:
    """Run a part of a Dask cluster."""
    process = subprocess.Popen(
        [sys.executable, "-m", "dask", *words, "--no-dashboard"],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    try:
        yield process
    finally:
        process.kill()
        process.wait()


def joined(address: str) -> None:
    """Wait for a worker."""
    from distributed import Client

    with Client(address, set_as_default=False) as client:
        client.wait_for_workers(1, timeout=60)


def test_dask_workers_without_the_package_and_a_scheduler_that_dies(tmp_path: Path) -> None:
    pytest.importorskip("distributed")
    hiding, place = tmp_path / "hiding.py", tmp_path / "place.json"
    hiding.write_text("import sys; sys.modules['glasstree'] = None\n")
    with ExitStack() as stack:
        words = ("--host", "127.0.0.1", "--port", "0", "--scheduler-file", str(place))
        scheduler = stack.enter_context(dask("scheduler", *words))
        while not place.exists():
            time.sleep(0.05)
        address = json.loads(place.read_text())["address"]
        worker = ("worker", address, "--no-nanny", "--nthreads", "2")
        with dask(*worker, "--preload", str(hiding)):
            joined(address)
            sentence = "1 of 1 workers of the Dask cluster .* have no glasstree .*; install the"
            with pytest.raises(EngineError, match=sentence), engine("dask", address):
                pass
        with dask(*worker):
            joined(address)
            with engine("dask", address):
                assert ordered_map(abs, [-1, 2, -3]) == [1, 2, 3]
                Thread(target=kill_soon, args=(scheduler.pid,)).start()
                with pytest.raises(EngineError, match=r"Dask cluster .* is gone; .* --resume"):
                    ordered_map(time.sleep, [60] * 4)


def kill_soon(process: int) -> None:
    """Kill while others work."""
    time.sleep(1)
    os.kill(process, signal.SIGKILL)


# Ray ends a process that has lost its cluster, hence one of its own
RAY_DIES = """
import os, signal, time
from pathlib import Path
from glasstree.errors import EngineError
from glasstree.parallel import engine, ordered_map

def child(name):
    for path in Path("/proc").glob("[0-9]*/stat"):
        start, _, rest = path.read_text().rpartition(")")
        if start.endswith("(" + name) and int(rest.split()[1]) == os.getpid():
            return int(path.parent.name)

try:
    with engine("ray", workers=2):
        print(ordered_map(abs, [-1, 2, -3]), flush=True)
        os.kill(child("gcs_server"), signal.SIGKILL)
        ordered_map(time.sleep, [60] * 4)
except EngineError as error:
    print(error, flush=True)
"""


@pytest.mark.skipif(sys.platform != "linux", reason="there is no /proc")
def test_a_ray_cluster_that_dies() -> None:
    pytest.importorskip("ray")
    done = subprocess.run(
        [sys.executable, "-c", RAY_DIES], capture_output=True, text=True, timeout=120, check=False
    )
    results, sentence = done.stdout.splitlines()
    assert results == "[1, 2, 3]"
    assert "the Ray cluster at" in sentence and "is gone; what was finished is kept" in sentence
    assert "Traceback" not in done.stderr
