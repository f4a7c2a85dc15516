"""Cells of studies travel in one file, and default runs that were made are not made again."""

from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
import study_cells
from peers.notes import begin, note_of

from benchmarks.test_ours import tiny
from glasstree.studies import measures, recipes
from glasstree.studies.runner import code, store_in
from glasstree.studies.study import Plan
from glasstree.workflows.distillation import distill


def test_packed_cells_come_back_unless_other_code_made_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(study_cells, "PACKED", tmp_path / "cells.jsonl.gz")
    store_in(tmp_path / "here").keep("one", code(), {"measured": {"reward": [1.0, 0.5]}})
    store_in(tmp_path / "here").keep("two", "older", {"measured": {}})
    assert study_cells.pack(tmp_path / "here") == 1
    assert study_cells.unpack(tmp_path / "there") == 1
    assert study_cells.unpack(tmp_path / "there") == 0
    there = store_in(tmp_path / "there")
    assert list(there.names()) == ["one"]
    assert there.read("one") == store_in(tmp_path / "here").read("one")


def test_an_adopted_run_is_what_the_study_would_have_measured(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(study_cells, "TASKS", ("cartpole",))
    place = tmp_path / "runs" / "cartpole-default-1"
    begin(place, "cartpole")
    distill("cartpole", options=replace(tiny(), seed=1), out=place, progress=False)
    assert study_cells.adopt(tmp_path / "cells", tmp_path / "runs") == 1
    cell = recipes.default_runs(Plan(), "cartpole")[1]
    adopted = store_in(tmp_path / "cells").read(cell.name)["measured"]

    def small(*_: Any, **words: Any) -> Any:
        return replace(tiny(), seed=words["seed"])

    monkeypatch.setattr(measures, "Options", SimpleNamespace(for_task=small))
    measured = measures.default_run(cell.settings)
    assert {**adopted, "seconds": 0} == {**measured, "seconds": 0}
    note_of(place).write_text("older\n")
    assert study_cells.adopt(tmp_path / "others", tmp_path / "runs") == 0
