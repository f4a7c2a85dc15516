"""The one walk over a tree that every printer uses: nodes numbered in preorder, as in the paper."""

from collections.abc import Callable, Iterable
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
    return _variables(tree.splits())


def raw_variables(tree: PolicyTree) -> list[int]:
    """Return the variables that any rule reads as they are."""
    return _variables(split for split in tree.splits() if split.rule.raw)


def scaled_variables(tree: PolicyTree) -> list[int]:
    """Return the variables that any rule reads normalised and limited."""
    return _variables(split for split in tree.splits() if not split.rule.raw)


def is_raw(tree: PolicyTree) -> bool:
    """Tell whether there are rules, and all of them read values as they are."""
    return bool(tree.n_rules) and all(split.rule.raw for split in tree.splits())


def _variables(splits: Iterable[Split]) -> list[int]:
    return sorted({int(j) for split in splits for j in split.rule.exponents.nonzero()[1]})
