"""A run that is killed at any moment, again and again, ends with the same bytes."""

import os
import random
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path

import pytest

from glasstree import progress
from glasstree.closedloop import reoptimise
from glasstree.policy import load
from glasstree.runs.clock import SECONDS
from glasstree.runs.store import open_store
from glasstree.tasks import get_task
from small_run import OPTIONS, small_run

TESTS = Path(__file__).parents[1]
TASK = get_task("mountaincar")
CONFIG = {"task": "mountaincar", "oracle": "mountaincar", "options": {}}


def contents(folder: Path) -> dict[str, bytes]:
    """Return what a run keeps, without the time that it took and what a kill may leave behind."""
    files = (path for path in folder.rglob("*") if path.is_file())
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in files
        if path.name not in ("metrics.json", SECONDS) and not path.name.startswith(".")
    }


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a run that nobody disturbed."""
    folder = tmp_path_factory.mktemp("runs") / "whole"
    small_run(folder)
    return folder


def killed(folder: Path, lines: int, delay: float) -> bool:
    """Start or go on, and kill -9 some time after some events; tell whether it was in time."""
    with subprocess.Popen(
        [sys.executable, str(TESTS / "small_run.py"), str(folder)],
        stdout=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
    ) as process:
        assert process.stdout is not None
        for _ in range(lines):
            process.stdout.readline()
        time.sleep(delay)
        process.kill()
        process.communicate()
        return process.returncode != 0


def test_killed_four_times_at_random_moments(tmp_path: Path, whole: Path) -> None:
    chance = random.Random(1)
    folder = tmp_path / "run"
    kills = sum(killed(folder, chance.randint(10, 45), chance.uniform(0, 0.05)) for _ in range(4))
    assert kills >= 2
    assert (folder / "config.toml").exists()
    small_run(folder)
    assert contents(folder) == contents(whole)


def test_stopped_at_every_generation_and_resumed(
    tmp_path: Path, whole: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("glasstree.closedloop.reoptimisation.SECONDS", 0.0)
    trees = [load(path) for path in sorted(whole.glob("rounds/0?.json"))]
    options = replace(OPTIONS.closed_loop, trees=1)  # a race of each kind: usual and wide

    def closed_loop(folder: Path, listener: progress.Listener) -> dict[str, bytes]:
        with progress.listening(listener):
            keep = open_store(folder, CONFIG, resume=folder.exists())
            keep.policy("out.json", lambda: reoptimise(trees, TASK, options, 0, keep))
        return contents(folder)

    heard: list[progress.Event] = []
    expected = closed_loop(tmp_path / "whole", heard.append)
    steps = [event for event in heard if isinstance(event, progress.Advance)]
    assert len(steps) >= 8
    for number, moment in enumerate(steps):
        folder = tmp_path / f"stopped{number}"
        with pytest.raises(KeyboardInterrupt):
            closed_loop(folder, stop_at(moment))
        assert closed_loop(folder, heard.append) == expected, moment


def stop_at(moment: progress.Event) -> progress.Listener:
    """Return a listener that presses Ctrl-C when it hears an event."""

    def listen(event: progress.Event) -> None:
        if event == moment:
            raise KeyboardInterrupt

    return listen
