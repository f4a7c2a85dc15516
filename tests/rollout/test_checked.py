"""Environments that misbehave: a sentence with the environment and the episode, or it works."""

import sys
import threading
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import gymnasium
import numpy as np
import pytest

from glasstree.errors import TaskError
from glasstree.oracles import FunctionOracle
from glasstree.policy import Leaf, PolicyTree, Rule, Scaling, Split
from glasstree.rollout import Purpose, episode_seeds, evaluate, play
from glasstree.rollout.film import film
from glasstree.rollout.lending import close_all
from glasstree.tasks import get_task
from glasstree.tasks.base import Environment, Task

ODD = "glasstree-tests/Odd-v0"
STEPS = 6
HANGING = threading.Event()
Oddity = Callable[[tuple[Any, ...]], Any]


def seeing(observation: Any) -> Oddity:
    """Return an oddity that shows something else."""
    return lambda answer: (observation, *answer[1:])


def earning(reward: Any) -> Oddity:
    """Return an oddity that pays otherwise."""
    return lambda answer: (answer[0], reward, *answer[2:])


def ending(done: Any) -> Oddity:
    """Return an oddity that ends otherwise."""
    return lambda answer: (*answer[:2], done, *answer[3:])


def leave(answer: Any) -> None:
    """Leave the program."""
    sys.exit(0)


def hang(answer: Any) -> Any:
    """Never answer."""
    HANGING.wait(60.0)
    return answer


def pause(answer: Any) -> Any:
    """Take a moment."""
    HANGING.wait(0.2)
    return answer


ODDITIES: dict[str, Oddity] = {
    "narrow": seeing(np.zeros(1)),
    "scalar": seeing(0.5),
    "wide": seeing(np.zeros(3)),
    "complex": seeing(np.zeros(2, dtype=complex)),
    "text": seeing(np.array(["1.0", "2.0"])),
    "objects": seeing(np.array([1.0, 2.0], dtype=object)),
    "ragged": seeing([[1.0], [1.0, 2.0]]),
    "nothing": seeing(None),
    "infinite": seeing([np.inf, 0.0]),
    "not a number": seeing([0.0, np.nan]),
    "huge": seeing(np.array([1e308, 1e308])),
    "column": seeing(np.zeros((2, 1), dtype=np.float32)),
    "list": seeing([1, 2]),
    "exit": leave,
    "hang": hang,
    "slow": pause,
    "bare": lambda answer: answer[0],
    "four": lambda answer: (*answer[:3], {}),
    "none": lambda answer: None,
    "reward text": earning("1.0"),
    "reward nan": earning(float("nan")),
    "reward huge": earning(1e300),
    "reward complex": earning(1j),
    "reward two": earning(np.ones(2)),
    "reward array": earning(np.array([1.0])),
    "reward whole": earning(1),
    "reward single": earning(np.float32(1.0)),
    "done text": ending("False"),
    "done none": ending(None),
    "done numpy": ending(np.array([False])),
    "done whole": ending(0),
}


class OddEnv(gymnasium.Env[Any, Any]):
    """Two numbers, a reward of 1 a step, and one oddity: in reset, or in the third step."""

    observation_space = gymnasium.spaces.Box(-1.0, 1.0, (2,))
    action_space = gymnasium.spaces.Discrete(2)
    metadata = {"render_modes": ["rgb_array"]}  # noqa: RUF012
    closed = 0

    def __init__(self, where: str, what: str, render_mode: str | None = None) -> None:
        self.where, self.what, self.render_mode = where, what, render_mode

    def reset(self, *, seed: int | None = None, options: Any = None) -> Any:
        """Begin."""
        super().reset(seed=seed)
        self.time = 0
        answer = (self.np_random.uniform(-1.0, 1.0, 2), {})
        return ODDITIES[self.what](answer) if self.where == "reset" else answer

    def step(self, action: int) -> Any:
        """Go on."""
        self.time += 1
        answer = (self.np_random.uniform(-1.0, 1.0, 2), 1.0, False, False, {})
        odd = self.where == "step" and self.time == 3
        return ODDITIES[self.what](answer) if odd else answer

    def render(self) -> Any:
        """Draw nothing."""
        if self.what == "render":
            raise RuntimeError("no paint")
        return np.zeros((40, 200, 3), dtype=np.uint8)

    def close(self) -> None:
        """Fail to close."""
        OddEnv.closed += 1
        if OddEnv.closed % 2:
            sys.exit(0)
        raise RuntimeError("cannot close")


if ODD not in gymnasium.registry:
    gymnasium.register(ODD, entry_point=OddEnv)


def odd_task(where: str, what: str) -> Task:
    """Return the task of an odd environment."""
    timeout = {"hang": 0.25, "slow": 0.5}.get(what, 60.0)
    options = {"where": where, "what": what}
    environment = Environment(ODD, STEPS, options=options, timeout=timeout)
    return Task("odd", "odd", environment, ("x", "y"), ("", ""), ("no", "yes"))


def tree() -> PolicyTree:
    """Follow the first number."""
    rule = Rule([[1, 0]], [1.0], -1.5)
    return PolicyTree(
        Split(rule, Leaf(0), Leaf(1)), Scaling([-1.0] * 2, [1.0] * 2), ("x", "y"), ("no", "yes")
    )


