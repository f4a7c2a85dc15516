"""Episodes of many candidates for the weights of one tree."""

import numpy as np

from glasstree.parallel import ordered_map
from glasstree.policy.arrays import Floats, Ints
from glasstree.policy.tree import PolicyTree
from glasstree.rollout.compiled import CompiledEpisodes
from glasstree.rollout.episodes import play
from glasstree.tasks.base import Ends, Task


def play_candidates(
    tree: PolicyTree, candidates: Floats, task: Task, seeds: Ints, workers: int = 1
) -> Ends:
    """Play one episode a seed with each row of (n, parameters): fields are (n, episodes)."""
    if task.simulator is not None:
        return CompiledEpisodes(task, seeds).play(tree, candidates, threads=workers)
    trees = [tree.with_parameters(row) for row in candidates]
    ends = ordered_map(lambda policy: play(policy, task, seeds)[0], trees, workers)
    names = ("rewards", "steps", "terminated", "last_rewards")
    return Ends(*(np.array([getattr(end, name) for end in ends]) for name in names))
