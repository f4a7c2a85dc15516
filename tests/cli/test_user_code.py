"""Code of users that prints, or that leaves the program, behind the command line."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from commands import Command

MODULE = """
import ctypes
import os
import sys
import gymnasium
import numpy as np

class Loud(gymnasium.Env):
    observation_space = gymnasium.spaces.Box(-1.0, 1.0, (1,))
    action_space = gymnasium.spaces.Discrete(2)

    def __init__(self):
        print("made")

    def reset(self, seed=None, options=None):
        print("reset")
        return np.zeros(1), {}

    def step(self, action):
        os.write(1, b"written\\n")
        ctypes.CDLL(None).puts(b"put")
        return np.zeros(1), 1.0, False, False, {}

    def close(self):
        print("closed")

class Leaving(Loud):
    def __init__(self):
        sys.exit(0)

gymnasium.register("mine/Loud-v0", Loud, max_episode_steps=3)
gymnasium.register("mine/Leaving-v0", Leaving, max_episode_steps=3)
print("imported")

def answer(states):
    print("asked")
    return np.zeros(len(states), dtype=int)
"""


EVALUATE = ("evaluate", "--oracle", "mine:answer", "--import", "mine", "--task")


def test_what_users_print_does_not_spoil_json(tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text(MODULE)
    words = (*EVALUATE, "mine/Loud-v0", "--episodes", "3", "--json")
    done = subprocess.run(
        [sys.executable, "-m", "glasstree", *words],
        capture_output=True,
        text=True,
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path), "PYTHONUNBUFFERED": ""},
        timeout=300,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["mean_reward"] == 3.0
    assert done.stdout.count("\n") == 1
    for word in ("imported", "made", "reset", "written", "put", "asked", "closed"):
        assert word in done.stderr


def test_leaving_the_program_is_an_error(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, glasstree: Command
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "mine.py").write_text(MODULE)
    told = glasstree(*EVALUATE, "mine/Leaving-v0")
    sys.modules.pop("mine")
    assert told.code == 2
    assert "cannot make environment 'mine/Leaving-v0': SystemExit: 0" in told.sentence
    (tmp_path / "mine.py").write_text("import sys; sys.exit(0)")
    told = glasstree(*EVALUATE, "cartpole")
    assert told.code == 2
    assert "cannot import 'mine' for oracle 'mine:answer': SystemExit: 0" in told.sentence
