"""Files are replaced whole with their rights kept, and devices are never replaced."""

import os
import stat
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from commands import Command
from glasstree.files.writing import write_atomically
from glasstree.policy import save
from toys import small_tree


@pytest.fixture
def careful() -> Iterator[None]:
    """A umask that leaves others no rights."""
    before = os.umask(0o027)
    yield
    os.umask(before)


def mode(path: Path) -> int:
    """Return the rights of a file."""
    return stat.S_IMODE(path.stat().st_mode)


def test_a_new_file_has_the_rights_that_the_umask_leaves(tmp_path: Path, careful: None) -> None:
    write_atomically(tmp_path / "new", b"content")
    assert mode(tmp_path / "new") == 0o640


def test_a_replaced_file_keeps_its_rights(tmp_path: Path, careful: None) -> None:
    path = tmp_path / "old"
    path.write_bytes(b"before")
    path.chmod(0o604)
    write_atomically(path, b"after")
    assert path.read_bytes() == b"after"
    assert mode(path) == 0o604


def test_a_link_stays_and_its_target_is_replaced(tmp_path: Path) -> None:
    (tmp_path / "shelf").mkdir()
    link, target = tmp_path / "link", tmp_path / "shelf" / "target"
    link.symlink_to(target)
    for content in (b"first", b"second"):
        write_atomically(link, content)
        assert link.is_symlink()
        assert target.read_bytes() == content
    assert [path.name for path in target.parent.iterdir()] == ["target"]


def test_a_pipe_is_written_through(glasstree: Command, tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    save(small_tree(), tmp_path / "policy.json")
    heard: list[str] = []
    reader = threading.Thread(target=lambda: heard.append(pipe.read_text()))
    reader.start()
    answer = glasstree("export", tmp_path / "policy.json", "--out", pipe)
    reader.join()
    assert answer.code == 0
    assert stat.S_ISFIFO(pipe.stat().st_mode)
    assert "brake" in heard[0]


def test_a_device_is_written_through(tmp_path: Path) -> None:
    null = tmp_path / "null"
    null.symlink_to("/dev/null")
    write_atomically(null, b"content")
    assert null.is_symlink()
    assert stat.S_ISCHR(Path("/dev/null").stat().st_mode)
    with pytest.raises(OSError, match="No space left"):
        write_atomically("/dev/full", b"content")


def test_a_socket_is_refused(tmp_path: Path) -> None:
    import socket

    with socket.socket(socket.AF_UNIX) as server:
        server.bind(str(tmp_path / "socket"))
        with pytest.raises(OSError, match="neither a file nor a pipe"):
            write_atomically(tmp_path / "socket", b"content")
    assert stat.S_ISSOCK((tmp_path / "socket").stat().st_mode)


@pytest.mark.parametrize("kind", ["pipe", "file"])
def test_standard_output_by_its_path_is_standard_output(tmp_path: Path, kind: str) -> None:
    code = (
        "from glasstree.files.writing import write_atomically\n"
        "print('before')\nwrite_atomically('/dev/stdout', b'content\\n')\nprint('after')\n"
    )
    words, path = [sys.executable, "-c", code], tmp_path / "out"
    if kind == "pipe":
        out = subprocess.run(words, check=True, capture_output=True, text=True).stdout
    else:
        with path.open("w") as file:
            subprocess.run(words, check=True, stdout=file)
        out = path.read_text()
    assert out == "before\ncontent\nafter\n"


def test_a_write_that_fails_leaves_the_old_file_and_nothing_else(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "old"
    path.write_bytes(b"before")

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(OSError, match="No space left"):
        write_atomically(path, b"after")
    assert path.read_bytes() == b"before"
    assert list(tmp_path.iterdir()) == [path]
