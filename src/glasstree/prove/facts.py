"""What is certain of a policy without being asked: dead leaves, idle rules, directions."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import ArrayLike

from glasstree.policy import Leaf, Node, PolicyTree, Split
from glasstree.policy.arrays import checked_states
from glasstree.prove.boxes import MOST_ACTIONS
from glasstree.prove.claims.ranges import Range, range_of
from glasstree.prove.claims.search import search
from glasstree.prove.claims.syntax import All
from glasstree.prove.slopes import TO_LEFT, TO_RIGHT, sides

SECONDS = 1.0  # for each fact
STEPS = 20  # halvings of a distance


@dataclass(frozen=True)
class Facts:
    """What holds in every state of the range, as sentences and as data.

    dead: leaves, from left to right, that no state reaches; idle: rules, in preorder, with the side
    that all states take; never: (variable, action, action), more of which never turns the first
    action into the second.
    """

    dead: tuple[int, ...]
    idle: tuple[tuple[int, str], ...]
    never: tuple[tuple[str, str, str], ...]

    def sentences(self) -> list[str]:
        """Word the facts."""
        told = [f"no state reaches leaf {leaf}, counted from the left" for leaf in self.dead]
        told += [f"rule {rule} always goes {side}" for rule, side in self.idle]
        return told + [f"more {name} never turns {a} into {b}" for name, a, b in self.never]


@dataclass(frozen=True)
class Surroundings:
    """How far around a state its action is certain, in shares of each variable's range."""

    action: str
    share: float
    nearest: dict[str, float] | None
    other_action: str | None
    other_share: float | None

    def sentence(self) -> str:
        """Word it."""
        sure = f"{self.action} is certain within {100 * self.share:.3g} % of every range around it"
        if self.nearest is None or self.other_share is None:
            return sure
        where = ", ".join(f"{name} = {value:.6g}" for name, value in self.nearest.items())
        return f"{sure}; at {100 * self.other_share:.3g} %, {where}, it is {self.other_action}"


def facts_of(tree: PolicyTree, within: Sequence[str] = ()) -> Facts:
    """Find what is certain in every state of a range."""
    states = range_of(tree, within)
    reached = reached_leaves(tree, states)
    dead = tuple(number for number, alive in enumerate(reached) if not alive)
    return Facts(dead, idle_rules(tree, reached), never_turns(tree, reached, states))


def reached_leaves(tree: PolicyTree, states: Range) -> list[bool]:
    """Return for each leaf, from left to right, whether some state of the range may reach it."""
    count = len(tree.leaves())
    if count > MOST_ACTIONS or count == 1:
        return [True] * count
    numbered = number_leaves(tree)
    every = frozenset(range(count))
    return [
        not search(numbered, All(()), every - {leaf}, states, SECONDS).proved
        for leaf in range(count)
    ]


def number_leaves(tree: PolicyTree) -> PolicyTree:
    """Return the tree with a different action in each leaf."""
    count = -1

    def visit(node: Node) -> Node:
        nonlocal count
        if isinstance(node, Leaf):
            count += 1
            return Leaf(count)
        return Split(node.rule, visit(node.left), visit(node.right))

    root = visit(tree.root)
    return replace(tree, root=root, action_names=tuple(f"leaf {i}" for i in range(count + 1)))


def idle_rules(tree: PolicyTree, reached: Sequence[bool]) -> tuple[tuple[int, str], ...]:
    """Return the rules that states come to but that send all of them to one side."""
    found: list[tuple[int, str]] = []
    rules, leaves = iter(range(tree.n_rules)), iter(reached)

    def visit(node: Node) -> bool:
        if isinstance(node, Leaf):
            return next(leaves)
        number = next(rules)
        left, right = visit(node.left), visit(node.right)
        if left != right:
            found.append((number, "left" if left else "right"))
        return left or right

    visit(tree.root)
    return tuple(sorted(found))


def never_turns(
    tree: PolicyTree, reached: Sequence[bool], states: Range
) -> tuple[tuple[str, str, str], ...]:
    """Return the changes of action that more of a variable cannot bring.

    Two leaves part at one rule; going from one to the other takes a change of side there.
    """
    alive = {leaf.action for leaf, ok in zip(tree.leaves(), reached, strict=True) if ok}
    names, found = tree.action_names, []
    for variable, name in enumerate(tree.state_names):
        if any(split.rule.exponents[:, variable].any() for split in tree.splits()):
            possible = possible_turns(tree, reached, states, variable)
            pairs = [(a, b) for a in sorted(alive) for b in sorted(alive) if a != b]
            found += [(name, names[a], names[b]) for a, b in pairs if (a, b) not in possible]
    return tuple(found)


def possible_turns(
    tree: PolicyTree, reached: Sequence[bool], states: Range, variable: int
) -> set[tuple[int, int]]:
    """Return pairs of actions: more of a variable may turn the first into the second."""
    possible: set[tuple[int, int]] = set()
    leaves = iter(reached)

    def visit(node: Node) -> set[int]:
        if isinstance(node, Leaf):
            return {node.action} if next(leaves) else set()
        left, right = visit(node.left), visit(node.right)
        turns = sides(tree, node.rule, variable, states, SECONDS) if left and right else 0
        if turns & TO_RIGHT:
            possible.update((a, b) for a in left for b in right)
        if turns & TO_LEFT:
            possible.update((b, a) for a in left for b in right)
        return left | right

    visit(tree.root)
    return possible


def surroundings(tree: PolicyTree, state: ArrayLike, within: Sequence[str] = ()) -> Surroundings:
    """Find the largest box around a state in which the action cannot change, and what is beyond."""
    row = checked_states(np.atleast_2d(np.asarray(state, dtype=np.float64)), tree.n_variables)[0]
    action = int(tree.actions(row[np.newaxis])[0])
    width = range_of(tree, within).width
    sure, most, nearest = 0.0, 1.0, None
    for _ in range(STEPS):
        share = most if nearest is None and most <= 1.0 else (sure + most) / 2
        found = search(
            *(tree, All(()), frozenset([action])),
            *(Range(row - share * width, row + share * width), SECONDS, False),
        )
        if found.state is not None:
            nearest = found.state
            most = float(np.abs((nearest - row) / width).max())
        elif found.proved:
            sure = share
            if nearest is None:
                break
        else:
            most = share
        if most - sure < 1e-6:
            break
    names = tree.action_names
    if nearest is None:
        return Surroundings(names[action], sure, None, None, None)
    other = names[int(tree.actions(nearest[np.newaxis])[0])]
    told = dict(zip(tree.state_names, nearest.tolist(), strict=True))
    away = float(np.abs((nearest - row) / width).max())
    return Surroundings(names[action], sure, told, other, away)
