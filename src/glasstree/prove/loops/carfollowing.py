"""CarFollowing: no crash and no lost car, whatever the car ahead does."""

from dataclasses import replace
from time import monotonic
from typing import Any

import numpy as np

from glasstree.policy import PolicyTree
from glasstree.policy.arrays import Floats
from glasstree.prove.answers import Answer
from glasstree.prove.loops.cells import Grid, Reached, grid_data, reach
from glasstree.prove.loops.playing import Episode, play_in_gymnasium, simulate
from glasstree.prove.loops.weakness import undecided_rule
from glasstree.tasks.base import Task
from glasstree.tasks.carfollowing import LARGEST_GAP, SAFE_GAP, SPEED_LIMIT, TIME_STEP

GAP_CELLS, SPEED_CELLS = 300, 512
READS_LAST = 2
GENTLE = (0.9, 0.8, 0.7, 0.6, 0.5, 0.4, 0.3, 0.2, 0.1)  # m/s2 of a car ahead that is milder
CLAIM = "no crash and no lost car, whatever the car ahead does, for ever"
RANDOM_SCRIPTS = 2000


def prove_distance(tree: PolicyTree, task: Task, seconds: float) -> list[Answer]:
    """Prove that the gap stays right for ever; else for how mild a car ahead it does."""
    begin = monotonic()
    episode, script = crash(tree, task)
    if episode is None:
        reached = reach_with(tree, task, 1.0)
        if reached.closed:
            return [proved(reached, CLAIM, 1.0, begin)]
        return [weakest(tree, reached, begin), *milder(tree, task, begin + seconds)]
    return [refuted(episode, script, begin), *milder(tree, task, begin + seconds)]


def reach_with(tree: PolicyTree, task: Task, acceleration: float) -> Reached:
    """Return the cells that can be reached when the car ahead has such an acceleration at most."""
    assert task.enclosure is not None
    twin = replace(task.enclosure, parameters=np.array([acceleration]))
    return reach(twin, tree, grid_for(tree))


def grid_for(tree: PolicyTree) -> Grid:
    """Return cells over gap, relative velocity, rear speed and, if rules read it, the last push."""
    reads = any(split.rule.exponents[:, READS_LAST].any() for split in tree.splits())
    speeds = int(SPEED_LIMIT / TIME_STEP) + 1
    low = np.array([0.0, -SPEED_LIMIT - 0.125, -TIME_STEP / 2, -1.5])
    size = np.array([LARGEST_GAP / GAP_CELLS, 0.125, TIME_STEP, 1.5])
    counts = np.array([GAP_CELLS, SPEED_CELLS + 2, speeds, 2])
    axes = np.arange(4 if reads else 3)
    rest_low, rest_high = np.array([0.0, 0.0, 0.0, -1.0]), np.array([0.0, 0.0, 0.0, 1.0])
    return Grid(axes, low[axes], size[axes], counts[axes], rest_low, rest_high)


def milder(tree: PolicyTree, task: Task, end: float) -> list[Answer]:
    """Find the largest acceleration of the car ahead for which the gap stays right for ever."""
    for acceleration in GENTLE:
        begin = monotonic()
        if begin > end:
            break
        reached = reach_with(tree, task, acceleration)
        if reached.closed:
            claim = (
                "no crash and no lost car, for ever, while the car ahead speeds up and slows down "
                f"by at most {acceleration:g} m/s2"
            )
            return [proved(reached, claim, acceleration, begin)]
    return []


def proved(reached: Reached, claim: str, acceleration: float, begin: float) -> Answer:
    """Tell between which gaps it stays."""
    low, high = reached.grid.boxes(reached.cells)
    sentence = (
        f"the gap stays between {low[:, 0].min():g} and {high[:, 0].max():g} m, in "
        f"{len(reached.cells):,} cells that none leaves"
    )
    evidence = {"kind": "cells", "parameters": [acceleration], **grid_data(reached)}
    return Answer(claim, "proved", sentence, monotonic() - begin, evidence=evidence)


