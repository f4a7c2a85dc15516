"""`glasstree explain --row`: why a row of a table gets its label, in the table's words."""

import json
from pathlib import Path

import numpy as np
import pytest

from commands import Command

TABLE = "clients.csv"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Write a table of words, numbers and gaps whose rule is known, and learn it."""
    from glasstree.workflows.fitting import fit

    folder = tmp_path_factory.mktemp("rows")
    generator = np.random.default_rng(0)
    city = generator.choice(["Rome", "Milan", "Oslo", "Lima"], 300)
    age = generator.uniform(18, 80, 300).round()
    yes = np.isin(city, ["Rome", "Milan"]) & (age > 40)
    shown = ["" if n % 11 == 0 else f"{a:.0f}" for n, a in enumerate(age)]
    lines = [f"{c},{a},{'yes' if y else 'no'}" for c, a, y in zip(city, shown, yes, strict=True)]
    (folder / TABLE).write_text("\n".join(["city,age,bought", *lines]) + "\n")
    fit(folder / TABLE, "bought", folder / "rules.json", depth=2, terms=1)
    new = ["city,age", "Oslo,70", "Rome,70", "Rome,20", "Lima,"]
    (folder / "new.csv").write_text("\n".join(new) + "\n")
    return folder


def told(glasstree: Command, folder: Path, row: int) -> dict[str, object]:
    """Explain a row of the new table."""
    words = ("--data", folder / "new.csv", "--row", row, "--json")
    return json.loads(glasstree("explain", folder / "rules.json", *words).out)


def test_a_row_is_explained_by_its_cells(glasstree: Command, folder: Path) -> None:
    found = told(glasstree, folder, 1)
    assert found["label"] == "no"
    assert {flip["value"] for flip in found["flips"] if flip["column"] == "city"} == {
        "Milan",
        "Rome",
    }
    assert told(glasstree, folder, 2)["label"] == "yes"


def test_a_number_turns_the_label_where_the_rule_says(glasstree: Command, folder: Path) -> None:
    flips = told(glasstree, folder, 3)["flips"]
    (age,) = [
        float(flip["value"])
        for flip in flips
        if flip["column"] == "age" and flip["value"] != "unknown"
    ]
    assert 39 < age < 42


def test_the_text_reads_as_sentences(glasstree: Command, folder: Path) -> None:
    words = ("explain", folder / "rules.json", "--data", folder / "new.csv")
    text = glasstree(*words, "--row", 4).out
    assert "age = unknown" in text
    assert "city in {Milan, Rome}? no" in text


def test_a_row_that_is_not_there_is_refused(glasstree: Command, folder: Path) -> None:
    words = ("explain", folder / "rules.json", "--data", folder / "new.csv")
    answer = glasstree(*words, "--row", 5)
    assert answer.code != 0
    assert "has rows 1 to 4, got row 5" in answer.err
    assert "--data with --row" in glasstree(*words).err
