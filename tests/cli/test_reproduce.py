"""`glasstree reproduce`: a table of the paper beside ours, kept cell by cell."""

import json
from pathlib import Path

import pytest

from commands import Command


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Make table 1 very small."""
    monkeypatch.setattr("glasstree.studies.tables.table1.QUICK_SIZES", (100,))


def test_a_table_is_printed_and_written(glasstree: Command, tmp_path: Path, quick: None) -> None:
    out, docs = tmp_path / "out", tmp_path / "docs/results.md"
    words = ("reproduce", "table1", "--quick", "--runs", 1, "--workers", 1, "--out", out)
    answer = glasstree(*words)
    text = (out / "table1.md").read_text()
    assert answer.code == 0
    assert text in answer.out
    assert "| 100 | printed | **97.00 ± 1.55** | 82.79 ± 2.40 |" in text
    assert "|  | glasstree | " in text
    again = json.loads(glasstree(*words, "--docs", docs, "--json").out)
    assert again["tables"]["table1"]["rows"][0]["printed"]["completion"] == [95.0, 5.1]
    assert (out / "table1.md").read_text() == text
    assert text in docs.read_text()
    assert "`glasstree reproduce table1 --runs 1 --quick`" in docs.read_text()
    assert (docs.parent / "results/table1.json").exists()


def test_a_table_without_cells_needs_no_work(glasstree: Command, tmp_path: Path) -> None:
    answer = glasstree("reproduce", "table7", "--out", tmp_path)
    assert "| 5-Link PSM | printed | 1,000 | 2 | 10 | - |" in answer.out
    assert "|  | paper | 1,000 | 2 | 10 | 10 |" in answer.out


@pytest.mark.parametrize(
    "words, sentence",
    [
        (("table11",), "did you mean 'table1'?"),
        (("elsewhere",), "known: all, figures, table1"),
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
