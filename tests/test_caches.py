"""Compiled kernels are never stale, are compiled once, and need no place that can be written."""

import ctypes
import fcntl
import json
import os
import resource
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numba
import pytest

from glasstree import caches
from glasstree.compiled import kernel, real
from glasstree.digests import PACKAGE

LONGEST = 120
PR_CAPBSET_DROP, CAP_DAC_OVERRIDE = 24, 1
MINE = """
from glasstree.compiled import integer, integers, kernel, real, reals
from glasstree.policy.flat import decide
from theirs import doubled

@kernel(integer(integers, reals, reals))
def act(program, numbers, state):
    return 10 * decide(program, numbers, state) + int(doubled(state[0]))
"""
THEIRS = """
from glasstree.compiled import kernel, real

@kernel(real(real))
def doubled(x):
    return 2.0 * x
"""
ACT = """
import json, numba, numpy as np
from glasstree import progress
compiled = []
with progress.listening(compiled.append):
    from glasstree.policy.flat import rule_value
    from mine import act
program = np.array([1, 1, 1, 1, 0, ~3, ~4, 0, 0, 1, 0, 1, 0, 1])
numbers = np.array([0.0, 1.0, 1.0, -1.5])
value = rule_value(program, numbers, 0, np.array([9.0]))
acted = act(program, numbers, np.array([0.0]))
print(json.dumps([[event.kernel for event in compiled], acted, value, numba.config.CACHE_DIR]))
"""
TINY = """
import json
from glasstree import progress
heard = []
with progress.listening(heard.append):
    from theirs import doubled
print(json.dumps([[str(event) for event in heard], doubled(4.0)]))
"""


def install(folder: Path) -> Path:
    """Copy the package, and kernels of a user beside it."""
    shutil.copytree(PACKAGE, folder / "glasstree", ignore=shutil.ignore_patterns("__pycache__"))
    (folder / "mine.py").write_text(MINE)
    (folder / "theirs.py").write_text(THEIRS)
    return folder


def run(folder: Path, code: str, **others: Any) -> Any:
    """Run code with the package of a folder and return what it prints."""
    own = {"PYTHONPATH": str(folder), "NUMBA_CACHE_DIR": ""}
    env = {**os.environ, **own, **others.pop("env", {})}
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", code],
        **{"env": env, "cwd": folder, "timeout": LONGEST, "capture_output": True, **others},
        text=True,
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def change(path: Path, old: str, new: str) -> None:
    """Change one place in a file."""
    text = path.read_text()
    assert text.count(old) == 1
    path.write_text(text.replace(old, new))


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the package whose kernels have been compiled."""
    folder = install(tmp_path_factory.mktemp("installed"))
    names, acted, value, usual = run(folder, ACT)
    assert names == ["rule_value", "decide", "decide_all", "doubled", "act"]
    assert (acted, value, usual) == (30, 1.0, "")
    return folder


@pytest.mark.parametrize(
    "file, old, new, names, acted, value",
    [
        ("theirs.py", "2.0 * x", "2.0 * x", [], 30, 1.0),
        ("theirs.py", "2.0 * x", "2.0 * x + 7.0", ["doubled", "act"], 37, 1.0),
        (
            *(
                "glasstree/policy/scaling.py",
                "LOWEST, HIGHEST = 0.5, 2.5",
                "LOWEST, HIGHEST = 0.5, 1.75",
            ),
            *(["rule_value", "decide", "decide_all", "act"], 30, 0.25),
        ),
        (
            *("glasstree/policy/flat.py", "state) <= 0.0", "state) >= 0.0"),
            *(["rule_value", "decide", "decide_all", "act"], 40, 1.0),
        ),
    ],
    ids=["nothing", "a callee of the user's", "a constant of ours", "a callee of ours"],
)
def test_what_changed_and_its_callers_are_compiled_again(
    installed: Path, file: str, old: str, new: str, names: list[str], acted: int, value: float
) -> None:
    change(installed / file, old, new)
    try:
        assert run(installed, ACT) == [names, acted, value, ""]
    finally:
        change(installed / file, new, old)


@pytest.fixture
def read_only(tmp_path: Path) -> Iterator[Path]:
    """An installation that cannot be written, with a folder for temporary files."""
    folder = install(tmp_path)
    (folder / "temporary").mkdir()
    for path in (folder / "glasstree", folder):
        path.chmod(0o555)
    yield folder
    for path in (folder / "glasstree", folder):
        path.chmod(0o755)


def obey_permissions() -> None:
    """Let permissions bind the next program even if it is root's."""
    if os.getuid() == 0:
        assert ctypes.CDLL(None).prctl(PR_CAPBSET_DROP, CAP_DAC_OVERRIDE, 0, 0, 0) == 0


