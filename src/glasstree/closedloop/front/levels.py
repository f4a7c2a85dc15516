"""Levels of continuous actions at the end of the search: few digits, and none that is not taken."""

from dataclasses import replace

import numpy as np
from msgspec import structs

from glasstree.policy.formula import significant
from glasstree.policy.tree import Leaf, Node, PolicyTree, Split, fold


def rounded_levels(tree: PolicyTree, digits: int) -> PolicyTree:
    """Return the tree with so many significant digits in each number of its levels."""
    if tree.levels is None:
        return tree
    short = [[significant(value, digits) for value in level] for level in tree.levels]
    return tree.with_levels(short)


def used_levels(tree: PolicyTree) -> PolicyTree:
    """Return the tree without levels that no leaf takes."""
    if tree.levels is None or tree.plant is None:
        return tree
    used = sorted({leaf.action for leaf in tree.leaves()})

    def counts(old: tuple[float, ...]) -> tuple[float, ...]:
        return tuple(np.array(old)[used].tolist()) if old else ()

    def leaf(node: Leaf) -> Node:
        return Leaf(used.index(node.action), counts(node.counts))

    def split(node: Split, left: Node, right: Node) -> Node:
        return Split(node.rule, left, right, counts(node.counts))

    return replace(
        tree,
        root=fold(tree.root, leaf, split),
        action_names=tuple(tree.action_names[action] for action in used),
        plant=structs.replace(tree.plant, levels=tree.levels[used].tolist()),
    )
