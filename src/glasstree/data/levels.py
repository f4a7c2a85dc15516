"""Levels of continuous actions: the few vectors that stand for what an oracle does."""

from dataclasses import replace

import msgspec
import numpy as np

from glasstree import progress
from glasstree.episodes import Performance, Purpose, episode_seeds
from glasstree.episodes.play import play
from glasstree.errors import OptionError
from glasstree.oracles.choosing import choosing
from glasstree.policy.arrays import Floats, Policy
from glasstree.policy.sources.levels import level_names
from glasstree.tasks.base import Task
from glasstree.tasks.own.actions import nearest

EPISODES = 20  # of the oracle, to see what it does and what levels are worth
COUNTS = (2, 3, 4, 5, 6, 8)  # tried where nothing is said: a few rules cannot take more
TOLERANCE = 0.5  # standard errors of the oracle's reward that fewer levels may lose
ROUNDS = 100  # of Lloyd's algorithm, at most
STATES = 20_000  # answers that are grouped, at most
DIGITS = 3  # of a level, in shares of the range


def with_levels(task: Task, oracle: Policy, count: int | None = None, seed: int = 0) -> Task:
    """Return a task of continuous actions with as many levels as asked for, or as reward needs."""
    if count is not None and count < 2:
        raise OptionError(f"at least 2 levels are needed, got {count}")
    progress.emit(progress.Stage("levels"))
    seeds = episode_seeds(Purpose.COLLECT, seed, EPISODES)
    ends, seen = play(oracle, task, seeds, record=True)
    assert seen is not None and task.bounds is not None
    vectors = np.asarray(seen.actions, dtype=np.float64)
    vectors = vectors[:: -(-len(vectors) // STATES)]
    if count is not None:
        return levelled(task, grouped(vectors, count, task.bounds))
    best: tuple[float, Task] | None = None
    whole = Performance.of(ends, task)
    bar = whole.mean_reward - TOLERANCE * whole.episode_sd / np.sqrt(EPISODES)
    for number in COUNTS:
        tried = levelled(task, grouped(vectors, number, task.bounds))
        black_box = choosing(oracle, tried)
        reward = float(play(black_box, tried, seeds)[0].rewards.mean())
        progress.emit(progress.Advance("levels", number, {"reward": reward}))
        if best is None or reward > best[0]:
            best = (reward, tried)
        if reward >= bar:
            break
    assert best is not None
    return best[1]


def levelled(task: Task, levels: Floats) -> Task:
    """Return a task of continuous actions with these (k, d) levels for them."""
    assert task.plant is not None
    values = levels.tolist()
    plant = msgspec.structs.replace(task.plant, levels=values)
    environment = replace(task.environment, choices=tuple(tuple(level) for level in values))
    names = level_names(values, plant.controls)
    return replace(task, environment=environment, action_names=names, plant=plant)


def grouped(vectors: Floats, count: int, bounds: tuple[tuple[float, ...], ...]) -> Floats:
    """Group (n, d) vectors, and return the rounded mean of each of at most so many groups.

    >>> grouped(np.array([[0.0], [0.1], [0.9], [1.0]]), 2, ((0.0,), (1.0,))).tolist()
    [[0.05], [0.95]]
    """
    low, high = np.array(bounds)
    spans = high - low
    centres = _spread(vectors / spans, count) * spans
    for _ in range(ROUNDS):
        group = nearest(vectors, centres, spans)
        used = np.unique(group)
        moved = np.array([vectors[group == number].mean(axis=0) for number in used])
        if moved.shape == centres.shape and np.array_equal(moved, centres):
            break
        centres = moved
    shares = np.round((centres - low) / spans, DIGITS)
    digits = np.maximum(0, DIGITS - np.floor(np.log10(spans)).astype(int))
    values = low + shares * spans
    rounded = [[round(x, int(n)) + 0.0 for x, n in zip(row, digits, strict=True)] for row in values]
    return np.unique(np.array(rounded), axis=0)


def _spread(points: Floats, count: int) -> Floats:
    """Choose first centres far apart: each is the point that is farthest from those before it."""
    chosen = [points[np.square(points - points.mean(axis=0)).sum(axis=1).argmax()]]
    apart = np.square(points - chosen[0]).sum(axis=1)
    while len(chosen) < count and apart.max() > 0:
        chosen.append(points[apart.argmax()])
        apart = np.minimum(apart, np.square(points - chosen[-1]).sum(axis=1))
    return np.array(chosen)
