"""How policies hold up: arguments that vary, noise, delay, and actions that stick."""

import json
from collections.abc import Iterator
from pathlib import Path

import gymnasium
import numpy as np
import pytest

import glasstree as gt
from commands import Command
from glasstree.episodes import play
from glasstree.errors import OptionError
from glasstree.oracles import load_oracle
from glasstree.tasks import Task
from glasstree.tasks.own.conditions import Conditions
from tank import tank_in


class Counter(gymnasium.Env):
    """Observes the time; the reward is the action, plus a bonus."""

    observation_space = gymnasium.spaces.Box(0.0, 9.0, (1,))
    action_space = gymnasium.spaces.Discrete(10)

    def __init__(self, bonus=0.0):
        self.bonus = bonus

    def reset(self, seed=None, options=None):
        self.time = 0
        return np.array([0.0]), {}

    def step(self, action):
        self.time += 1
        return np.array([float(self.time)]), action + self.bonus, False, False, {}


def tell(states):
    return np.clip(np.round(states[:, 0]), 0, 9).astype(int)


def worth(**words):
    task = Task.of(Counter, step_limit=5)
    (held,) = gt.conditions(load_oracle(tell), task, episodes=20, **words)
    return held.performance


def test_late_observations_are_those_of_earlier_steps():
    assert worth().mean_reward == 0 + 1 + 2 + 3 + 4
    assert worth(delay=2).mean_reward == 0 + 0 + 0 + 1 + 2


def test_sticky_actions_are_taken_again_and_the_seed_decides_which():
    stuck = worth(sticky=0.5)
    assert 0 < stuck.mean_reward < 10
    assert stuck.episode_sd > 0
    assert worth(sticky=0.5).rewards.tolist() == stuck.rewards.tolist()
    assert worth(sticky=0.5, seed=1).rewards.tolist() != stuck.rewards.tolist()


def test_noise_is_in_shares_of_the_range():
    task = Task.of(Counter, step_limit=5)
    from dataclasses import replace

    worse = Conditions(noise=0.1, spans=(4.0,))
    noisy = replace(task, environment=replace(task.environment, conditions=worse))
    _, seen = play(load_oracle(tell), noisy, np.arange(400), record=True)
    error = seen.states[:, 0] - np.tile(np.arange(5.0), 400)
    assert error.std() == pytest.approx(0.4, rel=0.1)
    assert worth(noise=0.25).rewards.std() > 0


def test_arguments_vary_in_every_combination():
    task = Task.of(Counter, step_limit=5)
    held = gt.conditions(load_oracle(tell), task, vary={"bonus": [0.0, 1.0]}, episodes=3)
    assert [(one.setting, one.performance.mean_reward) for one in held] == [
        ({"bonus": 0.0}, 10.0),
        ({"bonus": 1.0}, 15.0),
    ]


@pytest.mark.parametrize("words", [{"noise": -1.0}, {"delay": -1}, {"sticky": 1.0}])
def test_conditions_that_make_no_sense_are_refused(words):
    with pytest.raises(OptionError, match="may not be negative"):
        worth(**words)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    with tank_in(tmp_path_factory.mktemp("tank")) as path:
        yield path


def test_the_command_line_shows_one_row_a_setting(
    folder: Path, monkeypatch: pytest.MonkeyPatch, glasstree: Command
) -> None:
    monkeypatch.chdir(folder)
    words = ("evaluate", "--oracle", "tank_plant:hold", "--task", "tank_plant:mine/Tank-v0")
    vary = ("--vary", "pump=0.25:0.75:3", "--episodes", 5, "--delay", 1)
    found = json.loads(glasstree(*words, *vary, "--json").out)
    assert found["delay"] == 1
    assert [row["setting"] for row in found["settings"]] == [
        *({"pump": 0.25}, {"pump": 0.5}, {"pump": 0.75})
    ]
    assert len({row["mean_reward"] for row in found["settings"]}) == 3
    shown = glasstree(*words, *vary).out
    assert "0.75" in shown and "delay 1" in shown
    for wrong in ("pump", "pump=1:2", "pump=1:2:1", "pump=a:b:3"):
        answer = glasstree(*words, "--vary", wrong)
        assert answer.code == 2 and "--vary" in answer.sentence
