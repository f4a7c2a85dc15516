"""Ctrl-C: exit code 130, one sentence, no traceback, nothing half-written, and a way on."""

import os
import re
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from glasstree.cli import STOPPED
from glasstree.runs.store import CONFIG, FILES

PAPER = ("run", "cartpole", "--recipe", "paper", "--out", "run")
# a job in the background inherits a deaf ear for Ctrl-C; these processes must hear it
CODE = (
    "import signal, sys; signal.signal(signal.SIGINT, signal.default_int_handler)\n"
    "from glasstree.__main__ import main; sys.exit(main())"
)


def start(*words: str, folder: Path) -> subprocess.Popen[str]:
    """Start the command in a process of its own."""
    return subprocess.Popen(
        [sys.executable, "-c", CODE, *words],
        cwd=folder,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "COLUMNS": "200"},
    )


def interrupt(process: subprocess.Popen[str]) -> tuple[int, str, str]:
    """Press Ctrl-C and wait for the end."""
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=60)
    return process.returncode, out, err


def wait_for(path: Path, process: subprocess.Popen[str]) -> None:
    """Wait until a file is there."""
    while not path.exists():
        assert process.poll() is None, process.communicate()
        with pytest.raises(subprocess.TimeoutExpired):
            process.wait(0.01)


def test_a_stopped_run_keeps_its_parts_and_resumes_to_the_same_bytes(
    tmp_path: Path, cartpole_run: Path
) -> None:
    folder = tmp_path / "run"
    process = start(*PAPER, folder=tmp_path)
    wait_for(folder / "train.npz", process)
    code, out, err = interrupt(process)
    assert (code, out) == (130, "")
    assert err.strip().splitlines()[-1] == f"glasstree: {STOPPED}"
    assert "Traceback" not in err
    kept = {entry.name for entry in folder.iterdir()}
    assert {CONFIG, "train.npz"} <= kept <= set(FILES) - {"metrics.json", "report.html"}
    process = start(*PAPER, "--resume", "--json", folder=tmp_path)
    out, err = process.communicate(timeout=120)
    assert process.returncode == 0, err
    for name in ("train.npz", "test.npz", "open_loop.json", "closed_loop.json", "policy.json"):
        assert (folder / name).read_bytes() == (cartpole_run / name).read_bytes()


def test_json_stays_silent_on_standard_output(tmp_path: Path, cartpole_run: Path) -> None:
    policy = str(cartpole_run / "policy.json")
    for patience in (2.0, 10.0, 50.0):
        process = start("evaluate", policy, "--episodes", "200000000", "--json", folder=tmp_path)
        with pytest.raises(subprocess.TimeoutExpired):
            process.wait(patience)
        code, out, err = interrupt(process)
        assert (code, out) == (130, "")
        if "before anything began" not in err:
            break
    assert re.fullmatch(f"glasstree: {STOPPED}\n", err)


def test_while_a_command_is_still_being_imported(tmp_path: Path) -> None:
    (tmp_path / "slow.py").write_text(
        "import os, signal\nos.kill(os.getpid(), signal.SIGINT)\nfor _ in range(10**9): pass\n"
    )
    code = f"import builtins, sys; sys.path.insert(0, {str(tmp_path)!r})\n" + (
        "real = builtins.__import__\n"
        "def late(name, *rest):\n"
        "    if name == 'typer': real('slow')\n"
        "    return real(name, *rest)\n"
        "builtins.__import__ = late\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", code + CODE, "tasks"], capture_output=True, text=True, check=False
    )
    assert done.returncode == 130
    assert done.stderr == "glasstree: interrupted before anything began\n"


def test_python_dash_m_is_the_command_too() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "glasstree", "--help"], capture_output=True, text=True, check=True
    )
    assert "reproduce" in done.stdout


def test_a_terminal_of_few_characters_gets_codes(tmp_path: Path) -> None:
    rows = [f"{i % 7},{i % 5},{'big' if i % 7 > 3 else 'small'}" for i in range(70)]
    (tmp_path / "table.csv").write_text("\n".join(["größe,b,size", *rows]), encoding="utf-8")
    done = subprocess.run(
        [sys.executable, "-c", CODE, "fit", "table.csv", "--target", "size"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, "PYTHONIOENCODING": "ascii"},
    )
    assert done.returncode == 0, done.stderr
    assert "gr\\xf6\\xdfe" in done.stdout
