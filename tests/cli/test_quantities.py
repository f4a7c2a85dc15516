"""`--quantity`: numbers are learnt, predicted and scored; what is about labels is refused."""

import csv
import json
from pathlib import Path

import numpy as np
import pytest

from commands import Command


@pytest.fixture(scope="module")
def table(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Prices by city and size, with decimal commas."""
    generator = np.random.default_rng(0)
    city, size = generator.choice(["Rome", "Oslo"], 200), generator.uniform(20, 100, 200)
    price = np.where(city == "Rome", 300.0, 100.0) + np.where(size > 60, 50.5, 0.0)
    lines = [
        f"{c};{s:.1f};{p:.1f}".replace(".", ",") for c, s, p in zip(city, size, price, strict=True)
    ]
    path = tmp_path_factory.mktemp("prices") / "prices.csv"
    path.write_text("\n".join(["city;size;price", *lines]) + "\n")
    return path


def test_a_quantity_is_learnt_predicted_and_scored(
    glasstree: Command, table: Path, tmp_path: Path
) -> None:
    rules, out = tmp_path / "rules.json", tmp_path / "out.csv"
    words = ("--target", "price", "--quantity")
    answer = glasstree("fit", table, *words, "--out", rules, "--json")
    assert answer.code == 0
    figures = json.loads(answer.out)
    assert figures["train_r2"] > 0.99
    assert sum(size["is_taken"] for size in figures["sizes"]) == 1
    assert glasstree("predict", rules, table, "--out", out).code == 0
    with out.open() as file:
        found = list(csv.DictReader(file))
    assert "share" not in found[0]
    errors = [abs(float(row["predicted"]) - float(row["price"].replace(",", "."))) for row in found]
    scored = json.loads(glasstree("score", rules, table, *words, "--json").out)
    assert scored["rows"] == 200
    assert scored["mean_error"] == pytest.approx(np.mean(errors))
    assert "mean error" in glasstree("score", rules, table, *words).out
    as_labels = glasstree("score", rules, table, "--target", "price")
    assert "numbers are scored with --quantity" in as_labels.sentence


def test_numbers_that_are_taken_for_labels_make_a_note(glasstree: Command, tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    rows = [f"{n % 30},{n % 30}.5" for n in range(90)]
    path.write_text("\n".join(["x,y", *rows]) + "\n")
    words = ("fit", path, "--target", "y", "--depth", "1", "--out", tmp_path / "p.json")
    assert "--quantity learns a number" in glasstree(*words).out.replace("\n", " ")


@pytest.mark.parametrize(
    "content, words, sentence",
    [
        ("x,y\n1,2\n3,NA\n", (), "row 2 has no number in 'y'"),
        ("x,y\n1,2\n3,cheap\n", (), "line 3, column 'y': 'cheap' is not a number"),
        ("x,y\n1,2\n3,2\n", (), "column 'y' is constant"),
        ("x,y\n1,2\n1,3\n", (), "are constant; a rule needs one that varies"),
        ("x,y\n1,2\n3,4\n", ("--metric", "f1"), "--metric is about labels"),
        ("x,y\n1,2\n3,4\n", ("--class-weight", "balanced"), "--class-weight is about labels"),
    ],
)
def test_what_is_no_quantity_is_refused_and_nothing_is_written(
    glasstree: Command, tmp_path: Path, content: str, words: tuple[str, ...], sentence: str
) -> None:
    (tmp_path / "t.csv").write_text(content)
    more = ("--target", "y", "--quantity", "--out", tmp_path / "p.json", *words)
    answer = glasstree("fit", tmp_path / "t.csv", *more)
    assert answer.code == 2
    assert sentence in answer.sentence
    assert not (tmp_path / "p.json").exists()


def test_rules_of_labels_give_no_quantities(glasstree: Command, tmp_path: Path) -> None:
    path, rules = tmp_path / "t.csv", tmp_path / "p.json"
    rows = [f"{n},{'high' if n > 20 else 'low'},{n}" for n in range(40)]
    path.write_text("\n".join(["x,y,z", *rows]) + "\n")
    words = ("fit", path, "--target", "y", "--drop", "z", "--out", rules)
    assert glasstree(*words).code == 0
    answer = glasstree("score", rules, path, "--target", "z", "--quantity")
    assert answer.code == 2
    assert "these rules give labels such as 'high'" in answer.sentence
    told = glasstree("score", rules, path, "--target", "y").out
    assert "expected right" in told
