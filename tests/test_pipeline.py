"""The whole method: small tasks are solved, seeds decide, and interrupted runs end the same."""

import json
from dataclasses import replace
from itertools import groupby
from pathlib import Path

import numpy as np
import pytest

from glasstree import pipeline, progress
from glasstree.closedloop import FrontOptions, ReoptimisationOptions
from glasstree.data import AggregationOptions
from glasstree.errors import DataError, OptionError, OracleError
from glasstree.openloop import GrowthOptions
from glasstree.options import Options
from glasstree.oracles import oracle_for
from glasstree.parallel import using_workers
from glasstree.pipeline import Result, run_stages
from glasstree.policy import load
from glasstree.runs.store import open_store
from glasstree.tasks import Task
from toys import LAMP_TASK, SLOW_LAMP_TASK, lamp_oracle, little

FEW = ReoptimisationOptions(
    generations=4, trial_generations=2, population=6, racing_episodes=20, choosing_episodes=50
)
QUICK = little(
    data="regular",
    samples=200,
    episodes=100,
    growth=GrowthOptions(max_depth=1),
    closed_loop=FEW,
)
DAGGER = replace(
    QUICK,
    data="dagger",
    aggregation=AggregationOptions(rounds=2, first=200, added=100, episodes=20),
)
FRONT = replace(
    QUICK,
    front=FrontOptions(
        steps=60_000,
        soft=0,
        trial_generations=1,
        generations=3,
        longest=4,
        population=4,
        episodes=8,
        racing_episodes=20,
        choosing_episodes=30,
        rounding_episodes=20,
    ),
)
CONFIG = {"task": "lamp", "oracle": "lamp", "options": {}}


@pytest.mark.parametrize("task", [LAMP_TASK, SLOW_LAMP_TASK], ids=["compiled", "gymnasium"])
def test_two_states_become_one_rule_that_never_fails(task: object) -> None:
    result = run_stages(task, lamp_oracle, QUICK)  # type: ignore[arg-type]
    assert (result.policy.n_rules, result.policy.rule_length) == (1, 1.0)
    assert result.policy.actions([[-1.0], [1.0]]).tolist() == [0, 1]
    assert {found.success_rate for found in result.performances.values()} == {1.0}
    assert result.figures["test_accuracy"] == result.figures["train_accuracy"] == 1.0


@pytest.mark.parametrize("options", [DAGGER, replace(QUICK, data="balanced")])
def test_other_kinds_of_data_do_too(options: Options) -> None:
    result = run_stages(LAMP_TASK, lamp_oracle, options)
    assert result.policy.n_rules == 1
    assert result.performances["re-engineered"].success_rate == 1.0


def test_the_summary_has_the_figures_that_others_rely_on() -> None:
    summary = run_stages(LAMP_TASK, lamp_oracle, QUICK).summary()
    assert json.loads(json.dumps(summary, allow_nan=False)) == json.loads(json.dumps(summary))
    for key in ("mean_reward", "episode_sd", "batch_sd", "success_rate", "ci95", "episodes"):
        assert summary[key] == summary["stages"]["re-engineered"][key]
    for key in ("train_accuracy", "test_accuracy", "rules", "rule_length", "depth", "seconds"):
        assert key in summary


def test_listeners_hear_the_stages_in_the_papers_order() -> None:
    heard: list[progress.Event] = []
    with progress.listening(heard.append):
        result = run_stages(LAMP_TASK, lamp_oracle, FRONT)
    stages = [event.name for event in heard if isinstance(event, progress.Stage)]
    told = ["collect", "open loop", "closed loop", "re-engineer", "front", "evaluate"]
    assert [name for name, _ in groupby(stages)] == told
    assert list(result.policies) == ["open loop", "closed loop", "re-engineered", "chosen"]


def test_every_stage_has_its_policy_and_its_figures() -> None:
    shown = run_stages(LAMP_TASK, lamp_oracle, QUICK)
    assert list(shown.performances) == ["oracle", *shown.policies]
    assert "chosen" not in shown.policies
    assert shown.front is None


@pytest.mark.parametrize("task", [LAMP_TASK, SLOW_LAMP_TASK], ids=["compiled", "gymnasium"])
def test_the_lamps_front_is_a_constant_and_one_plain_rule_which_is_chosen(task: Task) -> None:
    result = run_stages(task, lamp_oracle, FRONT)
    assert result.front is not None
    assert [row.complexity for row in result.front] == [1, 5]
    assert result.final == "chosen"
    assert result.policy == result.front[1].policy
    summary = result.summary()
    assert (summary["complexity"], summary["success_rate"]) == (5, 1.0)
    assert summary["mean_reward"] == summary["stages"]["chosen"]["mean_reward"]
    assert result.front[1].unseen == result.performances["chosen"]


def test_what_is_picked_decides_the_final_policy_alone() -> None:
    usual, simplest = (
        run_stages(LAMP_TASK, lamp_oracle, replace(FRONT, pick=pick)) for pick in ("best", "1")
    )
    assert (usual.policy.n_rules, simplest.policy.n_rules) == (1, 0)
    assert usual.front == simplest.front


