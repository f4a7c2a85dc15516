"""`glasstree` alone says what to do next."""

import os
import shlex
from pathlib import Path

import pytest
from typer.main import get_command

from commands import Command
from glasstree.cli import app
from glasstree.cli.console import program
from glasstree.cli.welcome import COMMANDS


def run_folder(name: str, finished: bool, age: int) -> None:
    folder = Path("runs", name)
    folder.mkdir(parents=True)
    (folder / "config.toml").write_text("")
    os.utime(folder / "config.toml", (10_000 - age, 10_000 - age))
    if finished:
        (folder / "report.html").write_text("")


def test_a_newcomer_begins_with_a_task(
    glasstree: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    told = glasstree()
    assert told.code == 0
    assert "glasstree run cartpole\n" in told.out and "--help" in told.out
    assert max(map(len, told.out.splitlines())) <= 80 + len(program())


def test_runs_are_looked_at_or_finished_the_latest_first(
    glasstree: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    run_folder("old", finished=True, age=9)
    run_folder("mine/stopped", finished=False, age=1)
    lines = glasstree().out.splitlines()
    assert lines[3].endswith("run --resume --out runs/mine/stopped")
    assert lines[5].endswith("report runs/old --open")
    assert not any("run cartpole" in line for line in lines)


@pytest.mark.parametrize("words", COMMANDS)
def test_what_it_names_exists(words: str) -> None:
    name, *rest = shlex.split(words)
    if not name.startswith("-"):
        command = get_command(app).commands[name]  # type: ignore[attr-defined]
        known = {option for parameter in command.params for option in parameter.opts}
        assert {word for word in rest if word.startswith("--")} <= known
