"""Many episodes: of many candidates for the weights of one tree, or of any one policy."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np

from glasstree.parallel import ordered_map, threaded_map
from glasstree.policy.arrays import Floats, Ints, Policy
from glasstree.policy.tree import PolicyTree
from glasstree.rollout.chunks import Chunk, play_chunk
from glasstree.rollout.compiled import CompiledEpisodes
from glasstree.rollout.episodes import CHUNK, play
from glasstree.tasks.base import Ends, Task

EPISODES = 10
COMPILED = 2000
THREADED = 500
# policies that are plain data: those of users may need what only this thread has
TRAVELLERS = ("glasstree.oracles.network", "glasstree.oracles.tiles")


def play_candidates(
    tree: PolicyTree, candidates: Floats, task: Task, seeds: Ints, workers: int = 1
) -> Ends:
    """Play one episode a seed with each row of (n, parameters): fields are (n, episodes)."""
    if task.simulator is not None:
        return CompiledEpisodes(task, seeds).play(tree, candidates, threads=workers)
    program, numbers = tree.flat
    scaling = np.tile(numbers[: 2 * tree.width], (len(candidates), 1))
    rows = np.repeat(np.hstack([scaling, candidates]), len(seeds), axis=0)
    every = np.tile(seeds, len(candidates))
    chunks = [
        Chunk(
            task.environment, tree.width, program, rows[i : i + EPISODES], every[i : i + EPISODES]
        )
        for i in range(0, len(every), EPISODES)
    ]
    ends = joined(ordered_map(play_chunk, chunks, workers))
    return changed(ends, lambda field: field.reshape(len(candidates), len(seeds)))


def play_all(policy: Policy, task: Task, seeds: Ints, workers: int = 1) -> Ends:
    """Play one episode a seed with any policy, on several cores where it can go to them."""
    if isinstance(policy, PolicyTree):
        return _play_tree(policy, task, seeds, workers)
    if type(policy).__module__ not in TRAVELLERS:
        return play(policy, task, seeds)[0]
    work = partial(_ends, policy, replace(task, success=None))
    if task.simulator is not None:
        return joined(threaded_map(work, _chunks(seeds, THREADED), workers))
    return joined(ordered_map(work, _chunks(seeds, CHUNK), workers))


def _play_tree(tree: PolicyTree, task: Task, seeds: Ints, workers: int) -> Ends:
    parameters = tree.parameters()[np.newaxis]
    chunks = _chunks(seeds, COMPILED) if task.simulator is not None else [seeds]
    own = workers if len(chunks) == 1 else 1
    parts = threaded_map(
        lambda some: play_candidates(tree, parameters, task, some, own), chunks, workers
    )
    return changed(joined(parts, axis=1), lambda field: field[0])


def _chunks(seeds: Ints, size: int) -> list[Ints]:
    return [seeds[i : i + size] for i in range(0, len(seeds), size)]


def joined(parts: Sequence[Ends], axis: int = 0) -> Ends:
    """Put episodes together."""
    columns = zip(*(vars(part).values() for part in parts), strict=True)
    return Ends(*(np.concatenate(column, axis=axis) for column in columns))


def changed(ends: Ends, change: Callable[[Any], Any]) -> Ends:
    """Change the shape of every field."""
    return Ends(*(change(field) for field in vars(ends).values()))


def _ends(policy: Policy, task: Task, seeds: Ints) -> Ends:
    return play(policy, task, seeds)[0]
