"""Table 1 measures what the paper's table does."""

import pytest

from glasstree.studies import Cell, Plan
from glasstree.studies.table1 import STUDY, cells, measure, rows


def measured(test: float, completion: float) -> dict[str, object]:
    """A run with these figures."""
    figures = {"train_accuracy": 99.0, "test_accuracy": test, "rules": 1, "rule_length": 4.0}
    return {**figures, "reward": [190.0 + test / 10, 1.0], "completion": [completion, 2.0]}


def test_a_cell_measures_data_rules_and_control() -> None:
    found = measure({"size": 300, "seed": 1, "test_size": 500, "episodes": 200})
    assert 80.0 < found["test_accuracy"] <= 100.0
    assert found["train_accuracy"] >= found["test_accuracy"] - 5.0
    assert found["rules"] in (1, 2, 3)
    assert found["rule_length"] >= 1.0
    assert 0.0 < found["reward"][0] <= 200.0
    assert 0.0 <= found["completion"][0] <= 100.0


def test_all_sizes_of_the_paper_are_measured_once_a_run() -> None:
    settings = [cell.settings for cell in cells(Plan(runs=3))]
    assert sorted({item["size"] for item in settings}) == [100, 500, 1000, 5000, 10_000]
    assert len(settings) == 15
    assert {(item["test_size"], item["episodes"]) for item in settings} == {(10_000, 5000)}


def test_control_is_that_of_the_median_tree() -> None:
    runs = [measured(90.0, 50.0), measured(80.0, 10.0), measured(99.0, 100.0)]
    cell = Cell("100", {"size": 100})
    (row,) = rows([(cell, run) for run in runs])
    assert row.name == "100"
    assert row.ours["completion"] == (50.0, 2.0)
    assert row.ours["reward"] == (199.0, 1.0)
    assert row.ours["test_accuracy"] == pytest.approx((89.667, 7.760), abs=1e-3)
    assert row.ours["all_completion"] == pytest.approx((53.333, 36.818), abs=1e-3)
    assert row.paper["rules"] == [1.5, 0.5]


def test_columns_are_those_that_rows_fill() -> None:
    (row,) = rows([(Cell("100", {"size": 100}), measured(90.0, 50.0))])
    assert set(row.ours) == {column.key for column in STUDY.columns}
