"""Environments, disks and folders that misbehave: one sentence, and what was finished is kept."""

import errno
import json
import os
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import gymnasium
import numpy as np
import pytest

from commands import Command
from glasstree import progress
from glasstree.closedloop import ReoptimisationOptions
from glasstree.data import AggregationOptions
from glasstree.episodes import Purpose, episode_seeds, evaluate, play
from glasstree.episodes.environments import close_all
from glasstree.errors import RunError, TaskError
from glasstree.openloop import GrowthOptions
from glasstree.pipeline import Result, run_stages
from glasstree.runs.store import CONFIG, STATE, open_store
from glasstree.tasks import get_task
from glasstree.tasks.base import Environment
from toys import LAMP_TASK, SLOW_LAMP_TASK, STEPS, LampEnv, lamp_oracle, lamp_tree, little

FAULTY = "glasstree-tests/FaultyLamp-v0"
SETTINGS = {"task": "lamp", "oracle": "lamp", "options": {}}
OPTIONS = little(
    samples=200,
    episodes=20,
    growth=GrowthOptions(max_depth=1),
    aggregation=AggregationOptions(rounds=1, first=200, added=100, episodes=5),
    closed_loop=ReoptimisationOptions(
        generations=2, population=4, racing_episodes=5, choosing_episodes=10
    ),
)


class FaultyLampEnv(LampEnv):
    """LampEnv with a fault in its fifth step."""

    closed = 0

    def __init__(self, fault: str) -> None:
        self.fault, self.time = fault, 0

    def reset(self, *, seed: int | None = None, options: Any = None) -> tuple[Any, dict[str, Any]]:
        """Begin anew."""
        self.time = 0
        return super().reset(seed=seed, options=options)

    def step(self, action: int) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        """Fail in the fifth step."""
        self.time += 1
        seen, reward, ended, cut, more = super().step(action)
        if self.fault == "endless":
            return seen, reward, False, False, more
        if self.time < 5:
            return seen, reward, ended, cut, more
        match self.fault:
            case "raises":
                raise RuntimeError("the bulb burst")
            case "reward":
                return seen, float("nan"), ended, cut, more
            case "observation":
                return np.array([np.inf], dtype=np.float32), reward, ended, cut, more
        raise AssertionError(self.fault)

    def close(self) -> None:
        """Count."""
        FaultyLampEnv.closed += 1


if FAULTY not in gymnasium.registry:
    gymnasium.register(FAULTY, entry_point=FaultyLampEnv)


def faulty(fault: str) -> Any:
    """Return the lamp with a fault."""
    return replace(SLOW_LAMP_TASK, environment=Environment(FAULTY, STEPS, options={"fault": fault}))


@pytest.mark.parametrize(
    "fault, words",
    [
        ("raises", "raised RuntimeError: the bulb burst in the episode with seed"),
        ("reward", "returned a reward that is not finite in the episode with seed"),
        ("observation", "returned an observation that is not finite in the episode with seed"),
    ],
)
@pytest.mark.parametrize("loop", ["side by side", "one by one", "any policy"])
def test_a_fault_in_mid_episode_is_named(fault: str, words: str, loop: str) -> None:
    seeds, closed = episode_seeds(Purpose.FINAL, 0, 30), FaultyLampEnv.closed
    with pytest.raises(TaskError, match=words):
        if loop == "side by side":
            play(lamp_tree(), faulty(fault), seeds)
        elif loop == "one by one":
            evaluate(lamp_tree(), faulty(fault), episodes=30)
        else:
            play(Answering(), faulty(fault), seeds, record=True)
    assert FaultyLampEnv.closed > closed


class Answering:
    """A policy that is no tree."""

    def actions(self, states: Any, /) -> Any:
        """Answer with the light that is seen."""
        return lamp_oracle(states)


def test_an_episode_that_never_ends_is_cut_at_the_limit() -> None:
    found = evaluate(lamp_tree(-0.9), faulty("endless"), episodes=15)
    assert found.mean_steps == STEPS
    ends, _ = play(lamp_tree(), faulty("endless"), episode_seeds(Purpose.FINAL, 0, 3))
    assert ends.steps.tolist() == [STEPS] * 3


