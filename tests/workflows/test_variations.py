"""Policies that are tuned over variations of a plant: which episode meets which, what is told."""

import tomllib
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import gymnasium
import numpy as np
import pytest

import glasstree as gt
from commands import Command
from glasstree.closedloop import FrontOptions, ReengineeringOptions, ReoptimisationOptions
from glasstree.episodes import Purpose, episode_seeds, evaluate, play
from glasstree.errors import TaskError
from glasstree.oracles import load_oracle
from glasstree.policy import Leaf, PolicyTree, Scaling
from glasstree.tasks import Task
from glasstree.tasks.own.variations import variation_at
from tank import tank_in

FEW: dict[str, Any] = {
    "data": "regular",
    "samples": 50,
    "episodes": 6,
    "rules": 1,
    "closed_loop": ReoptimisationOptions(
        generations=1, trial_generations=1, trees=1, population=4, episodes=4, choosing_episodes=6
    ),
    "reengineering": ReengineeringOptions(trials=1, episodes=2, choosing_episodes=2, states=20),
    "front": FrontOptions(
        steps=300,
        lines=0,
        soft=0,
        trial_generations=1,
        generations=1,
        longest=1,
        population=4,
        episodes=3,
        longest_episodes=3,
        racing_episodes=6,
        choosing_episodes=6,
        rounding_episodes=3,
    ),
}
VARY = {"worth": [1.0, -3.0, -2.0]}


class Wager(gymnasium.Env):
    """Action 1 earns what the environment was made with, action 0 nothing."""

    observation_space = gymnasium.spaces.Box(0.0, 1.0, (1,))
    action_space = gymnasium.spaces.Discrete(2)
    closed = 0

    def __init__(self, worth=1.0):
        self.worth = worth

    def reset(self, seed=None, options=None):
        super().reset(seed=seed)
        return self.np_random.uniform(0.0, 1.0, 1), {}

    def step(self, action):
        return self.np_random.uniform(0.0, 1.0, 1), self.worth * action, False, False, {}

    def close(self):
        Wager.closed += 1


def dare(states):
    return (states[:, 0] > 0.5).astype(int)


def constant_tree(task: Task, action: int) -> PolicyTree:
    names = (task.state_names, task.action_names, task.units)
    return PolicyTree(Leaf(action), Scaling(np.zeros(1), np.ones(1)), *names)


def wager(**words: Any) -> Task:
    return Task.of(Wager, step_limit=2, **words)


def test_episodes_in_a_row_meet_each_variation_once_in_a_chance_order() -> None:
    seeds = episode_seeds(Purpose.VARY, 3, 30)
    met = [variation_at(int(seed), 5) for seed in seeds]
    first = int(-seeds[0] % 5)
    blocks = [met[first + 5 * n : first + 5 * n + 5] for n in range(5)]
    assert all(sorted(block) == [0, 1, 2, 3, 4] for block in blocks)
    assert len({tuple(block) for block in blocks}) > 1


def test_the_seed_of_an_episode_decides_its_variation_whoever_plays() -> None:
    task = wager(train_vary=VARY).varied
    seeds = episode_seeds(Purpose.TRAIN, 0, 12)
    expected = [2.0 * VARY["worth"][variation_at(int(seed), 3)] for seed in seeds]
    always = constant_tree(task, 1)
    assert play(always, task, seeds)[0].rewards.tolist() == expected
    oracle = load_oracle(lambda states: np.ones(len(states), dtype=int))
    assert play(oracle, task, seeds)[0].rewards.tolist() == expected
    assert play(always, task, seeds[5:])[0].rewards.tolist() == expected[5:]


