"""Every command with `--json` prints one JSON object on standard output and nothing else."""

import json
from pathlib import Path

import pytest

from commands import Command
from glasstree import __version__

SMALL = ("--recipe", "paper", "--samples", "300", "--episodes", "100")


def table(folder: Path) -> Path:
    """A table that one rule explains."""
    path = folder / "table.csv"
    rows = [f"{i % 7},{i % 5},{'big' if i % 7 > 3 else 'small'}" for i in range(70)]
    path.write_text("\n".join(["a,b,size", *rows]))
    return path


def test_run(glasstree: Command, tmp_path: Path) -> None:
    answer = glasstree("run", "cartpole", *SMALL, "--out", tmp_path / "run", "--json")
    figures = json.loads(answer.out)
    for key in ("mean_reward", "episode_sd", "batch_sd", "success_rate", "ci95", "episodes"):
        assert key in figures
    assert figures["policy"] == str(tmp_path / "run" / "policy.json")
    assert answer.err == ""


def test_evaluate(glasstree: Command, cartpole_run: Path) -> None:
    policy = cartpole_run / "policy.json"
    answer = glasstree("evaluate", policy, "--episodes", 10_000, "--json")
    figures = json.loads(answer.out)
    assert figures["episodes"] == 10_000
    assert figures["success_rate"] > 0.999
    assert figures["ci95"][0] <= figures["mean_reward"] <= figures["ci95"][1]
    assert (figures["task"], figures["seed"]) == ("cartpole", 0)


def test_fit(glasstree: Command, tmp_path: Path) -> None:
    path, out = table(tmp_path), tmp_path / "policy.json"
    answer = glasstree("fit", path, "--target", "size", "--test", path, "--out", out, "--json")
    figures = json.loads(answer.out)
    assert figures["train_accuracy"] == figures["test_accuracy"] == 1.0
    assert (figures["rules"], figures["rule_length"], figures["depth"]) == (1, 1.0, 1)


@pytest.mark.parametrize("format", ["text", "json"])
def test_export(glasstree: Command, cartpole_run: Path, format: str) -> None:
    policy = cartpole_run / "policy.json"
    answer = glasstree("export", policy, "--to", format, "--states", 100, "--json")
    assert json.loads(answer.out)["content"]


def test_tasks(glasstree: Command) -> None:
    known = json.loads(glasstree("tasks", "--json").out)
    assert known["cartpole"]["step_limit"] == 200
    assert known["cartpole"]["states"]["theta"] == "rad"


def test_errors_leave_standard_output_empty(glasstree: Command, tmp_path: Path) -> None:
    answer = glasstree("evaluate", tmp_path / "none.json", "--json")
    assert (answer.code, answer.out) == (2, "")


def test_the_version_is_told(glasstree: Command) -> None:
    answer = glasstree("--version")
    assert (answer.code, answer.out) == (0, f"glasstree {__version__}\n")
