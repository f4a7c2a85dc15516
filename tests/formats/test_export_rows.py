"""Exports that read rows of a table: cells, gaps, dates and words become variables inside them."""

import json
import shutil
import subprocess
from datetime import datetime
from pathlib import Path

import numpy as np
import pytest

from glasstree.errors import ExportError
from glasstree.explain.checking import check
from glasstree.explain.rows import check_rows
from glasstree.formats.c import to_c
from glasstree.formats.javascript import to_javascript
from glasstree.formats.python import to_python
from glasstree.policy import Leaf, PolicyTree, Rule, Scaling, Split
from glasstree.policy.sources.encoding import Encoding, Source

ROWS = 3000
READ = 'const rows = JSON.parse(require("fs").readFileSync(0, "utf8"));'
TELL = "console.log(JSON.stringify(rows.map(predicted)));"


def tree_of_a_table() -> PolicyTree:
    """A tree that reads words, a number with gaps, a day and parts of it."""
    sources = (
        Source("city", "set", levels=("Milan", 'Ro"me<'), unknown=1.0),
        Source("age", unknown=-5.0),
        Source("day", "date", unknown=10.0),
        Source("day", "set", part="weekday", levels=("Sat", "Sun")),
        Source("day", part="hour", unknown=7.0),
    )
    encoding = Encoding(sources, ("age", "city", "day"))

    def rule(variable: int, threshold: float) -> Rule:
        return Rule([np.eye(5, dtype=int)[variable]], [1.0], -threshold, raw=True)

    weekend = Split(rule(3, 0.5), Split(rule(4, 11.0), Leaf(0), Leaf(1)), Leaf(2))
    root = Split(
        rule(0, 0.5),
        Split(rule(1, 30.5), Leaf(0), weekend),
        Split(rule(2, 15_000.0), Leaf(2), Leaf(1)),
    )
    scaling = Scaling([0.0, 0.0, 10_000.0, 0.0, 0.0], [1.0, 80.0, 20_000.0, 1.0, 23.0])
    return PolicyTree(root, scaling, encoding.names, ("a", "b", "c"), encoding=encoding)


@pytest.fixture(scope="module")
def rows() -> tuple[PolicyTree, list[dict[str, object]], list[str]]:
    """Rows with gaps and words that no rule names, and the labels of the tree."""
    tree = tree_of_a_table()
    low, span = tree.scaling.minimum, tree.scaling.span
    states = low + span * np.random.default_rng(1).uniform(size=(ROWS, 5))
    found = check_rows(tree, states)
    names = list(found.cells)
    cells = [dict(zip(names, row, strict=True)) for row in zip(*found.cells.values(), strict=True)]
    labels = [tree.action_names[action] for action in tree.actions(found.states)]
    assert set(labels) == {"a", "b", "c"}
    return tree, cells, labels


def test_a_script_reads_rows_as_the_tree_does(
    rows: tuple[PolicyTree, list[dict[str, object]], list[str]], tmp_path: Path
) -> None:
    node = shutil.which("node")
    if node is None:
        pytest.skip("node is not installed")
    tree, cells, labels = rows
    path = tmp_path / "rules.js"
    path.write_text("\n".join([to_javascript(tree), READ, TELL]))
    ran = subprocess.run(
        [node, path], input=json.dumps(cells), text=True, capture_output=True, check=True
    )
    assert json.loads(ran.stdout) == labels


def test_python_reads_rows_as_the_tree_does(
    rows: tuple[PolicyTree, list[dict[str, object]], list[str]],
) -> None:
    tree, cells, labels = rows
    space: dict[str, object] = {}
    exec(compile(to_python(tree), "rules", "exec"), space)
    for row, label in zip(cells, labels, strict=True):
        day = None if row["day"] is None else datetime.fromisoformat(str(row["day"]))
        assert space["predicted"]({**row, "day": day}) == label  # type: ignore[operator]


@pytest.mark.parametrize("form", ["sql", "python", "javascript"])
def test_a_check_runs_over_rows_of_cells(form: str, monkeypatch: pytest.MonkeyPatch) -> None:
    if form == "javascript" and shutil.which("node") is None:
        pytest.skip("node is not installed")
    assert check(tree_of_a_table(), form, count=400).equal
    shared = "glasstree.formats.shared.rows"
    for name in ("_variable", "_script_variable"):
        monkeypatch.setattr(f"{shared}.{name}", lambda source: "0.0")
    if form != "sql":
        with pytest.raises(ExportError, match="differs from the tree"):
            check(tree_of_a_table(), form, count=400)


def test_code_says_which_number_stands_for_a_cell() -> None:
    text = to_c(tree_of_a_table())
    assert "  0: 1 if city in {Milan, " in text and "  1: age; -5.0 if unknown" in text
    assert "  2: day, in days since 1970-01-01; 10.0 if unknown" in text
