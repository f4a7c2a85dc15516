"""Studies keep each finished cell at once, repeat none, and write the paper's values beside."""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

from glasstree import progress
from glasstree.errors import OptionError
from glasstree.studies import Cell, Column, Plan, Row, Study, get_study, reproduce, study_names
from glasstree.studies.study import Measured, paper_values, spread


class Counter:
    """A study of squares that knows how often it was asked."""

    def __init__(self, stop_at: int | None = None) -> None:
        self.asked: list[int] = []
        self.stop_at = stop_at

    def measure(self, settings: Mapping[str, Any]) -> dict[str, Any]:
        """Square a number, or be interrupted."""
        if settings["number"] == self.stop_at:
            raise KeyboardInterrupt
        self.asked.append(settings["number"])
        progress.emit(progress.Note("a detail"))
        return {"square": settings["number"] ** 2}

    def rows(self, finished: Sequence[tuple[Cell, Measured]]) -> list[Row]:
        """Put all squares into one row."""
        ours = {"square": spread([measured["square"] for _, measured in finished])}
        return [Row("all", {"square": (2.0, 1.0), "other": (1.0,)}, ours)]

    @property
    def study(self) -> Study:
        """The study itself."""
        return Study(
            name="squares",
            title="Squares",
            setting="numbers",
            columns=(Column("square", "square", 1), Column("other", "other", 0)),
            cells=lambda plan: [Cell(f"n{n}", {"number": n}) for n in range(plan.runs)],
            measure=self.measure,
            rows=self.rows,
            notes="Numbers squared.",
        )


def test_the_table_has_the_papers_line_above_ours(tmp_path: Path) -> None:
    result = reproduce(Counter().study, tmp_path, Plan(runs=3))
    text = (tmp_path / "squares.md").read_text()
    assert "| numbers |  | square | other |" in text
    assert "| all | paper | 2.0 ± 1.0 | 1 |" in text
    assert "|  | glasstree | 1.7 ± 1.7 | - |" in text
    assert "`glasstree reproduce squares --runs 3`" in text
    assert result["rows"][0]["ours"]["square"] == pytest.approx((5 / 3, 1.6996731711975948))


def test_an_interrupted_study_goes_on_where_it_was(tmp_path: Path) -> None:
    stopped, resumed, whole = Counter(stop_at=2), Counter(), Counter()
    with pytest.raises(KeyboardInterrupt):
        reproduce(stopped.study, tmp_path / "a", Plan(runs=4))
    assert not (tmp_path / "a" / "squares.md").exists()
    reproduce(resumed.study, tmp_path / "a", Plan(runs=4))
    reproduce(whole.study, tmp_path / "b", Plan(runs=4))
    assert (stopped.asked, resumed.asked, whole.asked) == ([0, 1], [2, 3], [0, 1, 2, 3])
    for name in ("squares.md", "squares/n0.json", "squares/n3.json"):
        assert (tmp_path / "a" / name).read_bytes() == (tmp_path / "b" / name).read_bytes()


@pytest.mark.parametrize("content", ["{", "[]", '{"settings": {"number": 7}, "measured": {}}'])
def test_a_damaged_or_different_cell_is_measured_again(tmp_path: Path, content: str) -> None:
    reproduce(Counter().study, tmp_path, Plan(runs=2))
    (tmp_path / "squares" / "n1.json").write_text(content)
    again = Counter()
    reproduce(again.study, tmp_path, Plan(runs=2))
    assert again.asked == [1]


def test_a_cell_of_another_version_is_measured_again(tmp_path: Path) -> None:
    reproduce(Counter().study, tmp_path, Plan(runs=1))
    path = tmp_path / "squares" / "n0.json"
    path.write_text(json.dumps({**json.loads(path.read_text()), "version": "0.0.1"}))
    again = Counter()
    reproduce(again.study, tmp_path, Plan(runs=1))
    assert again.asked == [0]


def test_listeners_hear_cells_and_no_details(tmp_path: Path) -> None:
    heard: list[progress.Event] = []
    with progress.listening(heard.append):
        reproduce(Counter().study, tmp_path, Plan(runs=2))
    assert heard == [
        progress.Stage("squares", 2),
        progress.Advance("squares", 1, {}),
        progress.Advance("squares", 2, {}),
    ]


def test_no_runs_are_refused() -> None:
    with pytest.raises(OptionError, match="at least 1 run, got 0"):
        Plan(runs=0)


def test_an_unknown_study_suggests_the_nearest() -> None:
    with pytest.raises(OptionError, match="did you mean 'table1'"):
        get_study("tabel1")


@pytest.mark.parametrize("name", study_names())
def test_every_study_has_its_papers_values_for_every_row(name: str) -> None:
    study, paper = get_study(name), paper_values(name)
    assert study.name == name
    keys = {column.key for column in study.columns}
    for figures in paper.values():
        assert set(figures) <= keys
        assert all(len(pair) == 2 for pair in figures.values())
    for plan in (Plan(runs=2), Plan(runs=2, quick=True)):
        names = [cell.name for cell in study.cells(plan)]
        assert len(set(names)) == len(names)
