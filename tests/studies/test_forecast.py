"""A reproduction says beforehand how much it measures, and how long such cells took before."""

from collections import Counter
from pathlib import Path

import pytest

from glasstree.studies import TABLES, Cell, Plan, get_study, measures
from glasstree.studies.forecast import forecast, kind, missing_cells, stand_in
from glasstree.studies.layout import works
from glasstree.studies.runner import code, store_in

QUICK = Plan(2, quick=True)


def asked(name: str, folder: Path, plan: Plan = QUICK) -> list[Cell]:
    """Return the cells that a table asks for."""
    return missing_cells(works(get_study(name), plan).values(), folder)


def keep(cell: Cell, folder: Path, made: str, took: float) -> None:
    """Keep a cell as if it had been measured."""
    found = {"settings": cell.settings, "measured": stand_in(cell), "took": took}
    store_in(folder).keep(cell.name, made, found)


def told(folder: Path, workers: int = 1, name: str = "table4") -> str:
    """Return what is said before a table."""
    return forecast(works(get_study(name), QUICK).values(), folder, workers, quick=True)


@pytest.mark.parametrize("name", TABLES)
def test_every_table_can_be_looked_at_before_anything_is_measured(
    name: str, tmp_path: Path
) -> None:
    cells = asked(name, tmp_path, Plan(10))
    assert len({cell.name for cell in cells}) == len(cells)
    assert (name == "table7") == (not cells)


def test_later_cells_are_counted_too(tmp_path: Path) -> None:
    cells = asked("table4", tmp_path)
    assert Counter(cell.measure for cell in cells) == {measures.imitation: 8, measures.control: 8}
    cells = asked("table6", tmp_path, Plan(10))
    counts = Counter(cell.measure for cell in cells)
    assert counts[measures.reoptimisation] == 5 * 10
    assert counts[measures.control] == 2 * 5 * (10 + 3) + 1


def test_what_is_kept_is_not_counted(tmp_path: Path) -> None:
    cells = asked("table4", tmp_path)
    assert told(tmp_path) == (
        "16 cells are to be measured; how long they take is known once some of them are"
    )
    for cell in cells[:3]:
        keep(cell, tmp_path, code(), 1.0)
    assert {cell.name for cell in asked("table4", tmp_path)} == {cell.name for cell in cells[3:]}
    for cell in cells:
        keep(cell, tmp_path, code(), 1.0)
    assert told(tmp_path) == ""


def test_time_comes_from_cells_of_the_same_kind(tmp_path: Path) -> None:
    first = asked("table4", tmp_path)[0]
    keep(first, tmp_path, "earlier code", 120.0)
    alike = sum(kind(cell.name) == kind(first.name) for cell in asked("table4", tmp_path))
    assert told(tmp_path) == (
        f"16 cells are to be measured; by such cells before, {2 * alike} core minutes, "
        f"and {16 - alike} of kinds that are new here"
    )
    assert f"on 2 cores about {alike} minutes" in told(tmp_path, workers=2)
