"""Environments and oracles that misbehave, and runs that are killed."""

import random
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import gymnasium
import numpy as np
from kill_and_resume import COMPARED, finish, importing, kill

from attack.files import Attack
from glasstree.episodes import evaluate
from glasstree.oracles.function import FunctionOracle
from glasstree.tasks.base import Environment
from toys import SLOW_LAMP_TASK, STEPS, LampEnv, lamp_tree

Step = tuple[Any, Any, Any, Any, Any]
LIGHT = np.array([1.0], dtype=np.float32)
PATIENCE = 5.0


def _left(*_: Any) -> Any:
    sys.exit(0)


def _raised(*_: Any) -> Any:
    raise KeyError("inside")


def _hung(*_: Any) -> Any:
    time.sleep(3600)


STEPPING: dict[str, Callable[[Step], Any]] = {
    "two numbers instead of one": lambda step: (np.zeros(2), *step[1:]),
    "a complex observation": lambda step: (LIGHT + 1j, *step[1:]),
    "a text as observation": lambda step: ("light", *step[1:]),
    "no observation": lambda step: (None, *step[1:]),
    "a list of objects": lambda step: (np.array([object()]), *step[1:]),
    "not a number": lambda step: (LIGHT * np.nan, *step[1:]),
    "1e308": lambda step: (np.array([1e308]), *step[1:]),
    "reward as text": lambda step: (step[0], "1.0", *step[2:]),
    "reward as an array": lambda step: (step[0], np.array([1.0]), *step[2:]),
    "reward none": lambda step: (step[0], None, *step[2:]),
    "reward infinite": lambda step: (step[0], np.inf, *step[2:]),
    "done as text": lambda step: (*step[:2], "no", *step[3:]),
    "four values": lambda step: step[:4],
    "nothing": lambda step: None,
    "sys.exit": _left,
    "an error": _raised,
    "a hang": _hung,
}
RESETTING: dict[str, Callable[[Any], Any]] = {
    "no info": lambda start: start[0],
    "nothing": lambda start: None,
    "wrong width": lambda start: (np.zeros(3), {}),
    "sys.exit": _left,
    "an error": _raised,
}
ANSWERS: dict[str, Callable[[Any], Any]] = {
    "text": lambda states: ["on"] * len(states),
    "too few": lambda states: np.zeros(max(0, len(states) - 1), dtype=int),
    "shares": lambda states: np.full(len(states), 0.5),
    "nothing": lambda states: None,
    "far too large": lambda states: np.full(len(states), 2**40),
    "negative": lambda states: np.full(len(states), -1),
    "objects": lambda states: [object()] * len(states),
    "sys.exit": _left,
    "an error": _raised,
    "a hang": _hung,
}


class Spoilt(LampEnv):
    """A lamp that answers strangely."""

    def __init__(self, where: str, what: str) -> None:
        self.where, self.what = where, what

    def reset(self, *, seed: int | None = None, options: Any = None) -> Any:
        """Begin strangely."""
        start = super().reset(seed=seed)
        return RESETTING[self.what](start) if self.where == "reset" else start

    def step(self, action: int) -> Any:
        """Go on strangely."""
        step = super().step(action)
        return STEPPING[self.what](step) if self.where == "step" else step

    def close(self) -> None:
        """Close with an error where that is asked for."""
        if self.where == "close":
            raise RuntimeError("will not close")


def environments(chance: random.Random, folder: Path) -> Iterator[Attack]:
    """Play in environments that break the rules."""
    name = "glasstree-attack/Spoilt-v0"
    if name not in gymnasium.registry:
        gymnasium.register(name, entry_point=Spoilt, disable_env_checker=True)
    cases = [("step", what) for what in STEPPING] + [("reset", what) for what in RESETTING]
    for where, what in [*cases, ("close", "an error")]:
        environment = Environment(
            name, STEPS, options={"where": where, "what": what}, timeout=PATIENCE
        )
        task = replace(SLOW_LAMP_TASK, environment=environment)
        yield f"{where}: {what}", partial(_played, lamp_tree(), task)


def oracles(chance: random.Random, folder: Path) -> Iterator[Attack]:
    """Ask oracles that answer strangely."""
    for what, answer in ANSWERS.items():
        for batch in (True, None):
            oracle = FunctionOracle(answer, batch=batch, timeout=PATIENCE)
            yield f"answers {what}, batch={batch}", partial(_played, oracle, SLOW_LAMP_TASK)


def _played(policy: Any, task: Any) -> None:
    evaluate(policy, task, episodes=3)


def kills(chance: random.Random, folder: Path) -> Iterator[Attack]:
    """Kill a run at random moments, resume it, compare the bytes; three kills an attack."""
    words = ["run", "mountaincar", "--recipe", "paper", "--episodes", "20", "--samples", "500"]
    words += ["--workers", "1"]
    whole = folder / "peace"
    before = finish(words, whole) - importing()
    number = 0
    while True:
        delays = [chance.uniform(0.0, max(0.1, before) / 2) for _ in range(3)]
        yield f"kills after {delays}", partial(_killed, words, whole, folder / f"{number}", delays)
        number += 1


def _killed(words: list[str], whole: Path, disturbed: Path, delays: list[float]) -> None:
    first = importing()
    for delay in delays:
        kill(words, disturbed, first + delay)
    finish(words, disturbed)
    for name in COMPARED:
        if (whole / name).exists():
            assert (whole / name).read_bytes() == (disturbed / name).read_bytes(), name
