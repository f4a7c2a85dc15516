"""`glasstree reproduce`: a table of the paper beside ours, kept cell by cell."""

import json
from pathlib import Path

import pytest

from commands import Command


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Make table 1 very small."""
    monkeypatch.setattr("glasstree.studies.table1.QUICK_SIZES", (100,))
    monkeypatch.setattr("glasstree.studies.table1.QUICK_EPISODES", 100)


def test_a_table_is_printed_and_written(glasstree: Command, tmp_path: Path, quick: None) -> None:
    words = ("reproduce", "table1", "--quick", "--runs", 1, "--out", tmp_path)
    answer = glasstree(*words)
    text = (tmp_path / "table1.md").read_text()
    assert answer.code == 0
    assert text in answer.out
    assert "| 100 | paper | 97.00 ± 1.55 | 82.79 ± 2.40 |" in text
    assert "|  | glasstree | " in text
    again = json.loads(glasstree(*words, "--json").out)
    assert again["rows"][0]["paper"]["completion"] == [95.0, 5.1]
    assert (tmp_path / "table1.md").read_text() == text


def test_all_studies_are_one_object(glasstree: Command, tmp_path: Path, quick: None) -> None:
    answer = glasstree("reproduce", "all", "--quick", "--runs", 1, "--out", tmp_path, "--json")
    assert json.loads(answer.out)["table1"]["study"] == "table1"


@pytest.mark.parametrize(
    "words, sentence",
    [
        (("table11",), "did you mean 'table1'?"),
        (("figure7",), "known: all, table1"),
        (("table1", "--runs", "0"), "at least 1 run"),
    ],
)
def test_bad_words_are_refused(
    glasstree: Command, tmp_path: Path, words: tuple[str, ...], sentence: str
) -> None:
    answer = glasstree("reproduce", *words, "--out", tmp_path / "new")
    assert answer.code == 2
    assert sentence in answer.sentence
    assert not (tmp_path / "new").exists()
