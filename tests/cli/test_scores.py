"""`evaluate` and `fit` score what they are asked to: these episodes, that table."""

import json
from pathlib import Path

import numpy as np

from commands import Command
from glasstree.episodes import evaluate
from glasstree.policy import load

POLICY = Path(__file__).parents[2] / "examples" / "policies" / "paper_mountaincar.json"


def test_seed_and_episodes_reach_the_score(glasstree: Command) -> None:
    for seed, episodes in ((0, 20), (3, 20), (3, 30)):
        answer = glasstree("evaluate", POLICY, "--seed", seed, "--episodes", episodes, "--json")
        expected = evaluate(load(POLICY), "mountaincar", seed=seed, episodes=episodes)
        assert json.loads(answer.out)["mean_reward"] == expected.mean_reward
        assert json.loads(answer.out)["episodes"] == episodes


def test_the_test_table_is_scored(glasstree: Command, tmp_path: Path) -> None:
    for name, labels in (("train", ("no", "yes")), ("test", ("yes", "no"))):
        rows = [f"{number % 7},{labels[number % 7 > 3]}" for number in range(70)]
        (tmp_path / f"{name}.csv").write_text("\n".join(["a,y", *rows]))
    words = ("fit", tmp_path / "train.csv", "--target", "y", "--test", tmp_path / "test.csv")
    figures = json.loads(glasstree(*words, "--out", tmp_path / "p.json", "--json").out)
    assert (figures["train_accuracy"], figures["test_accuracy"]) == (1.0, 0.0)


def test_digits_are_heard(glasstree: Command, tmp_path: Path) -> None:
    points = np.random.default_rng(0).uniform(size=(300, 2))
    rows = [f"{a},{b},{'big' if 0.37 * a + 0.81 * b > 0.6 else 'small'}" for a, b in points]
    (tmp_path / "table.csv").write_text("\n".join(["a,b,y", *rows]))
    words = ("fit", tmp_path / "table.csv", "--target", "y", "--depth", 1)
    for digits, out in (((), "exact.json"), (("--digits", 1), "short.json")):
        assert glasstree(*words, *digits, "--out", tmp_path / out).code == 0
    exact, short = (load(tmp_path / f"{name}.json").parameters() for name in ("exact", "short"))
    assert not all(number == float(f"{number:.2e}") for number in exact)
    assert all(number == float(f"{number:.2e}") for number in short)


def test_a_rare_class_that_is_missed_in_the_test_table_makes_a_note(
    glasstree: Command, tmp_path: Path
) -> None:
    for name, hidden in (("train", 0), ("test", 100)):
        rows = [
            f"{3 if n % 50 > 47 and n < hidden else n % 50 + n / 1000},"
            f"{'fraud' if n % 50 > 47 else 'fine'}"
            for n in range(200)
        ]
        (tmp_path / f"{name}.csv").write_text("\n".join(["a,y", *rows]))
    words = ("fit", tmp_path / "train.csv", "--target", "y", "--out", tmp_path / "p.json", "--json")
    assert json.loads(glasstree(*words).out)["notes"] == []
    figures = json.loads(glasstree(*words, "--test", tmp_path / "test.csv").out)
    assert "of 8 rows of 'fraud', 50% are found; --metric balanced_accuracy" in figures["notes"][0]
