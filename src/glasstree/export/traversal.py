"""The one walk over a tree that every printer uses: nodes numbered in preorder, as in the paper."""

from collections.abc import Callable
from dataclasses import dataclass
from itertools import count
from typing import TypeVar

from glasstree.policy import Leaf, Node, PolicyTree, Split

Result = TypeVar("Result")


@dataclass(frozen=True)
class Place:
    """Where a node stands: its number in preorder and its depth."""

    number: int
    depth: int


def traverse(
    tree: PolicyTree,
    leaf: Callable[[Leaf, Place], Result],
    split: Callable[[Split, Place, Result, Result], Result],
) -> Result:
    """Build something from the leaves upwards, knowing each node's place."""
    numbers = count()

    def visit(node: Node, depth: int) -> Result:
        place = Place(next(numbers), depth)
        if isinstance(node, Leaf):
            return leaf(node, place)
        left = visit(node.left, depth + 1)
        return split(node, place, left, visit(node.right, depth + 1))

    return visit(tree.root, 0)


def places(tree: PolicyTree) -> list[tuple[Place, Node]]:
    """Return every node with its place, in preorder."""
    return traverse(
        tree,
        lambda node, place: [(place, node)],
        lambda node, place, left, right: [(place, node), *left, *right],
    )


def used_variables(tree: PolicyTree) -> list[int]:
    """Return the variables on which any rule depends."""
    return sorted({int(j) for split in tree.splits() for j in split.rule.exponents.nonzero()[1]})