def test_choices_are_made_over_variations_and_figures_told_of_the_plain_plant() -> None:
    plain = gt.distill(wager(), dare, pick="best", **FEW)
    assert plain.performances["chosen"].mean_reward == 2.0
    varied = gt.distill(wager(), dare, train_vary=VARY, pick="best", **FEW)
    assert varied.front is not None
    assert next(iter(varied.front)).choosing.mean_reward == 0.0
    assert varied.performances["chosen"].mean_reward == 0.0
    always = constant_tree(varied.task, 1)
    assert evaluate(always, varied.task, episodes=6).mean_reward == 2.0
    assert evaluate(always, varied.task.for_training, episodes=6).mean_reward < 0.0


@pytest.mark.parametrize(
    ("name", "vary", "sentence"),
    [
        ("cartpole", {"worth": [1]}, "cartpole is compiled with parameters of its own"),
        ("psm:links=3", {"mass": [1]}, "is compiled with parameters of its own"),
        (Wager, {"worth": []}, "worth needs a list of values"),
        (Wager, {"worth": 1.0}, "worth needs a list of values"),
        (Wager, {"worth": list(range(101))}, "at most 100 variations"),
        (Wager, {"worth": [object()]}, "numbers, texts, truths and lists"),
    ],
)
def test_what_cannot_vary_is_one_sentence(name: Any, vary: Any, sentence: str) -> None:
    with pytest.raises(TaskError, match=sentence):
        gt.get_task(name, step_limit=None if isinstance(name, str) else 2, train_vary=vary)


def test_an_argument_that_is_not_known_is_told_before_anything_is_played() -> None:
    with pytest.raises(TaskError, match="unexpected keyword argument 'woth'"):
        gt.distill(wager(), dare, train_vary={"woth": [1]}, **FEW)


def test_environments_of_variations_are_closed() -> None:
    from glasstree.episodes.environments import close_all

    task = wager(train_vary=VARY).varied
    play(constant_tree(task, 1), task, episode_seeds(Purpose.TRAIN, 1, 3))
    Wager.closed = 0
    close_all()
    assert Wager.closed >= 3


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    with tank_in(tmp_path_factory.mktemp("tank")) as path:
        yield path


def test_a_run_keeps_and_tells_what_it_was_tuned_over(
    folder: Path, monkeypatch: pytest.MonkeyPatch, glasstree: Command
) -> None:
    monkeypatch.chdir(folder)
    words = ("run", "--config", "task.toml", "--import", "tank_plant", "--trust", "--workers", 1)
    vary = ("--train-vary", "pump=0.25:1.25:3")
    told = glasstree(*words, *vary, "--out", "runs/one")
    assert told.code == 0, told.err
    assert "tuned over pump 0.25, 0.75, 1.25" in told.out
    assert "10 unseen episodes of the plain plant" in told.out
    config = tomllib.loads(Path("runs/one/config.toml").read_text())
    assert config["train_vary"] == {"pump": [0.25, 0.75, 1.25]}
    policy = gt.load("runs/one/policy.json")
    assert policy.plant is not None and policy.plant.train_vary == config["train_vary"]
    page = Path("runs/one/report.html").read_text()
    assert "policies were tuned over pump from 0.25 to 1.25 (3 values)" in page
    line = next(line for line in told.out.splitlines() if "--vary" in line)
    answer = glasstree(*line.split()[1:], "--episodes", 5)
    assert answer.code == 0, answer.err
    Path("runs/one/front.json").unlink()
    Path("runs/one/metrics.json").unlink()
    before = {path: path.read_bytes() for path in Path("runs/one/front").iterdir()}
    for path in (*before, Path("runs/one/policy.json")):
        path.unlink()
    assert glasstree("run", "--resume", "--out", "runs/one", "--trust").code == 0
    assert {path: path.read_bytes() for path in Path("runs/one/front").iterdir()} == before
    other = glasstree("run", "--resume", "--out", "runs/one", "--trust", "--train-vary", "pump=1,2")
    assert other.code == 2 and "other options" in other.sentence


def test_variations_travel_with_a_replaced_task() -> None:
    task = wager(train_vary=VARY)
    assert len(replace(task, name="other").varied.environment.variations) == 3
    assert task.environment.variations == ()
