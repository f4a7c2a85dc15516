"""The page of a table: rules, classes, leaves, wrong rows, and a row to try."""

import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from glasstree import NLDTClassifier
from glasstree.report.tables import TableContent, table_page, write_table_page
from glasstree.tables import Column, Frame
from report.visits import Visit

SECTIONS = ["policy", "classes", "leaves", "tree", "try", "effects", "wrong"]
SET_ROWS = """rows => rows.map(row => {
  row.forEach((cell, place) => {
    const input = document.getElementById(`cell-${place}`);
    input.value = cell;
    input.dispatchEvent(new Event("input"));
  });
  return Number(document.getElementById("decision").dataset.action);
})"""


@pytest.fixture(scope="module")
def content() -> TableContent:
    """Learn a table of words, numbers, dates and gaps, with some labels wrong."""
    generator = np.random.default_rng(0)
    rows = 300
    city = [
        None if n % 17 == 3 else c
        for n, c in enumerate(generator.choice(["Rome", "<b>", "Oslo"], rows))
    ]
    day = np.floor(generator.uniform(18_000, 19_000, rows))
    age = np.where(np.arange(rows) % 9 == 0, np.nan, generator.uniform(18, 80, rows).round())
    is_old = np.nan_to_num(age, nan=99.0) > 40
    yes = np.where([c == "Rome" for c in city], is_old, day > 18_500) ^ (
        generator.random(rows) < 0.03
    )
    labels = np.where(yes, "yes", "no & never")
    columns = {
        "city": Column.of_texts(city),
        "age": Column("number", age),
        "day": Column("date", day),
    }
    model = NLDTClassifier(terms=1, max_depth=3, random_state=0).fit(Frame(columns), labels)
    return TableContent(
        "clients.csv", "bought", model.tree_, Frame(columns), tuple(labels.tolist())
    )


def test_leaves_add_up_and_names_are_escaped(content: TableContent) -> None:
    leaves = list(content.decided())
    assert sum(leaf.rows for leaf in leaves) == len(content.labels)
    assert sum(leaf.right for leaf in leaves) == content.confusion.counts.trace()
    nodes = content.tree.leaves()
    for leaf, node in zip(leaves, nodes, strict=True):
        smoothed = (node.counts[node.action] + 1) / (sum(node.counts) + 2)
        assert leaf.expected == pytest.approx(smoothed)
    page = table_page(content)
    assert ">expected</th>" in page
    assert "&lt;b&gt;" in page
    assert "city in {<b>" not in page


def test_what_matters_comes_first_and_shares_are_whole(content: TableContent) -> None:
    effects = content.effects()
    assert [e.changed for e in effects] == sorted((e.changed for e in effects), reverse=True)
    for effect in effects:
        assert effect.shares.sum(axis=1) == pytest.approx(1.0)
        assert len(effect.values) == len(effect.shares)


def test_a_wrong_row_is_shown_with_both_labels(content: TableContent) -> None:
    number, cells, given, right = content.wrong()[0]
    assert right == content.labels[number - 1] != given
    assert len(cells) == len(content.rows.names)


def test_the_page_decides_rows_as_the_tree_does(
    browser: Any, content: TableContent, tmp_path: Path
) -> None:
    path = tmp_path / "page.html"
    write_table_page(content, path)
    frame = content.rows
    texts = []
    for row in range(len(frame)):
        cells = []
        for column in frame.columns.values():
            value = float(column.values[row])
            if math.isnan(value):
                cells.append("")
            elif column.kind == "category":
                cells.append(column.levels[int(value)])
            elif column.kind == "date":
                cells.append(str(np.datetime64(int(value), "D")))
            else:
                cells.append(repr(value))
        texts.append(cells)
    with Visit(browser, path, width=390) as visit:
        page = visit.page
        assert page.evaluate("[...document.querySelectorAll('section')].map(s => s.id)") == SECTIONS
        found = page.evaluate(SET_ROWS, texts)
        assert found == content.predicted.tolist()
        assert len(set(found)) == 2
        assert page.locator("#tree-frame .node.lit").count() >= 2
        page.locator("#wrong button").first.click()
        assert page.locator("#decision").text_content() == content.wrong()[0][2]
        assert visit.overflow() <= 0
        assert visit.complaints == []
        assert visit.foreign_requests() == []
