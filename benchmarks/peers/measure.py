"""One cell of control: learn, then meet states and episodes that nothing has seen."""

from collections.abc import Callable, Sequence
from dataclasses import fields, replace
from functools import lru_cache
from pathlib import Path
from time import perf_counter, process_time
from typing import Any

import numpy as np

from glasstree.data import Dataset, collect
from glasstree.episodes import Purpose, evaluate
from glasstree.oracles import oracle_for
from glasstree.policy.arrays import Floats, Policy
from glasstree.tasks import Task, get_task
from glasstree.tasks.twins import Simulator

from .aggregate import SAMPLES, follow, imitate
from .cells import Contest, Figures
from .front import EPISODES
from .origins import FLOOR, ORACLE, OURS, TRACE
from .rivals import RIVALS, Learnt

CALLS = 2000
TESTING = 1000  # added to a seed, for states that no stage of a run has met
MOST = 200  # symbols of a policy whose text is kept


class BlackBox:
    """An oracle as a contender; occurrences and complexity are its weights."""

    splits = 0

    def __init__(self, oracle: Policy) -> None:
        self.occurrences = self.complexity = int(getattr(oracle, "n_parameters", 0))
        for name in ("actions", "vectors"):
            if hasattr(oracle, name):
                setattr(self, name, getattr(oracle, name))


class AtRandom:
    """Random actions: the floor under all contenders."""

    splits = occurrences = complexity = 0

    def __init__(self, task: Task, seed: int) -> None:
        self.task, self.generator = task, np.random.default_rng(seed)

    def actions(self, states: Floats) -> Any:
        """Return random actions."""
        return self.generator.integers(self.task.n_actions, size=len(states))

    def vectors(self, states: Floats) -> Floats:
        """Return random vectors within their bounds."""
        assert self.task.bounds is not None
        low, high = self.task.bounds
        return self.generator.uniform(low, high, (len(states), len(low)))


def control(cell: Contest, runs: Sequence[Path] = (), anew: bool = False) -> Figures:
    """Return the figures of a control cell; glasstree's runs are found or made in folders.

    Which code made a run is known in the last of the folders, and where a note beside it says so.
    """
    if cell.rival in (OURS, TRACE):
        from . import ours

        return ours.trace(cell) if cell.rival == TRACE else ours.front(cell, runs, anew)
    task = get_task(cell.task)
    if cell.rival == FLOOR:
        return worth(AtRandom(task, cell.seed), task.free, cell.seed)
    oracle = oracle_for(task, None)
    if cell.rival == ORACLE:
        return {**worth(oracle, task.free, cell.seed), **sizes(BlackBox(oracle))}
    RIVALS[cell.rival].unpack()
    started = process_time()
    found = learnt(cell, oracle, task)
    seconds = process_time() - started
    figures = {
        **worth(found.policy, task.free, cell.seed),
        **looks(found.policy, task, cell.seed),
        "seconds": seconds,
        "steps": found.steps,
    }
    if found.policy.complexity <= MOST:
        figures["text"] = found.policy.text(task)
    return figures


def learnt(cell: Contest, oracle: Policy, task: Task) -> Learnt:
    """Let a rival learn, and count the steps of the environment."""
    rival = RIVALS[cell.rival]
    if rival.learn is not None:
        return rival.learn(task, cell.size, cell.seed)
    counted, steps = counting(task)
    learn = imitate if cell.data == "plain" else follow
    policy = learn(rival, cell.size, oracle, counted, cell.seed)
    return Learnt(policy, steps())


def counting(task: Task) -> tuple[Task, Callable[[], int]]:
    """Return a task whose simulator counts its steps, and what tells their number."""
    assert task.simulator is not None
    total = [0]

    class Counting(Simulator):
        def advance(self, *arrays: Any) -> None:
            total[0] += len(arrays[0])
            super().advance(*arrays)

    counted = Counting(**{one.name: getattr(task.simulator, one.name) for one in fields(Simulator)})
    return replace(task, simulator=counted), lambda: total[0]


def worth(policy: Policy, task: Task, seed: int) -> Figures:
    """Play the final episodes; those of CartPole at their full 500 steps too."""
    found = evaluate(policy, task, episodes=EPISODES, seed=seed)
    figures = {
        "reward": found.mean_reward,
        "sd": found.episode_sd,
        "batch_sd": found.batch_sd,
        "success": found.success_rate,
    }
    if task.training_steps is not None:
        steps = evaluate(policy, task.for_training, episodes=EPISODES, seed=seed)
        figures["long_steps"] = steps.mean_steps
    return figures


def sizes(policy: Any) -> Figures:
    """Count a policy."""
    return {name: getattr(policy, name) for name in ("splits", "occurrences", "complexity")}


def looks(policy: Any, task: Task, seed: int) -> Figures:
    """Count a policy, and let it meet test states all at once and one by one."""
    if task.bounds is not None:
        return sizes(policy)
    test = held_back(task.name, seed)
    return {
        "accuracy": float((policy.actions(test.states) == test.actions).mean()),
        **sizes(policy),
        "microseconds": decision_time(policy, test.states[:CALLS]),
    }


@lru_cache(maxsize=4)
def held_back(name: str, seed: int) -> Dataset:
    """Return states of a task's oracle that no contender learns from, once for all contenders."""
    task = get_task(name)
    oracle = oracle_for(task, None)
    return collect(oracle, task, SAMPLES, seed=seed + TESTING, purpose=Purpose.HELD_BACK)


def decision_time(policy: Policy, states: Floats) -> float:
    """Return the median time of one decision about one state."""
    times = np.empty(len(states))
    for number in range(len(states)):
        state = states[number : number + 1]
        started = perf_counter()
        policy.actions(state)
        times[number] = perf_counter() - started
    return 1e6 * float(np.median(times))
