"""The examples and the README's Python run, and say what they promise."""

import runpy
from pathlib import Path

import pytest

from glasstree.closedloop import ReoptimisationOptions
from test_docs import blocks

ROOT = Path(__file__).parents[1]


def run(name: str, capsys: pytest.CaptureFixture[str]) -> str:
    """Run an example as a script and return what it prints."""
    runpy.run_path(str(ROOT / "examples" / f"{name}.py"), run_name="__main__")
    return capsys.readouterr().out


def test_cartpole_is_distilled(capsys: pytest.CaptureFixture[str]) -> None:
    out = run("distil_cartpole", capsys)
    assert "re-engineered   200.00 reward  100.0% success" in out
    assert "1 rule(s)" in out
    assert "it goes right" in out or "it goes left" in out


def test_flowers_are_told_apart(capsys: pytest.CaptureFixture[str]) -> None:
    out = run("classify_iris", capsys)
    accuracy = float(out.split("unseen flowers: ")[1].split("%")[0])
    assert accuracy > 85
    assert "setosa" in out
    assert "[petal" in out


def test_a_controller_of_ones_own_environment_is_given_back(
    capsys: pytest.CaptureFixture[str],
) -> None:
    out = run("own_environment", capsys)
    rows = out.split("\n\n")[0].splitlines()
    rewards = {line[:14].strip(): float(line[14:]) for line in rows}
    assert rewards["re-engineered"] > rewards["oracle"] - 2.0
    assert "inside" in out


def test_every_example_is_run_here() -> None:
    names = {path.stem for path in (ROOT / "examples").glob("*.py")}
    assert names == {"distil_cartpole", "classify_iris", "own_environment"}


def test_the_readmes_python_runs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(ReoptimisationOptions, "compiled", lambda _: ReoptimisationOptions())
    (code,) = blocks(ROOT / "README.md", "python")
    exec(compile(code, "README.md", "exec"), {})
    assert "success_rate=1.0" in capsys.readouterr().out
    assert (tmp_path / "policy.json").is_file()
