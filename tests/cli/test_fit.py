"""`glasstree fit`: rules for a table, and clear words about tables that have none."""

from pathlib import Path

import numpy as np
import pytest

from commands import Command
from glasstree.policy import load

GENERATOR = np.random.default_rng(0)
POINTS = GENERATOR.uniform(0.0, 1.0, (200, 2))
LABELS = np.where(POINTS[:, 0] > POINTS[:, 1], "yes", "no")


def written(folder: Path, columns: dict[str, object], labels: object = LABELS) -> Path:
    """Write a table with a target column called y."""
    fields = [*(np.broadcast_to(column, 200) for column in columns.values()), labels]
    rows = [",".join(map(str, row)) for row in zip(*fields, strict=True)]
    path = folder / "table.csv"
    path.write_text("\n".join([",".join([*columns, "y"]), *rows]))
    return path


def test_a_table_becomes_a_rule_with_its_columns_names(glasstree: Command, tmp_path: Path) -> None:
    path = written(tmp_path, {"length": POINTS[:, 0], "width": POINTS[:, 1]})
    answer = glasstree("fit", path, "--target", "y", "--out", tmp_path / "p.json")
    tree = load(tmp_path / "p.json")
    assert answer.code == 0
    assert tree.state_names == ("length", "width")
    assert tree.action_names == ("no", "yes")
    assert "length" in answer.out
    assert (np.array(tree.action_names)[tree.actions(POINTS)] == LABELS).mean() > 0.95


def test_a_constant_column_is_no_obstacle(glasstree: Command, tmp_path: Path) -> None:
    path = written(tmp_path, {"a": POINTS[:, 0], "b": POINTS[:, 1], "c": 7.0})
    assert glasstree("fit", path, "--target", "y", "--out", tmp_path / "p.json").code == 0
    for split in load(tmp_path / "p.json").splits():
        assert not split.rule.exponents[:, 2].any()


def test_characters_that_a_terminal_lacks_are_written_as_codes(
    glasstree: Command, tmp_path: Path
) -> None:
    path = written(tmp_path, {"größe": POINTS[:, 0], "[/b] β": POINTS[:, 1]})
    answer = glasstree("fit", path, "--target", "y", "--out", tmp_path / "[/red].json")
    assert answer.code == 0
    assert "[/red].json" in answer.out


@pytest.mark.parametrize(
    "columns, labels, words",
    [
        ({"a": POINTS[:, 0]}, "yes", "'y' has one label only; two are needed"),
        ({"a": 7.0}, LABELS, "constant; a rule needs one that varies"),
        ({"a": "nan"}, LABELS, "constant; a rule needs one that varies"),
        ({"a": POINTS[:, 0]}, np.where(LABELS == "no", "", LABELS), "has no label in 'y'"),
        ({"a": np.where(POINTS[:, 0] > 0.5, "inf", "1")}, LABELS, "'inf' is not a finite number"),
        ({"a": np.where(POINTS[:, 0] > 0.5, "1e308", "-1e308")}, LABELS, "rescale it or remove"),
        ({}, LABELS, "needs a column beside 'y'"),
    ],
)
def test_tables_without_a_rule_are_refused_and_nothing_is_written(
    glasstree: Command, tmp_path: Path, columns: dict[str, object], labels: object, words: str
) -> None:
    fields = np.broadcast_to(np.asarray(labels), 200)
    path = written(tmp_path, columns, fields)
    answer = glasstree("fit", path, "--target", "y", "--out", tmp_path / "p.json")
    assert answer.code == 2
    assert words in answer.sentence
    assert "Traceback" not in answer.err
    assert not (tmp_path / "p.json").exists()


def test_other_columns_in_the_test_table_are_refused(glasstree: Command, tmp_path: Path) -> None:
    (tmp_path / "other").mkdir()
    other = written(tmp_path / "other", {"b": POINTS[:, 0]})
    path = written(tmp_path, {"a": POINTS[:, 0]})
    answer = glasstree("fit", path, "--target", "y", "--test", other, "--out", tmp_path / "p.json")
    assert "has other columns than" in answer.sentence


