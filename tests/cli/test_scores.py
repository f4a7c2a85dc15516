"""`evaluate` and `fit` score what they are asked to: these episodes, that table."""

import json
from pathlib import Path

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