def refuted(episode: Episode, script: Floats, begin: float) -> Answer:
    """Tell what the car ahead does that leads to a crash or a lost car."""
    gap = float(episode.states[-1, 0])
    what = "they crash" if gap <= 0.0 else "it is lost"
    sentence = f"the car ahead {told(script[: episode.steps])}, and {what} at step {episode.steps}"
    state = {"gap": float(episode.start[0]), "v_rel": 0.0, "a_last": float(episode.start[4])}
    return Answer(CLAIM, "refuted", sentence, monotonic() - begin, state=state)


def told(script: Floats) -> str:
    """Word what the car ahead does, phase by phase."""
    changes = np.flatnonzero(np.diff(script)) + 1
    phases = np.split(script, changes)
    if len(phases) > 4:
        return f"changes between full speeding up and braking {len(phases) - 1} times"
    verbs = ["speeds up" if phase[0] > 0 else "brakes" for phase in phases]
    times = [f"{verb} for {TIME_STEP * len(p):g} s" for verb, p in zip(verbs, phases, strict=True)]
    return ", then ".join(times)


def weakest(tree: PolicyTree, reached: Reached, begin: float) -> Answer:
    """Tell the cell that leads away, and for how many steps nothing can happen."""
    low, high = reached.grid.boxes(np.array([reached.escape]))
    steps = int(reached.levels[reached.escape])
    box_low, box_high = np.array([*low[0, :2], -1.0]), np.array([*high[0, :2], 1.0])
    sentence = (
        f"surely for {steps} steps; then cells lead away at gap = {low[0, 0]:g}, v_rel = "
        f"{low[0, 1]:g}, rear speed = {low[0, 2] + TIME_STEP / 2:g}"
        f"{undecided_rule(tree, box_low, box_high)}"
    )
    return Answer(CLAIM, "unknown", sentence, monotonic() - begin)


def scripts(steps: int) -> Floats:
    """Return what a hostile car ahead may do: (n, steps) accelerations.

    It speeds up and then brakes, brakes and then speeds up, at every time, or changes at random.
    """
    times = np.arange(steps)
    once = np.where(times < np.arange(steps)[:, np.newaxis], 1.0, -1.0)
    generator = np.random.default_rng(0)
    changes = generator.random((RANDOM_SCRIPTS, steps)) < 1 / 60
    first = generator.integers(2, size=(RANDOM_SCRIPTS, 1))
    return np.concatenate([once, -once, 1.0 - 2.0 * ((changes.cumsum(axis=1) + first) % 2)])


def crash(tree: PolicyTree, task: Task) -> tuple[Episode | None, Floats]:
    """Look for accelerations of the car ahead that lead to an end, as Gymnasium itself shows."""
    tried = scripts(task.step_limit)
    starts = np.tile([SAFE_GAP, 0.0, 0.0, 0.0, 1.0], (len(tried), 1))
    steps, ended = simulate(task, tree, starts, task.step_limit, tried[:, :, np.newaxis].copy())
    if not ended.any():
        return None, tried[0]
    worst = int(np.argmin(np.where(ended, steps, task.step_limit + 1)))

    def prepare(environment: Any, start: Floats) -> Floats:
        environment.front, environment.rear = start[0], start[1]
        environment.front_speed, environment.rear_speed, environment.last = start[2:]
        environment.np_random = Scripted(tried[worst])
        return np.array([start[0] - start[1], start[2] - start[3], start[4]])

    episode = play_in_gymnasium(task, tree, starts[worst], task.step_limit, prepare)
    return (episode if episode.ended else None), tried[worst]


class Scripted:
    """A generator that draws what it is told to."""

    def __init__(self, values: Floats) -> None:
        self.values = iter(values.tolist())

    def uniform(self, low: float, high: float) -> float:
        """Return the next value, which lies between both."""
        value = float(next(self.values))
        assert low <= value <= high
        return value
