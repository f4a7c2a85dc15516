"""`fit`, `predict`, `score` and SQL: a table with words, gaps and commas, from file to file."""

import csv
import json
import sqlite3
from pathlib import Path

import numpy as np
import pytest

from commands import Command
from glasstree.policy import load

ROWS = 300


@pytest.fixture(scope="module")
def table(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A semicolon-separated file whose labels follow from a city and an age."""
    generator = np.random.default_rng(0)
    city = generator.choice(["Rome", "Milan", "Oslo", "Lima"], ROWS)
    age = generator.uniform(18, 80, ROWS)
    label = np.where(np.isin(city, ["Rome", "Milan"]) & (age > 40), "yes", "no")
    lines = ["city;age;id;label"]
    for row in range(ROWS):
        shown = "" if row % 20 == 19 else f"{age[row]:.2f}".replace(".", ",")
        lines.append(f"{city[row]};{shown};person {row};{label[row]}")
    path = tmp_path_factory.mktemp("table") / "table.csv"
    path.write_text("\n".join(lines) + "\n")
    return path


@pytest.fixture
def rules(glasstree: Command, table: Path, tmp_path: Path) -> Path:
    """The rules of that file."""
    words = ("fit", table, "--target", "label", "--drop", "id", "--out", tmp_path / "rules.json")
    answer = glasstree(*words)
    assert answer.code == 0
    assert "city in {Milan, Rome}" in answer.out
    return tmp_path / "rules.json"


def test_new_rows_are_labelled_and_scored_as_the_tree_decides(
    glasstree: Command, table: Path, rules: Path, tmp_path: Path
) -> None:
    assert load(rules).encoding is not None
    out = tmp_path / "predicted.csv"
    assert glasstree("predict", rules, table, "--out", out).code == 0
    with out.open() as file:
        found = list(csv.DictReader(file))
    assert len(found) == ROWS
    right = sum(row["predicted"] == row["label"] for row in found)
    answer = glasstree("score", rules, table, "--target", "label", "--json")
    figures = json.loads(answer.out)
    assert figures["accuracy"] == right / ROWS > 0.95
    assert figures["confusion"][0][0] + figures["confusion"][1][1] == right
    assert set(figures["classes"]) == {"no", "yes"}
    assert "recall" in glasstree("score", rules, table, "--target", "label").out


def test_the_query_gives_the_same_labels_in_sqlite(
    glasstree: Command, table: Path, rules: Path, tmp_path: Path
) -> None:
    answer = glasstree("export", rules, "--to", "sql", "--out", tmp_path / "rules.sql")
    assert answer.code == 0
    assert "all 100,000 states" in answer.err
    assert glasstree("predict", rules, table, "--out", tmp_path / "predicted.csv").code == 0
    with (tmp_path / "predicted.csv").open() as file:
        found = list(csv.DictReader(file))
    database = sqlite3.connect(":memory:")
    database.execute("CREATE TABLE data (city TEXT, age REAL)")
    cells = [(row["city"], row["age"].replace(",", ".") or None) for row in found]
    database.executemany("INSERT INTO data VALUES (?, ?)", cells)
    labels = [row[-1] for row in database.execute((tmp_path / "rules.sql").read_text())]
    database.close()
    assert labels == [row["predicted"] for row in found]


def test_rows_that_rules_cannot_read_are_refused_and_nothing_is_written(
    glasstree: Command, rules: Path, tmp_path: Path
) -> None:
    bad = tmp_path / "bad.csv"
    for content, words in (
        ("city\nRome\n", "has no column 'age'"),
        ("city,age\nRome,old\n", "line 2, column 'age': 'old' is not a number"),
    ):
        bad.write_text(content)
        answer = glasstree("predict", rules, bad, "--out", tmp_path / "none.csv")
        assert answer.code == 2
        assert words in answer.sentence
    assert not (tmp_path / "none.csv").exists()