def in_a_thread(work: Callable[[], Any]) -> Any:
    """Do work in a thread, and return or raise what it does."""
    found: list[Any] = []

    def run() -> None:
        try:
            found.append(work())
        except BaseException as error:
            found.append(error)

    thread = threading.Thread(target=run)
    thread.start()
    thread.join(30.0)
    if isinstance(found[0], BaseException):
        raise found[0]
    return found[0]


def by_batches(task: Task, folder: Path) -> float:
    """Play side by side."""
    policy = FunctionOracle(lambda states: (states[:, 0] > 0).astype(int))
    return float(play(policy, task, episode_seeds(Purpose.FINAL, 0, 3))[0].rewards.mean())


def by_chunks(task: Task, folder: Path) -> float:
    """Play one by one."""
    return evaluate(tree(), task, episodes=3).mean_reward


def by_film(task: Task, folder: Path) -> float:
    """Film."""
    seeds = episode_seeds(Purpose.FINAL, 0, 1)
    return film(tree(), task, seeds, folder / "odd.gif")[0]


LOOPS = [by_batches, by_chunks, by_film]
loops = pytest.mark.parametrize("loop", LOOPS)
SEED = int(episode_seeds(Purpose.FINAL, 0, 1)[0])
SEEN = {
    **dict.fromkeys(("narrow", "scalar", "wide", "complex", "text", "objects", "nothing"), "obs"),
    "ragged": "observation of rows of different lengths",
    "infinite": "an observation that is not finite",
    "not a number": "an observation that is not finite",
    "exit": "raised SystemExit: 0",
    "hang": "timed out: no answer within 0.25 s",
}
EARNED = {
    "four": "observation, reward, terminated, truncated, info",
    "none": "observation, reward, terminated, truncated, info",
    "reward text": "returned str '1.0' as reward",
    "reward nan": "a reward that is not finite",
    "reward huge": "a reward of 1e+300, too large to add up",
    "reward complex": "returned complex 1j as reward",
    "reward two": "as reward",
    "done text": "returned str 'False' as truth of an end",
    "done none": "as truth of an end",
}
REFUSED = [
    *(("reset", what, words) for what, words in SEEN.items()),
    *(("reset", what, "(observation, info)") for what in ("bare", "none")),
    *(("step", what, words) for what, words in {**SEEN, **EARNED}.items()),
]
TAKEN = [
    *(("reset", what) for what in ("huge", "column", "list")),
    *(("step", what) for what in ("huge", "column", "list", "reward array", "reward whole")),
    *(("step", what) for what in ("reward single", "done numpy", "done whole")),
]


@loops
@pytest.mark.parametrize("where, what, words", REFUSED, ids=lambda part: str(part)[:20])
def test_what_is_wrong_is_told(
    tmp_path: Path, where: str, what: str, words: str, loop: Any
) -> None:
    with pytest.raises(TaskError) as caught:
        loop(odd_task(where, what), tmp_path)
    told = str(caught.value)
    assert words in told
    assert told.startswith(f"environment '{ODD}' ")
    assert told.endswith(f" in the episode with seed {SEED}; correct it, and go on with --resume")
    assert not list(tmp_path.iterdir())


@loops
@pytest.mark.parametrize("where, what", TAKEN)
def test_what_is_common_is_taken(tmp_path: Path, where: str, what: str, loop: Any) -> None:
    assert loop(odd_task(where, what), tmp_path) == STEPS
    close_all()


@pytest.mark.parametrize("loop", [by_batches, by_chunks])
def test_the_limit_is_for_each_step_alone(tmp_path: Path, loop: Any) -> None:
    assert loop(odd_task("step", "slow"), tmp_path) == STEPS
    close_all()


@loops
def test_a_step_that_hangs_in_a_thread_is_left_alone(tmp_path: Path, loop: Any) -> None:
    for where in ("reset", "step"):
        with pytest.raises(
            TaskError, match=rf"timed out: no answer within 0\.25 s .* seed {SEED};"
        ):
            in_a_thread(lambda where=where: loop(odd_task(where, "hang"), tmp_path))


@loops
def test_threads_play_as_the_main_one_does(tmp_path: Path, loop: Any) -> None:
    assert in_a_thread(lambda: loop(odd_task("step", "list"), tmp_path)) == STEPS


def test_a_number_of_a_wrong_width_never_stands_for_a_whole_state(tmp_path: Path) -> None:
    with pytest.raises(TaskError, match=r"observation of float64 and shape \(\) instead of 2 real"):
        by_chunks(odd_task("step", "scalar"), tmp_path)


def test_pictures_that_fail_are_told(tmp_path: Path) -> None:
    with pytest.raises(TaskError, match=rf"'{ODD}' raised RuntimeError: no paint in the episode"):
        by_film(odd_task("nowhere", "render"), tmp_path)


def test_an_environment_that_cannot_be_closed_is_a_task() -> None:
    gymnasium.register("glasstree-tests/Odd-v1", OddEnv, kwargs={"where": "", "what": ""})
    for _ in range(2):
        assert get_task("glasstree-tests/Odd-v1", step_limit=3).width == 2
    del gymnasium.registry["glasstree-tests/Odd-v1"]


def test_the_default_limit_is_generous() -> None:
    assert replace(odd_task("", "").environment, timeout=300.0) == Environment(
        ODD, STEPS, options={"where": "", "what": ""}
    )
