"""The page of a reproduction: it says when it was quick, and later tables join earlier ones."""

from pathlib import Path

from commands import Command


def test_a_quick_page_says_so_and_a_later_table_joins_it(
    glasstree: Command, tmp_path: Path
) -> None:
    assert glasstree("reproduce", "table7", "--quick", "--out", tmp_path).code == 0
    page = (tmp_path / "index.html").read_text()
    assert "Quick, with small budgets and 2 runs" in page
    assert "Quick, with small budgets" in (tmp_path / "table7.md").read_text()
    kept = tmp_path / "table7.json"
    kept.write_text(kept.read_text().replace("table7", "table1"))
    kept.rename(tmp_path / "table1.json")
    assert glasstree("reproduce", "table7", "--out", tmp_path).code == 0
    page = (tmp_path / "index.html").read_text()
    assert 'id="table1"' in page
    assert 'id="table7"' in page
    assert page.count("Quick, with") == 1
