"""The commands that list, train, score and film oracles."""

import json
import sys

import gymnasium
import pytest

from glasstree.oracles import oracle_names
from glasstree.policy import save

POLE = """
import gymnasium
from gymnasium.envs.classic_control import CartPoleEnv

gymnasium.register("mine/Pole-v0", entry_point=CartPoleEnv, max_episode_steps=30)

def balance(state):
    return int(state[2] + 0.3 * state[3] > 0)

def follow(states):
    return ((states[:, 0] - 30) + 1.5 * states[:, 1] > 0).astype(int)

def leap(states):
    return [5] * len(states)
"""


@pytest.fixture
def my_module(tmp_path, monkeypatch):
    (tmp_path / "my_pole.py").write_text(POLE)
    monkeypatch.chdir(tmp_path)
    yield "my_pole"
    sys.modules.pop("my_pole", None)
    gymnasium.registry.pop("mine/Pole-v0", None)


def test_oracles_are_listed_with_scores(glasstree):
    table = glasstree("oracles")
    assert table.code == 0
    assert all(name in table.out for name in oracle_names())
    listed = json.loads(glasstree("oracles", "--json").out)
    assert list(listed) == oracle_names()
    assert listed["lunarlander"]["episodes"] == 1000


def test_training_scores_and_writes(glasstree, tmp_path):
    path = tmp_path / "mine.npz"
    words = ("oracles", "train", "mountaincar", "--steps", 50_000, "--episodes", 100, "--out", path)
    answer = glasstree(*words, "--json")
    assert answer.code == 0
    card = json.loads(answer.out)
    assert card["task"] == "mountaincar" and card["episodes"] == 100
    assert list(tmp_path.iterdir()) == [path]
    again = glasstree("evaluate", "--oracle", path, "--episodes", 100, "--json")
    assert json.loads(again.out)["mean_reward"] == card["mean_reward"]
    assert "exists" in glasstree(*words).sentence
    assert "next: glasstree run mountaincar" in glasstree(*words, "--overwrite").out


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("oracles", "train", "cartpole", "--steps", 0), "at least 1 step"),
        (("oracles", "train", "cartpole", "--out", "oracle.txt"), ".npz"),
        (("oracles", "train", "cartpol"), "did you mean"),
        (("watch", "--oracle", "psm5", "--episodes", 0), "at least 1 episode"),
        (("watch", "--oracle", "psm5", "--out", "film.mp4"), ".gif"),
        (("evaluate",), "either a policy file, such as"),
        (("evaluate", "policy.json", "--oracle", "psm5"), "either a policy file, such as"),
        (("evaluate", "--oracle", "cartpole", "--task", "lunarlander"), "expects 4 variables"),
        (("evaluate", "--oracle", "acrobot", "--task", "Pendulum-v1"), "expects 6 variables"),
        (("evaluate", "--oracle", "carfollowing", "--task", "Pendulum-v1"), "continuous, 1 number"),
        (("evaluate", "--oracle", "no_module:f", "--task", "cartpole"), "cannot import"),
    ],
)
def test_nonsense_is_refused_in_one_sentence(glasstree, tmp_path, monkeypatch, words, message):
    monkeypatch.chdir(tmp_path)
    answer = glasstree(*words)
    assert answer.code == 2
    assert message in answer.sentence
    assert not list(tmp_path.iterdir())


def test_watching_writes_a_film(glasstree, tmp_path, tree):
    path = tmp_path / "episode.gif"
    answer = glasstree("watch", "--oracle", "psm5", "--out", path, "--json")
    assert answer.code == 0 and path.stat().st_size > 1000
    assert len(json.loads(answer.out)["rewards"]) == 1
    save(tree, tmp_path / "tree.json")
    answer = glasstree("watch", tmp_path / "tree.json", "--task", "mountaincar", "--out", path)
    assert answer.code == 0 and "on mountaincar" in answer.out


def test_hand_rule_for_car_following_scores_as_known(glasstree, my_module):
    words = ("evaluate", "--oracle", f"{my_module}:follow", "--task", "carfollowing", "--json")
    assert json.loads(glasstree(*words).out)["mean_reward"] == pytest.approx(179_600, abs=200)


def test_foreign_environment_by_import(glasstree, my_module):
    words = ("evaluate", "--task", "mine/Pole-v0", "--import", my_module, "--episodes", 5, "--json")
    figures = json.loads(glasstree(*words, "--oracle", f"{my_module}:balance").out)
    assert figures["mean_reward"] == 30.0 and figures["success_rate"] is None
    refused = glasstree(*words, "--oracle", f"{my_module}:leap")
    assert refused.code == 2 and "action 5" in refused.sentence


def test_oracle_without_a_task_must_name_one(glasstree, my_module):
    answer = glasstree("evaluate", "--oracle", f"{my_module}:balance")
    assert answer.code == 2 and "--task" in answer.sentence
