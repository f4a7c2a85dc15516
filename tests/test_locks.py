"""Two runs never write into one folder, and a killed one keeps nobody out."""

import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from commands import Command
from glasstree.errors import RunError
from glasstree.runs.locks import LOCK, FolderLock
from glasstree.runs.store import CONFIG, open_store
from test_runs import SETTINGS, begun
from toys import lamp_tree, small_tree

HOLD = """
import sys
from pathlib import Path
from glasstree.runs.locks import FolderLock
FolderLock(Path(sys.argv[1])).acquire()
print("held", flush=True)
sys.stdin.read()
"""


@contextmanager
def at_work(folder: Path) -> Iterator["subprocess.Popen[bytes]"]:
    """Let another process hold a folder."""
    words = [sys.executable, "-c", HOLD, str(folder)]
    process = subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    try:
        assert process.stdout is not None
        assert process.stdout.readline() == b"held\n"
        yield process
    finally:
        process.kill()
        process.communicate()


def test_a_folder_in_use_is_refused_untouched_with_the_process_named(
    glasstree: Command, tmp_path: Path
) -> None:
    folder = begun(tmp_path / "run")
    (folder / ".policy.json.ab12cd34").write_text("half-written by a live run")
    with at_work(folder) as process:
        before = {path.name: path.read_bytes() for path in folder.iterdir()}
        for how in ({}, {"resume": True}, {"overwrite": True}):
            with pytest.raises(RunError, match=f"process {process.pid} is at work in {folder}"):
                open_store(folder, SETTINGS, **how)
        answer = glasstree("run", "cartpole", "--out", folder, "--overwrite")
        assert answer.code == 2
        assert f"process {process.pid} is at work" in answer.sentence
        assert {path.name: path.read_bytes() for path in folder.iterdir()} == before


def test_a_folder_taken_since_a_run_was_opened_is_refused(tmp_path: Path) -> None:
    folder = begun(tmp_path / "run")
    with (
        open_store(tmp_path / "new", SETTINGS) as late,
        at_work(folder) as process,
    ):
        folder.rename(tmp_path / "new")
        with pytest.raises(RunError, match=f"process {process.pid} is at work"):
            late.policy("policy.json", small_tree)
        process.kill()
        process.wait()
        with pytest.raises(RunError, match="exists already"):
            late.policy("policy.json", small_tree)
    assert not (tmp_path / "new" / "policy.json").exists()


def test_a_killed_run_keeps_nobody_out(tmp_path: Path) -> None:
    folder = begun(tmp_path / "run")
    with at_work(folder) as process:
        process.send_signal(signal.SIGKILL)
        process.wait()
        assert (folder / LOCK).exists()
        with open_store(folder, SETTINGS, resume=True) as keep:
            keep.policy("policy.json", small_tree)
    assert not (folder / LOCK).exists()


def test_what_a_run_killed_before_its_first_file_left_is_no_run(tmp_path: Path) -> None:
    (tmp_path / LOCK).write_text("1 gone")
    assert begun(tmp_path).joinpath(CONFIG).is_file()


def test_a_folder_is_held_until_the_last_user_leaves(tmp_path: Path) -> None:
    folder = tmp_path / "run"
    with open_store(folder, SETTINGS) as keep:
        assert not folder.exists()
        with keep:
            keep.policy("open_loop.json", lamp_tree)
        with pytest.raises(RunError, match="is at work"):
            FolderLock(folder).acquire()
    assert not (folder / LOCK).exists()


def test_a_run_that_failed_can_be_opened_again(tmp_path: Path) -> None:
    folder = begun(tmp_path / "run")
    with pytest.raises(KeyboardInterrupt), open_store(folder, SETTINGS, resume=True):
        raise KeyboardInterrupt
    with open_store(folder, SETTINGS, resume=True):
        assert (folder / LOCK).exists()


def test_a_lock_that_is_a_link_changes_nothing_elsewhere(tmp_path: Path) -> None:
    folder = begun(tmp_path / "run")
    (tmp_path / "thesis.txt").write_text("years of work")
    (folder / LOCK).symlink_to(tmp_path / "thesis.txt")
    with pytest.raises(RunError, match="cannot write"), open_store(folder, SETTINGS, resume=True):
        raise AssertionError("opened")
    assert (tmp_path / "thesis.txt").read_text() == "years of work"


def test_a_run_may_replace_what_was_never_there(tmp_path: Path) -> None:
    with open_store(tmp_path / "new", SETTINGS, overwrite=True) as keep:
        assert not (tmp_path / "new").exists()
        keep.policy("policy.json", lamp_tree)
    assert sorted(path.name for path in (tmp_path / "new").iterdir()) == [CONFIG, "policy.json"]
