"""Policies with levels of their own side by side: one list of levels for all of them."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from msgspec import structs

from glasstree.policy.sources.levels import level_names
from glasstree.policy.tree import Leaf, Node, PolicyTree, Split, fold


def shared_levels(
    first: Sequence[Sequence[float]], trees: Sequence[PolicyTree]
) -> list[list[float]]:
    """Return the given levels, then those that only a tree has, each once.

    >>> shared_levels([(0.5,)], [])
    [[0.5]]
    """
    found = [list(level) for level in first]
    for tree in trees:
        own = [] if tree.levels is None else tree.levels.tolist()
        found += [level for place, level in enumerate(own) if level not in [*found, *own[:place]]]
    return found


def with_shared(tree: PolicyTree, levels: list[list[float]]) -> PolicyTree:
    """Return a tree whose actions are numbers of shared levels; it decides as before."""
    if tree.levels is None or tree.plant is None:
        return tree
    places = [levels.index(level) for level in tree.levels.tolist()]

    def counts(old: tuple[float, ...]) -> tuple[float, ...]:
        whole = np.zeros(len(levels))
        whole[places] = old if old else 0.0
        return tuple(whole.tolist()) if old else ()

    def leaf(node: Leaf) -> Node:
        return Leaf(places[node.action], counts(node.counts))

    def split(node: Split, left: Node, right: Node) -> Node:
        return Split(node.rule, left, right, counts(node.counts))

    return replace(
        tree,
        root=fold(tree.root, leaf, split),
        action_names=level_names(levels, tree.plant.controls),
        plant=structs.replace(tree.plant, levels=levels),
    )