def test_an_environment_without_a_limit_gets_the_usual_one_and_says_so() -> None:
    told: list[object] = []
    with progress.listening(told.append):
        assert get_task("glasstree-tests/Lamp-v0").step_limit == 1000
    assert "cut after 1,000 steps, unless --step-limit" in str(told)
    assert get_task("glasstree-tests/Lamp-v0", step_limit=7).step_limit == 7


def test_environments_are_made_once_and_closed() -> None:
    made: list[object] = []

    class Counting(LampEnv):
        def __init__(self) -> None:
            made.append(self)

    gymnasium.register("glasstree-tests/Counting-v0", entry_point=Counting)
    task = replace(SLOW_LAMP_TASK, environment=Environment("glasstree-tests/Counting-v0", STEPS))
    for _ in range(3):
        evaluate(lamp_tree(), task, episodes=25)
    assert len(made) == 1
    close_all()
    evaluate(lamp_tree(), task, episodes=1)
    assert len(made) == 2
    del gymnasium.registry["glasstree-tests/Counting-v0"]


def begun(folder: Path, resume: bool = False) -> Result:
    """Distil the lamp in a folder."""
    return run_stages(LAMP_TASK, lamp_oracle, OPTIONS, open_store(folder, SETTINGS, resume=resume))


def full_after(writes: int) -> Callable[[int], None]:
    """Return an fsync that finds the disk full after some writes."""
    done: list[int] = []

    def fsync(handle: int) -> None:
        done.append(handle)
        if len(done) > writes:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    return fsync


@pytest.mark.parametrize("writes", [0, 1, 4, 8, 11])
def test_a_full_disk_is_one_sentence_and_leaves_nothing_half_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, writes: int
) -> None:
    begun(tmp_path / "whole")
    with monkeypatch.context() as patch:
        patch.setattr(os, "fsync", full_after(writes))
        with pytest.raises(RunError, match=r"No space left on device.* go on with --resume"):
            begun(tmp_path / "run")
    kept = [path for path in (tmp_path / "run").rglob("*") if path.is_file()]
    assert len(kept) == writes
    assert not [path for path in kept if path.name.startswith(".")]
    begun(tmp_path / "run", resume=writes > 0)
    for name in ("closed_loop.json", "policy.json", "test.npz"):
        ours, theirs = tmp_path / "run" / name, tmp_path / "whole" / name
        assert ours.read_bytes() == theirs.read_bytes()


def test_a_full_disk_on_the_command_line(
    glasstree: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as patch:
        patch.setattr(os, "fsync", full_after(1))
        answer = glasstree("run", "cartpole", "--samples", "50", "--out", tmp_path / "run")
    assert answer.code == 2
    assert "No space left on device" in answer.sentence
    assert "Traceback" not in answer.err


def test_a_finished_run_is_not_made_again(tmp_path: Path) -> None:
    first = begun(tmp_path / "run")
    times = {p: p.stat().st_mtime_ns for p in tmp_path.rglob("*.npz")}
    again = begun(tmp_path / "run", resume=True)
    assert again.policy == first.policy
    assert {p: p.stat().st_mtime_ns for p in tmp_path.rglob("*.npz")} == times


@pytest.mark.parametrize("state", [{"a": 1}, [{"generation": 1}], [[1, 2]], [7]])
def test_an_edited_checkpoint_is_named_with_the_way_out(tmp_path: Path, state: object) -> None:
    begun(tmp_path / "run")
    for name in ("closed_loop.json", "policy.json"):
        (tmp_path / "run" / name).unlink()
    (tmp_path / "run" / STATE).write_text(json.dumps(state))
    with pytest.raises(RunError, match=r"is damaged: .* remove .* and go on"):
        begun(tmp_path / "run", resume=True)
    (tmp_path / "run" / STATE).unlink()
    begun(tmp_path / "run", resume=True)


def test_a_foreign_or_edited_run_is_not_resumed(tmp_path: Path) -> None:
    begun(tmp_path / "run")
    config = tmp_path / "run" / CONFIG
    config.write_text(config.read_text().replace('task = "lamp"', 'task = "torch"'))
    with pytest.raises(RunError, match="was started with other options"):
        begun(tmp_path / "run", resume=True)
    config.write_text("[tool.black]\n")
    with pytest.raises(RunError, match="holds no run to resume"):
        begun(tmp_path / "run", resume=True)
