"""The page of results is written from stored results alone, and computes what it says."""

import json
from pathlib import Path
from typing import Any

import pytest

from glasstree.report.figures import Drawing
from glasstree.studies import Plan
from glasstree.studies.results import first_paragraph, held, page, store
from glasstree.studies.runner import code
from small_table import table

ROOT = Path(__file__).parents[2]


def drawing() -> Drawing:
    """An empty figure."""
    return Drawing("nothing", "Nothing", "Nothing at all (Fig. 0)", lambda figure: None)


@pytest.fixture
def stored(tmp_path: Path) -> Path:
    """A folder with one table and one figure."""
    store(tmp_path / "results", [table()], [drawing()], Plan(3), "glasstree reproduce table8")
    return tmp_path / "results"


def test_the_first_paragraph_names_what_is_worse() -> None:
    words = first_paragraph([table()])
    assert "Of 2 `glasstree` figures" in words
    assert "better than the paper's are 1, worse 1, and neither 0:" in words
    assert words.endswith(
        " Worse: table 8, 5-link SQP: reward -150.00 against -146.81 (-3.19 ± 2.49)."
    )
    assert "are 0, worse 0, and neither 0:" in first_paragraph([])


def test_what_is_within_the_noise_is_neither_better_nor_worse() -> None:
    noisy = table()
    ours = noisy["rows"][0]["ours"]["glasstree"]
    ours["reward"][1] = 9.0
    assert "are 1, worse 0, and neither 1:" in first_paragraph([noisy])
    ours["test_accuracy"][1] = 60.0
    assert "are 0, worse 0, and neither 2:" in first_paragraph([noisy])
    assert "are 1, worse 0, and neither 1:" in first_paragraph([{**noisy, "runs": 100}])
    ours["reward"] = [-140.0]
    assert "are 1, worse 0, and neither 1:" in first_paragraph([noisy])


@pytest.mark.parametrize(
    "rga, words", [(15.0, "30 times as fast as RGA, as wanted"), (5.0, "10 times as fast")]
)
def test_the_checks_are_computed(rga: float, words: str) -> None:
    text = held([table(rga)])
    assert "mean ± 3 deviations: 1 of 2; not table 8, 5-link SQP: test accuracy 90.00" in text
    assert "printed in bold: 1 of 1." in text
    assert words in text


def test_a_page_comes_from_what_is_stored(stored: Path) -> None:
    text = page(stored)
    assert "over 3 runs" in text
    assert "`glasstree reproduce table8`" in text
    assert "![Nothing at all (Fig. 0)](results/nothing.svg)" in text
    assert (stored / "nothing.svg").read_text().startswith("<?xml")
    assert json.loads((stored / "table8.json").read_text()) == json.loads(json.dumps(table()))


def test_a_table_measured_later_joins_the_others(stored: Path) -> None:
    more: Any = {**table(), "study": "table5"}
    store(stored, [more], [], Plan(3), "glasstree reproduce table5")
    text = page(stored)
    assert text.index("## Table 5") < text.index("## Table 8") < text.index("## Figures")


def test_each_table_keeps_the_digest_of_its_code(stored: Path) -> None:
    assert f"By code {code()}: table 8, figures." in page(stored)
    made = json.loads((stored / "made.json").read_text())
    (stored / "made.json").write_text(json.dumps({**made, "code": {"table8": "abc"}}))
    store(stored, [{**table(), "study": "table5"}], [], Plan(3), "glasstree reproduce table5")
    sentence = f"By code {code()}: table 5; By code abc: table 8; By earlier code, without a digest"
    assert f"{sentence}: figures." in page(stored)


def test_what_is_found_again_keeps_when_it_was_made(stored: Path) -> None:
    made = json.loads((stored / "made.json").read_text())
    (stored / "made.json").write_text(json.dumps({**made, "commit": "0123456"}))
    command = "glasstree reproduce table8"
    store(stored, [table()], [drawing()], Plan(3), command)
    assert "commit 0123456" in page(stored)
    store(stored, [table(5.0)], [drawing()], Plan(3), command)
    assert "commit 0123456" not in page(stored), "another figure was measured now"


def test_nothing_stored_names_a_place(stored: Path) -> None:
    for path in stored.glob("*.json"):
        assert str(Path.home()) not in path.read_text()
        assert str(ROOT) not in path.read_text()


@pytest.mark.skipif(not (ROOT / "docs/results.md").exists(), reason="no results are stored")
def test_the_documented_page_is_what_its_results_say() -> None:
    assert (ROOT / "docs/results.md").read_text() == page(ROOT / "docs/results")