@pytest.mark.parametrize(
    "words, sentence",
    [
        (("--depth", "-1"), "max_depth must be at least 0"),
        (("--terms", "0"), "at least 1"),
        (("--solver", "scann"), "did you mean 'scan'?"),
        (("--seed", "-1"), "--seed"),
        (("--target", "why"), "did you mean 'y'?"),
        (("--out", "."), "cannot write policy file '.': Is a directory"),
        (("--out", "/dev/null/p.json"), "cannot write policy file '/dev/null/p.json'"),
    ],
)
def test_options_that_make_no_sense_are_refused(
    glasstree: Command, tmp_path: Path, words: tuple[str, ...], sentence: str
) -> None:
    path = written(tmp_path, {"a": POINTS[:, 0]})
    target = () if "--target" in words else ("--target", "y")
    out = () if "--out" in words else ("--out", tmp_path / "p.json")
    answer = glasstree("fit", path, *target, *out, *words)
    assert answer.code == 2
    assert sentence in answer.sentence
    assert "Traceback" not in answer.err


def test_parquet_is_read_like_csv(glasstree: Command, tmp_path: Path) -> None:
    pyarrow = pytest.importorskip("pyarrow", reason="Parquet needs pyarrow")
    from pyarrow.parquet import write_table

    columns = {"length": POINTS[:, 0], "width": POINTS[:, 1], "y": LABELS.tolist()}
    write_table(pyarrow.table(columns), tmp_path / "table.parquet")
    path = written(tmp_path, {"length": POINTS[:, 0], "width": POINTS[:, 1]})
    for source, out in ((path, "csv.json"), (tmp_path / "table.parquet", "parquet.json")):
        assert glasstree("fit", source, "--target", "y", "--out", tmp_path / out).code == 0
    assert load(tmp_path / "csv.json") == load(tmp_path / "parquet.json")


def test_numbers_with_few_digits(glasstree: Command, tmp_path: Path) -> None:
    path = written(tmp_path, {"a": POINTS[:, 0], "b": POINTS[:, 1]})
    words = ("fit", path, "--target", "y", "--digits", "1", "--out", tmp_path / "p.json")
    assert glasstree(*words).code == 0
    rule = load(tmp_path / "p.json").splits()[0].rule
    assert all(weight == float(f"{weight:.2e}") for weight in rule.weights)


@pytest.mark.parametrize(
    "content, words",
    [
        ("a,y\n1,no\n", "'y' has one label only"),
        ("a,b,y\n1,2,no\n1,2\n", "line 3 has 2 fields, the header has 3"),
        ('a,y\n1,no\n2,"yes\n', "line 3: unexpected end of data"),
        ("a,y\n1,no\n2,\n", "line 3 has no label in 'y'"),
        ("a,a,y\n1,1,no\n2,2,yes\n", "repeated column names"),
    ],
)
def test_broken_files_are_refused_by_line(
    glasstree: Command, tmp_path: Path, content: str, words: str
) -> None:
    (tmp_path / "table.csv").write_text(content)
    answer = glasstree("fit", tmp_path / "table.csv", "--target", "y", "--out", tmp_path / "p.json")
    assert answer.code == 2
    assert words in answer.sentence
    assert "Traceback" not in answer.err


def test_odd_but_usable_tables_are_learnt(glasstree: Command, tmp_path: Path) -> None:
    column = {"a": POINTS[:, 0], "twin": POINTS[:, 0]}
    once = np.where(np.arange(200) == 7, "only one", LABELS)
    for labels in (once, [f"label {k}" for k in range(200)]):
        path = written(tmp_path, column, labels)
        answer = glasstree("fit", path, "--target", "y", "--out", tmp_path / "p.json")
        assert answer.code == 0
        assert "Traceback" not in answer.err


def test_ten_thousand_labels_are_survived(glasstree: Command, tmp_path: Path) -> None:
    path = tmp_path / "table.csv"
    path.write_text("a,y\n" + "\n".join(f"{k},label{k}" for k in range(10_000)))
    answer = glasstree("fit", path, "--target", "y", "--depth", "1", "--out", tmp_path / "p.json")
    assert answer.code == 0
    assert "'y' has 10,000 labels; is it a quantity?" in answer.out
