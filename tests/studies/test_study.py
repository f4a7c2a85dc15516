"""Studies keep each finished cell at once, repeat none, and know the paper's values."""

import json
from collections.abc import Mapping
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from glasstree import progress
from glasstree.errors import OptionError
from glasstree.studies import TABLES, Bench, Cell, Missing, Plan, get_study
from glasstree.studies.runner import code, settle, store_in
from glasstree.studies.study import paper_values, spread


class Counter:
    """Squares numbers, knows which, and may be interrupted."""

    def __init__(self, stop_at: int | None = None) -> None:
        self.asked: list[int] = []
        self.stop_at = stop_at

    def measure(self, settings: Mapping[str, Any]) -> dict[str, Any]:
        """Square a number."""
        if settings["number"] == self.stop_at:
            raise KeyboardInterrupt
        self.asked.append(settings["number"])
        progress.emit(progress.Note("a detail"))
        return {"square": settings["number"] ** 2}

    def cell(self, number: int) -> Cell:
        """Return the cell of a number."""
        return Cell("square", self.measure, {"number": number})

    def total(self, bench: Bench, runs: int) -> int:
        """Add squares, then square the sum: a second wave of cells."""
        total = sum(found["square"] for found in bench(*map(self.cell, range(runs))))
        return int(bench(self.cell(total))[0]["square"])

    def settle(self, folder: Path, runs: int = 4) -> dict[str, Any]:
        """Do all the work."""
        return settle({"total": partial(self.total, runs=runs)}, folder)


def test_later_cells_come_from_earlier_ones(tmp_path: Path) -> None:
    counter = Counter()
    assert counter.settle(tmp_path) == {"total": 14**2}
    assert counter.asked == [0, 1, 2, 3, 14]
    assert json.loads(store_in(tmp_path).path(counter.cell(14).name).read_text())["measured"] == {
        "square": 196
    }


def test_works_that_ask_for_the_same_cell_share_it(tmp_path: Path) -> None:
    counter = Counter()
    works = {"a": lambda bench: bench(counter.cell(3)), "b": lambda bench: bench(counter.cell(3))}
    assert settle(works, tmp_path) == {"a": [{"square": 9}], "b": [{"square": 9}]}
    assert counter.asked == [3]


def test_what_takes_longest_begins_first(tmp_path: Path) -> None:
    counter = Counter()
    cells = [
        Cell("square", counter.measure, {"number": n}, effort=float(n % 3)) for n in range(1, 5)
    ]
    settle({"all": lambda bench: bench(*cells)}, tmp_path)
    assert counter.asked == [2, 1, 4, 3]


def test_an_interrupted_study_goes_on_where_it_was(tmp_path: Path) -> None:
    stopped, resumed, whole = Counter(stop_at=2), Counter(), Counter()
    with pytest.raises(KeyboardInterrupt):
        stopped.settle(tmp_path / "a")
    assert resumed.settle(tmp_path / "a") == whole.settle(tmp_path / "b")
    assert (stopped.asked, resumed.asked) == ([0, 1], [2, 3, 14])
    kept = sorted(path.name for path in (tmp_path / "b" / "cells").iterdir())
    assert kept == sorted(path.name for path in (tmp_path / "a" / "cells").iterdir())
    for name in kept:
        one, two = (json.loads((tmp_path / folder / "cells" / name).read_text()) for folder in "ab")
        assert one.pop("took") >= 0.0 and two.pop("took") >= 0.0
        assert one == two


@pytest.mark.parametrize(
    "content", ["{", "[]", '{"settings": {"number": 7}, "measured": {}}', '{"code": "0"}']
)
def test_a_damaged_or_different_cell_is_measured_again(tmp_path: Path, content: str) -> None:
    counter = Counter()
    counter.settle(tmp_path, runs=2)
    store_in(tmp_path).path(counter.cell(1).name).write_text(content)
    again = Counter()
    again.settle(tmp_path, runs=2)
    assert again.asked == [1]


def test_a_cell_of_earlier_code_is_measured_again(tmp_path: Path) -> None:
    counter = Counter()
    counter.settle(tmp_path, runs=2)
    path = store_in(tmp_path).path(counter.cell(1).name)
    document = json.loads(path.read_text())
    assert document["code"] == code()
    for earlier in ({**document, "code": "0" * 16}, {**document, "code": None}):
        path.write_text(json.dumps(earlier))
        again = Counter()
        again.settle(tmp_path, runs=2)
        assert again.asked == [1]


def test_listeners_hear_cells_and_no_details(tmp_path: Path) -> None:
    heard: list[progress.Event] = []
    with progress.listening(heard.append):
        settle({"two": lambda bench: bench(*map(Counter().cell, range(2)))}, tmp_path)
    assert heard == [
        progress.Stage("cells", 2),
        *(progress.Advance("cells", number, {}) for number in range(3)),
    ]


def test_a_bench_says_what_is_missing() -> None:
    bench, counter = Bench(), Counter()
    bench.known[counter.cell(1).name] = {"square": 1}
    with pytest.raises(Missing, match="1 cells are missing"):
        bench(counter.cell(1), counter.cell(2))
    assert bench(counter.cell(1)) == [{"square": 1}]


def test_no_runs_are_refused() -> None:
    with pytest.raises(OptionError, match="at least 1 run, got 0"):
        Plan(runs=0)


def test_an_unknown_study_suggests_the_nearest() -> None:
    with pytest.raises(OptionError, match="did you mean 'table1'"):
        get_study("tabel1")


@pytest.mark.parametrize("name", TABLES)
def test_every_printed_figure_has_its_row_and_column(name: str) -> None:
    study, paper = get_study(name), paper_values(name)
    assert study.name == name
    keys = {column.key for column in study.columns}
    rows = [row.name for row in study.rows(Plan())]
    assert set(paper) <= set(rows)
    assert len(set(rows)) == len(rows)
    assert {row.name for row in study.rows(Plan(quick=True))} <= set(rows)
    for figures in paper.values():
        assert set(figures) <= keys
        assert all(len(values) in (1, 2) for values in figures.values())


def test_a_spread_is_over_all_values() -> None:
    assert spread([1.0, 2.0, 6.0]) == pytest.approx((3.0, 2.1602468994692865))
