"""`glasstree report` and `glasstree figures` on runs in all states."""

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from glasstree.cli import app, register
from glasstree.closedloop import ReoptimisationOptions
from glasstree.errors import RunError
from glasstree.oracles import load_oracle
from glasstree.pipeline import run_stages
from glasstree.report import write_report
from glasstree.runs.content import content_of
from glasstree.runs.store import open_store
from glasstree.tasks import get_task
from toys import little

register()


def call(*words: str) -> dict[str, object]:
    """Run a command and read what it says."""
    done = CliRunner().invoke(app, [*words, "--json"], catch_exceptions=False)
    assert done.exit_code == 0, done.output
    found: dict[str, object] = json.loads(done.stdout)
    return found


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A finished run of little effort, with its page."""
    folder = tmp_path_factory.mktemp("runs") / "hill"
    task = get_task("mountaincar")
    closed_loop = ReoptimisationOptions(
        generations=2, racing_episodes=20, choosing_episodes=20, trees=1, population=8
    )
    options = little(data="regular", samples=200, episodes=20, closed_loop=closed_loop)
    config = {"task": task.name, "oracle": task.name, "options": {"seed": 0, "episodes": 20}}
    result = run_stages(task, None, options, open_store(folder, config))
    content = content_of(
        task, result.policies, result.performances, load_oracle(task.name, task), result.summary()
    )
    write_report(content, folder / "report.html")
    return folder


def test_a_run_ends_with_its_page_and_report_makes_the_same(run: Path, tmp_path: Path) -> None:
    again = tmp_path / "again.html"
    assert call("report", str(run), "--out", str(again))["report"] == str(again)
    assert again.read_bytes() == (run / "report.html").read_bytes()


def test_several_runs_on_one_page(run: Path, tmp_path: Path) -> None:
    both = tmp_path / "both.html"
    call("report", str(run), str(run), "--out", str(both))
    text = both.read_text()
    assert '<h1 id="choose-title">2 policies</h1>' in text
    assert "Reward against complexity" in text


def test_figures_of_a_run(run: Path) -> None:
    paths = [Path(str(path)) for path in call("figures", str(run))["figures"]]  # type: ignore[attr-defined]
    assert all(path.parent == run / "figures" and path.exists() for path in paths)
    assert {path.suffix for path in paths} == {".png", ".svg"}


def test_an_interrupted_run_has_a_page(run: Path, tmp_path: Path) -> None:
    part = tmp_path / "part"
    part.mkdir()
    for name in ("config.toml", "open_loop.json"):
        (part / name).write_bytes((run / name).read_bytes())
    call("report", str(part))
    text = (part / "report.html").read_text()
    assert '<th scope="row">open loop</th>' in text
    assert '<th scope="row">closed loop</th>' not in text


def test_a_run_whose_oracle_is_gone_has_a_page(run: Path, tmp_path: Path) -> None:
    part = tmp_path / "part"
    part.mkdir()
    for name in ("open_loop.json", "policy.json"):
        (part / name).write_bytes((run / name).read_bytes())
    config = (run / "config.toml").read_text()
    config = config.replace('oracle = "mountaincar"', 'oracle = "gone.npz"')
    (part / "config.toml").write_text(config)
    call("report", str(part))
    assert '<th scope="row">oracle</th>' not in (part / "report.html").read_text()


def test_a_folder_without_a_run_is_refused(tmp_path: Path) -> None:
    with pytest.raises(RunError, match="holds no run"):
        call("report", str(tmp_path))
