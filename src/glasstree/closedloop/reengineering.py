"""Parts that closed-loop control never visits are removed, and leaves act as the episodes want.

docs/algorithm.md, section 10.
"""

from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from glasstree import progress
from glasstree.closedloop.objective import as_good, clearly_better, worth
from glasstree.closedloop.options import ReengineeringOptions, ReoptimisationOptions
from glasstree.data.collection import visited_states
from glasstree.episodes.seeds import Purpose, episode_seeds
from glasstree.openloop.pruning import simplify
from glasstree.policy.arrays import Floats
from glasstree.policy.tree import Leaf, Node, PolicyTree, fold
from glasstree.tasks.base import Task

STAGE = "re-engineer"
FIRST_SHARE = 0.2  # of the episodes decide whether a trial plays the others


def reengineer(
    tree: PolicyTree,
    task: Task,
    options: ReengineeringOptions,
    search: ReoptimisationOptions,
    seed: int,
) -> PolicyTree:
    """Relabel leaves where that is worth more, and drop what the tree itself does not visit."""
    counted = recount(tree, visited_states(tree, task, seed, options.states))
    found = relabel(counted, task, options, search, seed)
    if found is not counted:
        choosing = episode_seeds(Purpose.CHOOSE, seed, options.choosing_episodes)
        old, new = (worth(candidate, task, choosing, search) for candidate in (counted, found))
        if as_good(new, old, options.tolerance):
            counted = recount(found, visited_states(found, task, seed, options.states))
    return simplify(counted, max(1.0, options.min_share * sum(counted.root.counts)))


def recount(tree: PolicyTree, states: Floats) -> PolicyTree:
    """Return the tree with the counts of its own actions over these states at every node."""
    actions, n_actions = tree.actions(states), len(tree.action_names)
    tables = iter([np.bincount(actions[rows], minlength=n_actions) for rows in tree.apply(states)])

    def visit(node: Node) -> Node:
        counts = tuple(next(tables).astype(float).tolist())
        if isinstance(node, Leaf):
            return Leaf(node.action, counts)
        return replace(node, left=visit(node.left), right=visit(node.right), counts=counts)

    return tree.with_root(visit(tree.root))


def relabel(
    tree: PolicyTree,
    task: Task,
    options: ReengineeringOptions,
    search: ReoptimisationOptions,
    seed: int,
) -> PolicyTree:
    """Return the tree with other actions in leaves where whole episodes are worth more by them."""
    trials = list(_relabelled(tree))[: options.trials] if options.episodes else []
    if not trials:
        return tree
    seeds = episode_seeds(Purpose.RELABEL, seed, options.episodes)
    few = max(1, round(FIRST_SHARE * len(seeds)))
    now = worth(tree, task, seeds, search)
    progress.emit(progress.Stage(STAGE, total=len(trials)))
    for number, (leaf, action) in enumerate(trials, 1):
        changed = with_action(tree, leaf, action)
        first = worth(changed, task, seeds[:few], search)
        if as_good(first, now[:few], options.clearly):
            whole = np.concatenate([first, worth(changed, task, seeds[few:], search)])
            spares = _rules(changed) < _rules(tree) and as_good(whole, now, options.tolerance)
            if spares or clearly_better(whole, now, options.clearly):
                tree, now = changed, whole
        progress.emit(progress.Advance(STAGE, number, {"rules": float(_rules(tree))}))
    return tree


def _relabelled(tree: PolicyTree) -> Iterator[tuple[int, int]]:
    """Yield the place of each visited leaf with each other action, the most visited first."""
    leaves = tree.leaves()
    visits = [sum(leaf.counts) for leaf in leaves]
    for place in np.argsort(-np.array(visits), kind="stable").tolist():
        for action in range(len(tree.action_names) if visits[place] else 0):
            if action != leaves[place].action:
                yield place, action


def with_action(tree: PolicyTree, place: int, action: int) -> PolicyTree:
    """Return the tree with another action in its place-th leaf from the left."""
    leaf = tree.leaves()[place]

    def put(node: Leaf) -> Node:
        return replace(node, action=action) if node is leaf else node

    root = fold(tree.root, put, lambda node, left, right: replace(node, left=left, right=right))
    return tree.with_root(root)


def _rules(tree: PolicyTree) -> int:
    """Count the rules that are left when sibling leaves of one action are merged."""
    return simplify(tree, 0).n_rules
