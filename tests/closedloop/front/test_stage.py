"""The front in a folder: stopped anywhere it ends with the same bytes, damage is one sentence."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from closedloop.front.lamps import DARK, DATA, FEW, SEARCH
from glasstree import progress
from glasstree.closedloop import Front, explore
from glasstree.closedloop.front import stage
from glasstree.closedloop.front.archive import Entry
from glasstree.closedloop.front.tuning import Games
from glasstree.episodes import Purpose, episode_seeds, evaluate
from glasstree.errors import RunError
from glasstree.oracles.function import FunctionOracle
from glasstree.parallel import using_workers
from glasstree.policy import Leaf, Split, load
from glasstree.policy.document import dumps
from glasstree.runs.clock import SECONDS
from glasstree.runs.store import open_store
from toys import LAMP_TASK, STEPS, constant_tree, lamp_oracle, lamp_tree, small_tree

CONFIG = {"task": "lamp", "oracle": "lamp", "options": {}}
EPISODES = 40


@pytest.fixture(autouse=True)
def saved_at_every_step(monkeypatch: pytest.MonkeyPatch) -> None:
    """Save the archive as often as can be."""
    monkeypatch.setattr(stage, "SECONDS", 0.0)


def explored(folder: Path, listener: progress.Listener = lambda _: None) -> Front:
    """Search the lamp's front in a folder, or go on."""
    keep = open_store(folder, CONFIG, resume=folder.exists())
    oracle = FunctionOracle(lamp_oracle, LAMP_TASK)
    with progress.listening(listener):
        return explore(lambda: [DARK], DATA, LAMP_TASK, oracle, FEW, SEARCH, EPISODES, 3, keep)


