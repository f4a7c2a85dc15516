"""Kernels are compiled on two cores where a command learns, once for an installation."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from glasstree.cli.ahead import LEARNING, STARTED, compiling_ahead
from glasstree.progress import Compiling, Stage

ALONE = f"""
import sys
from importlib import import_module
from glasstree.cli.ahead import bare
with bare("glasstree.openloop"):
    [import_module(name) for name in {LEARNING}]
print("glasstree.openloop.growth" in sys.modules)
"""


def test_the_second_process_starts_once_with_the_first_kernel(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    python, told = tmp_path / "python", tmp_path / "told"
    python.write_text(f'#!/bin/sh\necho "$@" >> {told}\n')
    python.chmod(0o755)
    monkeypatch.setattr(sys, "executable", str(python))
    monkeypatch.setattr(os, "cpu_count", lambda: 2)
    before = len(STARTED)
    hear = compiling_ahead(["cartpole"])
    hear(Stage("collect"))
    assert not told.exists()
    for kernel in ("decide", "dot"):
        hear(Compiling(kernel))
    assert [second.wait(20) for second in STARTED[before:]] == [0]
    assert told.read_text() == "-P -m glasstree.cli.ahead cartpole\n"


def test_it_does_not_compile_in_the_order_of_the_command() -> None:
    code = [sys.executable, "-c", ALONE]
    assert subprocess.run(code, capture_output=True, text=True, check=True).stdout == "False\n"


def test_it_imports_what_proves_a_loop() -> None:
    code = (
        "import sys; from glasstree.cli.ahead import main; main(['mountaincar', 'psm5'])\n"
        "print([f'glasstree.prove.loops.{n}' in sys.modules for n in ('mountaincar', 'cartpole')])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "[True, False]\n"
