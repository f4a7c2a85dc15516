"""The nodes of a tree, and two ways through them."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TypeVar

from glasstree.policy.rule import Rule

Result = TypeVar("Result")


@dataclass(frozen=True)
class Leaf:
    """An action; counts are the training or visited states of each action that came here."""

    action: int
    counts: tuple[float, ...] = ()


@dataclass(frozen=True)
class Split:
    """A rule and where it leads: left if f <= 0, right otherwise."""

    rule: Rule
    left: "Node"
    right: "Node"
    counts: tuple[float, ...] = ()


Node = Leaf | Split


def fold(
    node: Node,
    leaf: Callable[[Leaf], Result],
    split: Callable[[Split, Result, Result], Result],
) -> Result:
    """Build something from the leaves upwards."""
    if isinstance(node, Leaf):
        return leaf(node)
    return split(node, fold(node.left, leaf, split), fold(node.right, leaf, split))


def walk(node: Node, depth: int = 0) -> Iterator[tuple[int, Node]]:
    """Yield (depth, node) in preorder."""
    yield depth, node
    if isinstance(node, Split):
        yield from walk(node.left, depth + 1)
        yield from walk(node.right, depth + 1)


@dataclass(frozen=True)
class Step:
    """One rule on the way of a state: its value f, and the side that was taken."""

    split: Split
    value: float
    goes_left: bool

    @property
    def margin(self) -> float:
        """Distance of f from the boundary."""
        return abs(self.value)
