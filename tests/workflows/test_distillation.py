"""One call does what the command does: a folder, its page, and a run that goes on by itself."""

import json
import tomllib
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import glasstree as gt
from commands import Command
from glasstree import progress
from glasstree.closedloop import FrontOptions, ReoptimisationOptions
from glasstree.data import AggregationOptions
from glasstree.errors import OptionError, OracleError, RunError
from glasstree.options import Options
from toys import LAMP_TASK, LampEnv, lamp_oracle, little

QUICK: dict[str, Any] = {
    "data": "regular",
    "samples": 300,
    "episodes": 20,
    "front": None,
    "closed_loop": ReoptimisationOptions(
        generations=2, trial_generations=1, trees=1, population=4, episodes=2,
        racing_episodes=3, choosing_episodes=10,
    ),
    "aggregation": AggregationOptions(rounds=1, first=50, added=20, episodes=5),
}  # fmt: skip
CARTPOLE = Options.for_task("cartpole", **QUICK)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A finished run of little effort, made in Python; to be read only."""
    path = tmp_path_factory.mktemp("runs") / "cartpole"
    gt.distill("cartpole", out=path, **QUICK)
    return path


def copied(folder: Path, place: Path, *names: str) -> Path:
    """Return a folder with some files of a run."""
    place.mkdir()
    for name in names:
        (place / name).write_bytes((folder / name).read_bytes())
    return place


def test_python_and_the_command_line_take_the_same_options(
    glasstree: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Stop(Exception):
        pass

    taken: list[Options] = []

    def stop(task: Any, oracle: Any, options: Options, store: Any) -> None:
        taken.append(options)
        raise Stop

    monkeypatch.setattr("glasstree.workflows.distillation.run_stages", stop)
    for task in ("cartpole", "lunarlander"):
        with pytest.raises(Stop):
            gt.distill(task)
        glasstree("run", task, "--out", tmp_path / task)
        with pytest.raises(Stop):
            gt.distill(task, solver="rga", terms=2, seed=4, rules=2)
        words = ("--solver", "rga", "--terms", 2, "--seed", 4, "--rules", 2)
        glasstree("run", task, "--out", tmp_path / task, *words)
        plain, plain_words, other, other_words = taken[-4:]
        assert plain == plain_words == Options.for_task(task)
        assert other == other_words != plain


def test_a_run_holds_what_it_was_told_and_what_came_out(folder: Path) -> None:
    run = gt.open_run(folder)
    assert (run.task, run.oracle, run.options) == ("cartpole", "cartpole", CARTPOLE)
    assert list(run.policies) == ["open loop", "closed loop", "re-engineered"]
    assert run.policy == gt.load(folder / "policy.json")
    assert run.metrics["episodes"] == 20
    assert len(run.curve["best"]) == len(run.curve["mean"])
    assert list(run.rewards) == ["oracle", *run.policies]
    for name, rewards in run.rewards.items():
        assert rewards.mean() == run.metrics["stages"][name]["mean_reward"]
        assert len(rewards) == run.metrics["episodes"]
    assert "cartpole" in repr(run)


def test_a_run_writes_its_page_again_and_several_are_compared(folder: Path, tmp_path: Path) -> None:
    again = gt.open_run(folder).report(tmp_path / "again.html")
    assert again.read_bytes() == (folder / "report.html").read_bytes()
    both = gt.report(folder, gt.open_run(folder), out=tmp_path / "both.html")
    assert "2 policies" in both.read_text()
    with pytest.raises(RunError, match="no run to report"):
        gt.report()


def test_rewards_that_are_damaged_are_one_sentence(folder: Path, tmp_path: Path) -> None:
    part = copied(folder, tmp_path / "run", "config.toml", "policy.json")
    assert gt.open_run(part).rewards == {}
    np.savez(part / "rewards.npz", oracle=np.ones((2, 2)))
    with pytest.raises(RunError, match=r"rewards.npz is damaged: .*; remove .*--resume"):
        _ = gt.open_run(part).rewards
    (part / "rewards.npz").write_bytes(b"no archive")
    with pytest.raises(RunError, match=r"rewards.npz is damaged: .*; remove .*--resume"):
        _ = gt.open_run(part).rewards


def test_a_run_is_resumed_with_its_folder_alone(
    glasstree: Command, folder: Path, tmp_path: Path
) -> None:
    part = copied(folder, tmp_path / "run", "config.toml", "train.npz", "open_loop.json")
    answer = glasstree("run", "--resume", "--out", part, "--json")
    assert answer.code == 0
    assert json.loads(answer.out)["episodes"] == 20
    for name in ("config.toml", "test.npz", "policy.json", "rewards.npz"):
        assert (part / name).read_bytes() == (folder / name).read_bytes(), name
    assert (part / "report.html").exists()
    again = gt.distill(out=part, resume=True, workers=2)
    assert again.policy == gt.load(folder / "policy.json")


def test_a_run_is_resumed_with_its_own_words_or_none(folder: Path) -> None:
    assert gt.distill("cartpole", out=folder, resume=True, **QUICK).options == CARTPOLE
    for other in ({"seed": 1}, {"task": "acrobot"}, {"options": replace(CARTPOLE, samples=9)}):
        with pytest.raises(RunError, match=r"was started with other options; .* or with none"):
            gt.distill(out=folder, resume=True, **other)  # type: ignore[arg-type]


def test_a_run_starts_from_a_file(glasstree: Command, folder: Path, tmp_path: Path) -> None:
    again = tmp_path / "again"
    answer = glasstree("run", "--config", folder / "config.toml", "--out", again, "--json")
    assert answer.code == 0
    assert (again / "config.toml").read_bytes() == (folder / "config.toml").read_bytes()
    assert (again / "policy.json").read_bytes() == (folder / "policy.json").read_bytes()
    (tmp_path / "my.toml").write_text('task = "cartpole"\n[options]\nsamples = 1\n')
    answer = glasstree("run", "--config", tmp_path / "my.toml", "--out", tmp_path / "none")
    assert (answer.code, answer.sentence.count("at least 2 samples")) == (2, 1)


@pytest.mark.parametrize(
    "words, sentence",
    [
        ({}, "say what to control: a task, a file with --config, or --resume"),
        ({"resume": True}, "say which run to resume"),
        ({"task": "cartpole", "options": CARTPOLE, "seed": 1}, "leave out seed"),
        ({"out": "here", "resume": True, "config": "my.toml"}, "leave out --config"),
    ],
)
def test_words_that_make_no_sense_are_one_sentence(
    words: dict[str, Any], sentence: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "my.toml").write_text('task = "cartpole"\n')
    with pytest.raises(OptionError, match=sentence):
        gt.distill(**words)


def test_the_command_needs_to_know_what_to_control(glasstree: Command) -> None:
    for words in ((), ("--resume",)):
        answer = glasstree("run", *words)
        assert (answer.code, "say what to control" in answer.sentence) == (2, True)


def test_a_function_that_a_folder_names_needs_trust(tmp_path: Path) -> None:
    options = little(**QUICK)
    gt.distill(LAMP_TASK, lamp_oracle, options, out=tmp_path / "run")
    config = tomllib.loads((tmp_path / "run" / "config.toml").read_text())
    assert config["oracle"] == "toys:lamp_oracle"
    with pytest.raises(OracleError, match="add --trust"):
        gt.distill(LAMP_TASK, out=tmp_path / "run", resume=True)
    found = gt.distill(LAMP_TASK, out=tmp_path / "run", resume=True, trust=True)
    assert found.policy == gt.open_run(tmp_path / "run").policy


def test_the_help_tells_the_defaults(glasstree: Command) -> None:
    told, usual = " ".join(glasstree("run", "--help").out.split()), Options.for_task("cartpole")
    search: Any = usual.growth.search
    numbers = (usual.samples, usual.episodes, usual.seed, search.terms, search.parsimony)
    for word, number in zip(
        ("samples", "episodes", "seed", "terms", "parsimony"), numbers, strict=True
    ):
        assert f"({number})" in told.split(f"--{word}")[1].split("]")[0], word


class Tired(LampEnv):
    """A lamp whose rewards shrink with each episode, whatever the seed."""

    begun = 0

    def reset(self, *, seed: int | None = None, options: Any = None) -> tuple[Any, dict[str, Any]]:
        Tired.begun += 1
        return super().reset(seed=seed, options=options)

    def step(self, action: int) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        seen, reward, *rest = super().step(action)
        return seen, reward / Tired.begun, *rest


@pytest.mark.parametrize(("environment", "told"), [(LampEnv, False), (Tired, True)])
def test_episodes_that_depend_on_earlier_ones_are_told(environment: Any, told: bool) -> None:
    heard: list[Any] = []
    options = replace(CARTPOLE, front=FrontOptions(steps=500, lines=0, choosing_episodes=5))
    with progress.listening(heard.append):
        task = gt.Task.of(environment, actions=("off", "on"), step_limit=10)
        gt.distill(task, lamp_oracle, options)
    notes = [event.text for event in heard if isinstance(event, progress.Note)]
    assert any("does not begin each episode afresh" in text for text in notes) is told
