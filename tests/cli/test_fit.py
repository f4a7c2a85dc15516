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
    assert "length'" in answer.out
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
        ({"a": np.where(POINTS[:, 0] > 0.5, "nan", "1")}, LABELS, "'nan' is not a finite number"),
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
        (("--solver", "exat"), "did you mean 'exact'?"),
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
