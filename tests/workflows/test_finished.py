"""A finished run is shown again without playing anything; its seconds are those of all parts."""

import json
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import glasstree as gt
from glasstree import progress
from glasstree.cli.commands.learn.run import shortfall
from glasstree.errors import RunError
from glasstree.runs import clock
from glasstree.runs.clock import SECONDS
from glasstree.runs.store import RunStore, open_store
from toys import LAMP_TASK, SLOW_LAMP_TASK, lamp_oracle
from workflows.test_variations import FEW

CONFIG = {"task": "lamp", "oracle": "lamp", "options": {}}
PLAYERS = {  # who advances episodes, one by one
    "glasstree.episodes.play": "_play_chunk",
    "glasstree.episodes.scoring": "play_chunk",
    "glasstree.episodes.compiled": "roll_trees",
}


def run(folder: Path, task: Any = LAMP_TASK, **words: Any) -> gt.Result:
    return gt.distill(task, lamp_oracle, out=folder, **FEW, **words)


def contents(folder: Path) -> dict[str, bytes]:
    files = (path for path in folder.rglob("*") if path.is_file())
    return {str(path.relative_to(folder)): path.read_bytes() for path in files}


@pytest.fixture(params=[LAMP_TASK, SLOW_LAMP_TASK], ids=["compiled", "own"])
def task(request: pytest.FixtureRequest) -> Any:
    return request.param


def forbid_playing(monkeypatch: pytest.MonkeyPatch) -> None:
    def forbidden(*_: object, **__: object) -> None:
        raise AssertionError("nothing may be played")

    for module, name in PLAYERS.items():
        monkeypatch.setattr(import_module(module), name, forbidden)


def test_a_finished_run_is_shown_again_without_playing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, task: Any
) -> None:
    folder = tmp_path / "run"
    first, before = run(folder, task), contents(folder)
    assert SECONDS not in before
    forbid_playing(monkeypatch)
    again = run(folder, task, resume=True)
    assert again.summary() == json.loads(json.dumps(first.summary()), object_hook=_tuples)
    assert all(
        np.array_equal(found.rewards, first.performances[name].rewards)
        for name, found in again.performances.items()
    )
    assert contents(folder) == before


def _tuples(values: dict[str, Any]) -> dict[str, Any]:
    return {name: tuple(of) if name == "ci95" else of for name, of in values.items()}


def test_after_a_pick_nothing_is_played_either(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "run"
    run(folder)
    picked = gt.open_run(folder).pick("simplest")
    before = contents(folder)
    forbid_playing(monkeypatch)
    again = run(folder, resume=True)
    assert again.policy == picked
    assert again.summary()["complexity"] == picked.complexity
    assert contents(folder) == before
    assert shortfall(again) is not None


@pytest.mark.parametrize("name", ["rewards.npz", "metrics.json"])
def test_what_was_removed_is_made_again(tmp_path: Path, name: str) -> None:
    folder = tmp_path / "run"
    run(folder)
    before = contents(folder)
    (folder / name).unlink()
    run(folder, resume=True)
    after = contents(folder)
    assert after["rewards.npz"] == before["rewards.npz"]
    assert after.keys() == before.keys()


def test_seconds_count_all_parts_of_an_interrupted_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    now = [0.0]
    monkeypatch.setattr(clock, "perf_counter", lambda: now[0])

    def later(_: progress.Event) -> None:
        now[0] += 100.0
        if now[0] == 500.0:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt), progress.listening(later):
        run(tmp_path / "run")
    spent = json.loads((tmp_path / "run" / SECONDS).read_text())
    assert spent >= 100.0
    now[0] = 1e9  # the stop itself does not count
    with progress.listening(lambda event: now.__setitem__(0, now[0] + 10.0)):
        result = run(tmp_path / "run", resume=True)
    assert spent + 10.0 < result.figures["seconds"] < spent + 1000.0
    page = (tmp_path / "run" / "report.html").read_text()
    assert f"the whole run took {result.figures['seconds']:,.0f} s" in page


def test_the_clock_of_a_run_is_checked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(clock, "BETWEEN", 0.0)
    with open_store(tmp_path / "run", CONFIG) as store:
        store.document("part.json", 1)
    assert json.loads((tmp_path / "run" / SECONDS).read_text()) > 0.0
    (tmp_path / "run" / SECONDS).write_text('"long"')
    with pytest.raises(RunError, match=r"seconds.json is damaged.*--resume"):
        RunStore(tmp_path / "run")