def test_a_read_only_install_without_a_home_works(read_only: Path) -> None:
    nowhere = {"HOME": "/proc/nothing", "XDG_CACHE_HOME": "/proc/nothing"}
    env = {**nowhere, "TMPDIR": str(read_only / "temporary")}
    first, again = (run(read_only, TINY, env=env, preexec_fn=obey_permissions) for _ in range(2))
    assert first[1] == again[1] == 8.0
    place = read_only / "temporary" / f"glasstree-{os.getuid()}"
    assert f"kept in {place} for now; set NUMBA_CACHE_DIR to" in first[0][0]
    assert first[0][1:] == ["Compiling(kernel='doubled')"]
    assert again[0] == first[0][:1], "it is compiled once"


def test_a_full_disk_costs_time_only(tmp_path: Path) -> None:
    def limit() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))

    assert run(install(tmp_path), TINY, preexec_fn=limit)[1] == 8.0


def half(x: float) -> float:
    """Halve a number."""
    return 0.5 * x


def test_the_users_choice_of_a_folder_is_respected(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(numba.config, "CACHE_DIR", str(tmp_path / "chosen"))
    folder = caches.folder_for(half)
    assert folder is not None and folder.parent == tmp_path / "chosen" / "glasstree"
    assert not caches.holds(folder, half)
    assert kernel(real(real))(half)(3.0) == 1.5
    assert caches.holds(folder, half)
    assert str(tmp_path / "chosen") == numba.config.CACHE_DIR


def test_another_compiler_has_another_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(numba.config, "CACHE_DIR", str(tmp_path))
    assert numba.__version__ in caches._compiler() and sys.version in caches._compiler()
    before = caches.folder_for(half)
    monkeypatch.setattr(caches, "_compiler", lambda: ("another",))
    assert caches.folder_for(half) not in (before, None)


def test_sources_that_changed_after_they_were_loaded_keep_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(numba.config, "CACHE_DIR", str(tmp_path))
    before = Path(__file__).stat().st_mtime - 1.0
    monkeypatch.setattr(caches, "STARTED", before)
    assert caches.folder_for(half) is None


def test_a_function_without_a_file_is_compiled_too() -> None:
    space: dict[str, Any] = {}
    exec("def third(x):\n    return x / 3.0", space)
    assert caches.folder_for(space["third"]) is None
    assert kernel(real(real))(space["third"])(3.0) == 1.0


def test_what_nobody_used_for_long_is_removed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(numba.config, "CACHE_DIR", str(tmp_path))
    base = tmp_path / "glasstree"
    for name, days in (("old", 8), ("recent", 6)):
        (base / f"{caches.NAME}{name}").mkdir(parents=True)
        (base / f"{caches.NAME}{name}" / "file").touch()
        used = (base / f"{caches.NAME}{name}").stat().st_mtime - days * 24 * 3600
        os.utime(base / f"{caches.NAME}{name}", (used, used))
    folder = caches.folder_for(half)
    assert folder is not None
    assert set(base.iterdir()) == {folder, base / f"{caches.NAME}recent"}
    os.utime(folder, (0, 0))
    assert caches.folder_for(half) == folder
    assert folder.stat().st_mtime > 0, "each use counts"


def test_a_temporary_folder_of_others_is_not_trusted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    place = tmp_path / f"glasstree-{caches.USER}"
    assert caches._temporary() == place
    assert place.stat().st_mode & 0o777 == 0o700
    place.chmod(0o777)
    assert caches._temporary() is None
    place.rmdir()
    place.symlink_to(tmp_path)
    assert caches._temporary() is None


def test_a_kernel_is_compiled_by_one_process_at_a_time(tmp_path: Path) -> None:
    def doubled(x: float) -> float:
        return 2.0 * x

    with caches.one_at_a_time(tmp_path, doubled):
        (lock,) = tmp_path.glob("*.lock")
        with lock.open() as other, pytest.raises(BlockingIOError):
            fcntl.flock(other, fcntl.LOCK_EX | fcntl.LOCK_NB)
    with lock.open() as other:
        fcntl.flock(other, fcntl.LOCK_EX | fcntl.LOCK_NB)