def test_first_trees_of_lines_alone_have_several_depths_and_run_on_raw_values() -> None:
    data = pipeline.sample(oracle_for(LAMP_TASK, lamp_oracle), LAMP_TASK, QUICK)
    found = pipeline.plain_trees(data, LAMP_TASK, QUICK)
    assert len(found) == 2 * len(pipeline.LINE_PARSIMONIES)  # two depths, and prices of a variable
    assert {tree.complexity for tree in found} == {5}
    assert all(split.rule.raw for tree in found for split in tree.splits())


def test_trees_that_are_trained_as_a_whole_speak_of_the_task() -> None:
    data = pipeline.sample(oracle_for(LAMP_TASK, lamp_oracle), LAMP_TASK, QUICK)
    found = pipeline.soft_trees(data, LAMP_TASK, QUICK, 1)
    assert {tree.depth for tree in found} == {1, 2}
    assert all(tree.action_names == LAMP_TASK.action_names for tree in found)
    assert all(split.rule.raw for tree in found for split in tree.splits())
    assert data.agreement(found[0]) == 1.0


def contents(folder: Path) -> dict[str, bytes]:
    """Return what decides a run, without the time that it took."""
    files = (path for path in folder.rglob("*") if path.is_file())
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in files
        if path.name != "metrics.json"
    }


def kept(folder: Path, options: Options = QUICK, resume: bool = False) -> Result:
    """Run the lamp in a folder."""
    return run_stages(LAMP_TASK, lamp_oracle, options, open_store(folder, CONFIG, resume=resume))


@pytest.mark.parametrize("options", [FRONT, DAGGER], ids=["front", "dagger"])
def test_the_same_seed_gives_the_same_bytes_and_another_seed_does_not(
    tmp_path: Path, options: Options
) -> None:
    kept(tmp_path / "one", options)
    with using_workers(2):
        kept(tmp_path / "two", options)
    kept(tmp_path / "other", replace(options, seed=1))
    one, other = contents(tmp_path / "one"), contents(tmp_path / "other")
    assert one == contents(tmp_path / "two")
    assert one["test.npz"] != other["test.npz"]


def stop_at(number: int) -> progress.Listener:
    """Return a listener that presses Ctrl-C when it hears its n-th event."""
    heard: list[progress.Event] = []

    def listen(event: progress.Event) -> None:
        heard.append(event)
        if len(heard) == number:
            raise KeyboardInterrupt

    return listen


@pytest.mark.parametrize("options", [FRONT, DAGGER], ids=["front", "dagger"])
def test_a_run_stopped_at_any_moment_resumes_to_the_same_bytes(
    tmp_path: Path, options: Options
) -> None:
    heard: list[progress.Event] = []
    with progress.listening(heard.append):
        kept(tmp_path / "whole", options)
    for number in range(1, len(heard) + 1):
        folder = tmp_path / f"stopped{number}"
        with pytest.raises(KeyboardInterrupt), progress.listening(stop_at(number)):
            kept(folder, options)
        result = kept(folder, options, resume=folder.exists())
        assert contents(folder) == contents(tmp_path / "whole"), heard[number - 1]
        assert load(folder / "policy.json") == result.policy


@pytest.mark.parametrize(
    "stage",
    [
        *("collect", "grow", "reoptimise", "reengineer"),
        *("plain_trees", "soft_trees", "explore", "evaluate"),
    ],
)
def test_a_run_stopped_inside_a_stage_resumes_to_the_same_bytes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, stage: str
) -> None:
    kept(tmp_path / "whole", FRONT)

    def stop(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(pipeline, stage, stop)
        with pytest.raises(KeyboardInterrupt):
            kept(tmp_path / "stopped", FRONT)
    kept(tmp_path / "stopped", FRONT, resume=(tmp_path / "stopped").exists())
    assert contents(tmp_path / "stopped") == contents(tmp_path / "whole")
    assert json.loads((tmp_path / "stopped" / "metrics.json").read_text())["success_rate"] == 1.0


def test_an_oracle_of_one_action_has_nothing_to_tell() -> None:
    with pytest.raises(DataError, match="nothing to tell apart"):
        run_stages(LAMP_TASK, lambda states: np.zeros(len(states), dtype=int), QUICK)


def test_an_oracle_of_unknown_actions_is_refused() -> None:
    with pytest.raises(OracleError, match="chose action 7"):
        run_stages(LAMP_TASK, lambda states: np.full(len(states), 7), QUICK)


@pytest.mark.parametrize("change", [{"samples": 1}, {"episodes": 0}, {"seed": -1}, {"seed": 2**31}])
def test_options_that_make_no_sense_are_refused_before_any_work(change: dict[str, int]) -> None:
    with pytest.raises(OptionError):
        replace(QUICK, **change)  # type: ignore[arg-type]
