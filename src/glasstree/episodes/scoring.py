"""Many episodes: of many candidates for the weights of one tree, or of any one policy."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np

from glasstree.episodes.chunks import Chunk, play_chunk
from glasstree.episodes.compiled import CompiledEpisodes
from glasstree.episodes.play import CHUNK, play
from glasstree.parallel import ordered_map, threaded_map
from glasstree.policy.arrays import Floats, Ints, Policy
from glasstree.policy.sources.levels import within
from glasstree.policy.tree import PolicyTree
from glasstree.tasks.base import Outcomes, Task

EPISODES = 10  # that travel to a worker together
COMPILED = 2000  # compiled episodes of a tree that a thread plays together
THREADED = 500  # episodes of another policy that a thread plays together
# policies that are plain data: those of users may need what only this thread has
TRAVELLERS = ("glasstree.oracles.network", "glasstree.oracles.tiles")


def play_candidates(tree: PolicyTree, candidates: Floats, task: Task, seeds: Ints) -> Outcomes:
    """Play one episode per seed with each row of (n, parameters): fields are (n, episodes)."""
    candidates = _in_bounds(tree, candidates)
    if task.simulator is not None:
        return CompiledEpisodes(task, seeds).play(tree, candidates)
    program, numbers = tree.flat
    scaling = np.tile(numbers[: 2 * tree.n_variables], (len(candidates), 1))
    rows = np.repeat(np.hstack([scaling, candidates]), len(seeds), axis=0)
    every = np.tile(seeds, len(candidates))
    levels = () if tree.levels is None else (tree.levels.size, tree.levels.shape[1])
    chunks = [
        Chunk(
            task.free.environment,
            tree.n_variables,
            program,
            rows[i : i + EPISODES],
            every[i : i + EPISODES],
            *levels,
        )
        for i in range(0, len(every), EPISODES)
    ]
    ends = joined(ordered_map(play_chunk, chunks))
    return changed(ends, lambda field: field.reshape(len(candidates), len(seeds)))


def _in_bounds(tree: PolicyTree, candidates: Floats) -> Floats:
    """Return candidates whose levels of actions are all possible."""
    if tree.levels is None or tree.plant is None:
        return candidates
    size = tree.levels.size
    levels = [within(tree.plant, row[-size:]).reshape(-1) for row in candidates]
    return np.hstack([candidates[:, :-size], levels])


def play_all(policy: Policy, task: Task, seeds: Ints) -> Outcomes:
    """Play one episode per seed with any policy, on several cores where it can go to them."""
    if isinstance(policy, PolicyTree):
        return _play_tree(policy, task, seeds)
    if type(policy).__module__ not in TRAVELLERS:
        return play(policy, task, seeds)[0]
    work = partial(_ends, policy, replace(task, success=None))
    if task.simulator is not None:
        return joined(threaded_map(work, _chunks(seeds, THREADED)))
    return joined(ordered_map(work, _chunks(seeds, CHUNK)))


def _play_tree(tree: PolicyTree, task: Task, seeds: Ints) -> Outcomes:
    parameters = tree.parameters()[np.newaxis]
    chunks = _chunks(seeds, COMPILED) if task.simulator is not None else [seeds]
    parts = threaded_map(lambda some: play_candidates(tree, parameters, task, some), chunks)
    return changed(joined(parts, axis=1), lambda field: field[0])


def _chunks(seeds: Ints, size: int) -> list[Ints]:
    return [seeds[i : i + size] for i in range(0, len(seeds), size)]


def joined(parts: Sequence[Outcomes], axis: int = 0) -> Outcomes:
    """Put episodes together."""
    columns = zip(*(vars(part).values() for part in parts), strict=True)
    return Outcomes(*(np.concatenate(column, axis=axis) for column in columns))


def changed(ends: Outcomes, change: Callable[[Any], Any]) -> Outcomes:
    """Change the shape of every field."""
    return Outcomes(*(change(field) for field in vars(ends).values()))


def _ends(policy: Policy, task: Task, seeds: Ints) -> Outcomes:
    return play(policy, task, seeds)[0]
