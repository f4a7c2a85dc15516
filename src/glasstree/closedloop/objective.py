"""What episodes are worth to the search, and when one policy is as good as another."""

import numpy as np

from glasstree.closedloop.options import ReoptimisationOptions
from glasstree.episodes.scoring import play_candidates
from glasstree.policy.arrays import Floats, Ints
from glasstree.policy.tree import PolicyTree
from glasstree.tasks.base import Outcomes, Task


def mean_scores(
    tree: PolicyTree, candidates: Floats, task: Task, seeds: Ints, options: ReoptimisationOptions
) -> Floats:
    """Return the mean reward, or success, of each candidate over the same episodes (Eq. 7)."""
    ends = play_candidates(tree, candidates, task, seeds)
    means: Floats = values(ends, task, options).mean(axis=1)
    return means


def values(ends: Outcomes, task: Task, options: ReoptimisationOptions) -> Floats:
    """Return what each episode is worth to the objective."""
    if task.success is None or (options.objective == "reward" and not options.failure_cost):
        return ends.rewards
    successes = task.success(ends).astype(float)
    if options.objective == "success":
        return successes
    return ends.rewards - options.failure_cost * (1.0 - successes)


def cost(tree: PolicyTree, options: ReoptimisationOptions) -> float:
    """Return what the size of a tree takes from its score."""
    return options.parsimony * tree.n_exponents


def worth(tree: PolicyTree, task: Task, seeds: Ints, options: ReoptimisationOptions) -> Floats:
    """Return what each episode of a tree is worth to the objective, its size paid for."""
    ends = play_candidates(tree, tree.parameters()[np.newaxis], task, seeds)
    paid: Floats = values(ends, task, options)[0] - cost(tree, options)
    return paid


def as_good(new: Floats, old: Floats, tolerance: float) -> bool:
    """Compare the same episodes: a loss may not exceed so many standard errors."""
    difference = new - old
    error = float(difference.std()) / np.sqrt(len(difference))
    return bool(difference.mean() >= -tolerance * error)


def clearly_better(new: Floats, old: Floats, errors: float) -> bool:
    """Compare the same episodes: a gain must exceed so many standard errors."""
    return not as_good(old, new, errors)
