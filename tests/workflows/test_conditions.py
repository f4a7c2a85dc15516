"""How policies hold up: arguments that vary, noise, delay, and actions that stick."""

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import gymnasium
import numpy as np
import pytest

import glasstree as gt
from commands import Command
from glasstree.episodes import play
from glasstree.errors import OptionError, RunError
from glasstree.oracles import load_oracle
from glasstree.policy import PolicyTree, Scaling
from glasstree.runs.measured import held_in, measured_in, run_around
from glasstree.tasks import Task
from glasstree.tasks.own.conditions import Conditions
from glasstree.workflows import conditions
from tank import tank_in
from toys import SLOW_LAMP_TASK, lamp_oracle, lamp_tree


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


def test_players_meet_the_same_noise(monkeypatch: pytest.MonkeyPatch) -> None:
    tree = replace_scaling(lamp_tree(), 3.0)
    seen: list[tuple[float, ...]] = []
    real = conditions.Conditions

    def noted(*words: Any) -> Conditions:
        seen.append(words[3])
        return real(*words)

    monkeypatch.setattr(conditions, "Conditions", noted)
    players = {"oracle": load_oracle(lamp_oracle), "tree": tree}
    conditions.side_by_side(players, SLOW_LAMP_TASK, noise=0.1, episodes=2)
    assert seen == [tuple(tree.scaling.span.tolist())]


def replace_scaling(tree: PolicyTree, span: float) -> PolicyTree:
    return replace(tree, scaling=Scaling(np.zeros(1), np.full(1, span)))


@pytest.fixture
def run_folder(tmp_path: Path) -> Path:
    """The beginning of a run: its configuration and a policy."""
    config = 'task = "lamp"\noracle = "toys:lamp_oracle"\n\n[options]\n'
    (tmp_path / "config.toml").write_text(config)
    gt.save(lamp_tree(), tmp_path / "policy.json")
    return tmp_path


def test_what_is_measured_adds_up_in_the_folder_of_a_run(run_folder: Path) -> None:
    players = {"mine": lamp_tree(), "oracle": load_oracle(lamp_oracle)}
    words: dict[str, Any] = {"episodes": 3, "keep": run_folder}
    first = conditions.side_by_side(players, SLOW_LAMP_TASK, delay=1, **words)
    conditions.side_by_side(players, SLOW_LAMP_TASK, delay=1, **words)
    conditions.side_by_side(players, SLOW_LAMP_TASK, sticky=0.5, **words)
    symbols = f"{lamp_tree().complexity} symbols"
    kept = measured_in(run_folder)
    assert [(row["policy"], row["delay"], row["sticky"]) for row in kept] == [
        *((symbols, 1, 0.0), ("oracle", 1, 0.0), (symbols, 0, 0.5), ("oracle", 0, 0.5))
    ]
    assert kept[0]["settings"][0]["mean_reward"] == first["mine"][0].performance.mean_reward
    assert [one.worse for one in held_in(run_folder)] == [*["delay 1"] * 2, *["sticky 0.5"] * 2]
    assert not (run_folder / ".lock").exists()


@pytest.mark.parametrize("change", [{"settings": []}, {"vary": {"bonus": [1, 2]}}, {"noise": -1}])
def test_a_damaged_file_of_conditions_is_one_sentence(
    run_folder: Path, change: dict[str, Any]
) -> None:
    words: dict[str, Any] = {"episodes": 3, "keep": run_folder, "delay": 1}
    conditions.side_by_side({"": lamp_tree()}, SLOW_LAMP_TASK, **words)
    (row,) = measured_in(run_folder)
    (run_folder / "conditions.json").write_text(json.dumps([{**row, **change}]))
    with pytest.raises(RunError, match=r"is damaged: .*; remove .* and measure again"):
        measured_in(run_folder)


def test_a_policy_file_knows_its_run(run_folder: Path) -> None:
    assert run_around(run_folder / "policy.json") == run_folder
    assert run_around(run_folder / "front" / "009.json") == run_folder
    assert run_around(run_folder / "a" / "b" / "policy.json") is None


def test_a_run_is_measured_and_its_page_tells(
    folder: Path, monkeypatch: pytest.MonkeyPatch, glasstree: Command
) -> None:
    monkeypatch.chdir(folder)
    run = ("run", "--config", "task.toml", "--import", "tank_plant", "--trust", "--workers", 1)
    assert glasstree(*run, "--out", "runs/held").code == 0
    policy = ("evaluate", "runs/held/policy.json", "--import", "tank_plant", "--episodes", 5)
    first = glasstree(*policy, "--noise", 0.1, "--beside", "oracle", "--trust")
    assert "kept: runs/held/conditions.json" in first.out
    assert "next: glasstree report runs/held --import tank_plant" in first.out
    plain = glasstree(*policy)
    assert "kept" not in plain.out
    opened = gt.open_run("runs/held")
    words = {"vary": {"pump": [0.25, 0.5]}, "beside": ["oracle"], "episodes": 5}
    found = opened.conditions(module="tank_plant", trust=True, **words)
    assert list(found)[1] == "oracle"
    assert glasstree("report", "runs/held", "--import", "tank_plant").code == 0
    page = Path("runs/held/report.html").read_text()
    assert "How it holds up" in page and "pump varies: 5 unseen episodes each" in page
    assert "noise 0.1" in page
    card = gt.card("runs/held").read_text()
    assert "Nothing is said of other plants" not in card
    assert "| oracle | - | pump 0.25, 0.5 | 5 | " in card and " | noise 0.1 | - | 5 | " in card
    assert glasstree("run", "--out", "runs/held", "--resume", "--trust").code == 0
    assert "How it holds up" in Path("runs/held/report.html").read_text()
    assert glasstree(*run, "--out", "runs/held", "--overwrite").code == 0
    assert not Path("runs/held/conditions.json").exists()


def test_two_arguments_are_painted_as_maps(
    folder: Path, monkeypatch: pytest.MonkeyPatch, glasstree: Command
) -> None:
    monkeypatch.chdir(folder)
    words = ("evaluate", "--oracle", "tank_plant:hold", "--task", "tank_plant:mine/Tank-v0")
    vary = ("--vary", "pump=0.25,0.5", "--vary", "leak=0,0.2", "--episodes", 2)
    shown = glasstree(*words, *vary).out
    assert "mean reward, pump across, leak down" in shown
    twice = glasstree(*words, "--vary", "pump=1,2", "--vary", "pump=3,4")
    assert twice.code == 2 and "twice" in twice.sentence


def test_figures_are_told_though_a_run_cannot_keep_them(
    folder: Path, monkeypatch: pytest.MonkeyPatch, glasstree: Command
) -> None:
    monkeypatch.chdir(folder)
    run = ("run", "--config", "task.toml", "--import", "tank_plant", "--trust", "--workers", 1)
    assert glasstree(*run, "--out", "runs/full").code == 0
    Path("runs/full/conditions.json").write_text("{}")
    words = ("evaluate", "runs/full/policy.json", "--import", "tank_plant", "--episodes", 5)
    answer = glasstree(*words, "--delay", 1)
    assert answer.code == 0 and "mean reward" in answer.out and "kept" not in answer.out
    assert "not kept for the page of the run: " in answer.err