def contents(folder: Path) -> dict[str, bytes]:
    """Return all that a folder holds, but for the time that it took."""
    files = (path for path in folder.rglob("*") if path.is_file() and path.name != SECONDS)
    return {str(path.relative_to(folder)): path.read_bytes() for path in files}


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a front that nobody disturbed."""
    folder = tmp_path_factory.mktemp("runs") / "whole"
    explored(folder)
    return folder


def test_the_lamps_front_is_kept_as_files_and_as_a_table(whole: Path) -> None:
    files = {"config.toml", "front.json", "front.state.json", "rounded/00.json", "rounded/01.json"}
    assert set(contents(whole)) == files | {"front/001.json", "front/005.json"}
    table = json.loads((whole / "front.json").read_text())
    assert (table["objective"], len(table["policies"])) == ("reward", 2)
    constant, rule = table["policies"]
    assert (constant["complexity"], constant["rules"], constant["depth"]) == (1, 0, 0)
    assert (rule["complexity"], rule["rules"], rule["rule_length"]) == (5, 1, 1.0)
    assert rule["mean_reward"] == rule["worth"] == STEPS and rule["success_rate"] == 1.0
    assert (rule["episodes"], rule["choosing"]["episodes"]) == (EPISODES, FEW.choosing_episodes)
    assert constant["worth"] == constant["choosing"]["mean_reward"] != constant["mean_reward"]
    assert constant["mean_reward"] < table["bar"] < STEPS
    assert load(whole / "front/005.json").actions([[-1.0], [1.0]]).tolist() == [0, 1]


def test_figures_are_those_of_unseen_episodes(whole: Path) -> None:
    for row in explored(whole):
        assert row.unseen == evaluate(row.policy, LAMP_TASK, episodes=EPISODES, seed=3)


def test_numbers_are_rounded(whole: Path) -> None:
    rule = load(whole / "front/005.json").splits()[0].rule
    assert (abs(rule.weights[0]), rule.bias) == (1.0, 0.0)
    assert [row.first_rule for row in explored(whole)][1] in ("light <= 0", "light >= 0")


def test_stopped_at_every_event_and_resumed(tmp_path: Path, whole: Path) -> None:
    heard: list[progress.Event] = []
    explored(tmp_path / "whole", heard.append)
    assert contents(tmp_path / "whole") == contents(whole)
    steps = [event for event in heard if isinstance(event, progress.Advance)]
    assert len(steps) > 3 and steps[-1].step == 100
    for number, moment in enumerate(steps):
        folder = tmp_path / f"stopped{number}"

        def stop(event: progress.Event, moment: progress.Event = moment) -> None:
            if event == moment:
                raise KeyboardInterrupt

        with pytest.raises(KeyboardInterrupt):
            explored(folder, stop)
        explored(folder)
        assert contents(folder) == contents(whole), moment


@pytest.mark.parametrize("inside", ["rounded", "choose", "scored"])
def test_stopped_after_the_search_and_resumed(
    tmp_path: Path, whole: Path, monkeypatch: pytest.MonkeyPatch, inside: str
) -> None:
    def stop(*_: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(stage, inside, stop)
        with pytest.raises(KeyboardInterrupt):
            explored(tmp_path / "run")
    explored(tmp_path / "run")
    assert contents(tmp_path / "run") == contents(whole)


def test_two_workers_keep_the_same_bytes(tmp_path: Path, whole: Path) -> None:
    with using_workers(2):
        explored(tmp_path / "run")
    assert contents(tmp_path / "run") == contents(whole)


def test_a_finished_front_is_not_searched_again(
    whole: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def forbidden(*_: object) -> None:
        raise AssertionError("searched although it was kept")

    monkeypatch.setattr(stage, "search_front", forbidden)
    monkeypatch.setattr(stage, "evaluate", forbidden)
    assert [row.complexity for row in explored(whole)] == [1, 5]


@pytest.mark.parametrize(
    "content",
    [
        *("", "[]", '{"number": 1}', '{"number": -1, "steps": 0, "cells": []}'),
        *(
            '{"number": 0, "steps": 0, "cells": [[]]}',
            '{"number": 0, "steps": 0, "cells": [["x"]]}',
        ),
    ],
)
def test_a_damaged_archive_is_one_sentence(tmp_path: Path, whole: Path, content: str) -> None:
    (tmp_path / "config.toml").write_bytes((whole / "config.toml").read_bytes())
    (tmp_path / "front.state.json").write_text(content)
    with pytest.raises(RunError, match=r"remove .* and go on with --resume") as caught:
        explored(tmp_path)
    assert "\n" not in str(caught.value)
    assert "front.state.json" in str(caught.value)


def test_an_archive_of_another_task_is_one_sentence(tmp_path: Path, whole: Path) -> None:
    (tmp_path / "config.toml").write_bytes((whole / "config.toml").read_bytes())
    state: Any = {"number": 0, "steps": 0, "cells": [[dumps(small_tree())]]}
    (tmp_path / "front.state.json").write_text(json.dumps(state))
    with pytest.raises(RunError, match=r"front.state.json .*remove it and go on with --resume"):
        explored(tmp_path)


def test_a_policy_of_the_front_that_is_missing_is_one_sentence(tmp_path: Path, whole: Path) -> None:
    for name in ("config.toml", "front.json", "front/001.json"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_bytes((whole / name).read_bytes())
    with pytest.raises(RunError, match=r"missing; remove front\.json and go on with --resume"):
        explored(tmp_path)


def test_choosing_episodes_decide_what_is_on_the_front(monkeypatch: pytest.MonkeyPatch) -> None:
    games = Games(LAMP_TASK, FEW, SEARCH, 3)
    choosing = episode_seeds(Purpose.CHOOSE, 3, FEW.choosing_episodes).tolist()

    def scores(tree: Any, seeds: Any) -> Any:
        assert seeds.tolist() == choosing
        return np.full(len(seeds), float(tree.n_rules)), 1

    monkeypatch.setattr(games, "scores", scores)
    found: list[Entry] = stage.choose([lamp_tree(), constant_tree(), lamp_tree(-1.2)], games)
    assert [entry.tree.n_rules for entry in found] == [0, 1]


def test_what_control_never_visits_is_trimmed() -> None:
    tree = lamp_tree()
    assert isinstance(tree.root, Split)
    never = tree.with_root(Split(lamp_tree(-9.0).splits()[0].rule, tree.root, Leaf(0)))
    trimmed = stage.trimmed(never, Games(LAMP_TASK, FEW, SEARCH, 3))
    assert (never.n_rules, trimmed.n_rules) == (2, 1)
    assert trimmed.actions([[-1.0], [1.0]]).tolist() == [0, 1]


def test_thresholds_come_to_the_front_however_short_the_search() -> None:
    def best(lines: int) -> float:
        options = replace(FEW, steps=1, lines=lines)
        oracle = FunctionOracle(lamp_oracle, LAMP_TASK)
        front = explore(lambda: [DARK], DATA, LAMP_TASK, oracle, options, SEARCH, EPISODES, 3)
        return front.pick("best").unseen.mean_reward

    assert best(lines=0) < STEPS == best(lines=1)
