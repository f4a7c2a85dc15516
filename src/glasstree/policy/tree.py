"""The policy: splits and leaves, with scaling, names and units."""

from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np
from msgspec import structs
from numpy.typing import ArrayLike

from glasstree.errors import DataError
from glasstree.policy.arrays import Floats, Ints, checked_states
from glasstree.policy.nodes import Leaf as Leaf
from glasstree.policy.nodes import Node as Node
from glasstree.policy.nodes import Split as Split
from glasstree.policy.nodes import Step as Step
from glasstree.policy.nodes import fold as fold
from glasstree.policy.nodes import walk as walk
from glasstree.policy.rule import Rule
from glasstree.policy.scaling import Scaling
from glasstree.policy.sources.encoding import Encoding
from glasstree.policy.sources.levels import level_names, within
from glasstree.policy.sources.plant import Plant


@dataclass(frozen=True)
class PolicyTree:
    """A frozen policy; every stage takes one and returns a new one.

    >>> tree = PolicyTree(Split(Rule([[1]], [1.0], -1.5), Leaf(0), Leaf(1)),
    ...                   Scaling([0.0], [4.0]), ("speed",), ("brake", "go"))
    >>> tree.actions([[1.0], [3.0]])
    array([0, 1])
    >>> tree.n_rules, tree.rule_length, tree.depth
    (1, 1.0, 1)
    """

    root: Node
    scaling: Scaling
    state_names: tuple[str, ...]
    action_names: tuple[str, ...]
    units: tuple[str, ...] = ()
    task: str | None = None
    encoding: Encoding | None = None
    plant: Plant | None = field(default=None, hash=False)

    def __post_init__(self) -> None:
        n_variables = len(self.scaling.minimum)
        if not self.units:
            object.__setattr__(self, "units", ("",) * n_variables)
        if not len(self.state_names) == len(self.units) == n_variables:
            raise ValueError(f"{n_variables} variables need as many names and units")
        if self.encoding and len(self.encoding.sources) != n_variables:
            raise ValueError(f"{n_variables} variables need as many sources")
        if self.levels is not None and len(self.levels) != len(self.action_names):
            raise ValueError(f"{len(self.action_names)} actions need as many levels")
        for names, what in ((self.state_names, "variable"), (self.action_names, "action")):
            if len(set(names)) != len(names) or not all(names):
                raise ValueError(f"{what} names must be unique and not empty")
            if any("\ud800" <= letter <= "\udfff" for letter in "".join(names)):
                raise ValueError(f"{what} names must be text that can be written as UTF-8")
        for _, node in walk(self.root):
            if isinstance(node, Leaf) and not 0 <= node.action < len(self.action_names):
                raise ValueError(f"leaf action {node.action} has no name")
            if isinstance(node, Split) and node.rule.exponents.shape[1] != n_variables:
                raise ValueError(f"a rule does not have {n_variables} variables")

    @property
    def n_variables(self) -> int:
        """Number of state variables."""
        return len(self.state_names)

    @property
    def n_rules(self) -> int:
        """Number of splits."""
        return len(self.splits())

    @property
    def rule_length(self) -> float:
        """Mean number of non-zero exponents per rule."""
        return self.n_exponents / self.n_rules if self.n_rules else 0.0

    @property
    def sizes(self) -> dict[str, float]:
        """How large the tree is, each figure by its name."""
        return {
            "complexity": self.complexity,
            "rules": self.n_rules,
            "rule_length": self.rule_length,
            "depth": self.depth,
        }

    @property
    def n_exponents(self) -> int:
        """Number of non-zero exponents in all rules."""
        return sum(split.rule.length for split in self.splits())

    @property
    def n_terms(self) -> int:
        """Number of power-law terms in all rules."""
        return sum(split.rule.n_terms for split in self.splits())

    @property
    def complexity(self) -> int:
        """Number of symbols that are read when the policy is printed in original units."""
        from glasstree.policy.complexity import complexity

        return complexity(self)

    @property
    def depth(self) -> int:
        """Largest number of rules on the way of a state."""
        return max(depth for depth, _ in walk(self.root))

    @cached_property
    def levels(self) -> Floats | None:
        """The (actions, controls) vectors that actions stand for where these are continuous."""
        levels = self.plant.levels if self.plant else None
        return None if levels is None else np.array(levels, dtype=np.float64)

    def splits(self) -> list[Split]:
        """All splits in preorder."""
        return [node for _, node in walk(self.root) if isinstance(node, Split)]

    def leaves(self) -> list[Leaf]:
        """All leaves from left to right."""
        return [node for _, node in walk(self.root) if isinstance(node, Leaf)]

    def with_root(self, root: Node) -> "PolicyTree":
        """Return the same policy over another tree."""
        return replace(self, root=root)

    def with_rule(self, number: int, rule: Rule) -> "PolicyTree":
        """Return the tree with another rule at its number-th split in preorder.

        >>> tree = PolicyTree(Split(Rule([[1]], [1.0], -1.5), Leaf(0), Leaf(1)),
        ...                   Scaling([0.0], [4.0]), ("speed",), ("brake", "go"))
        >>> tree.with_rule(0, Rule([[1]], [1.0], -1.1)).actions([[1.0], [3.0]])
        array([1, 1])
        """
        chosen = self.splits()[number]

        def rebuild(node: Split, left: Node, right: Node) -> Node:
            return Split(rule if node is chosen else node.rule, left, right, node.counts)

        return self.with_root(fold(self.root, lambda leaf: leaf, rebuild))

    def actions(self, states: ArrayLike) -> Ints:
        """Return the action of each of (n, variables) states."""
        from glasstree.policy.flat import decide_all

        array = checked_states(states, self.n_variables)
        actions = np.empty(len(array), dtype=np.int64)
        decide_all(*self._flat, array, actions)
        return actions

    def apply(self, states: ArrayLike) -> list[Ints]:
        """Return for each node in preorder which of (n, variables) states come to it.

        >>> tree = PolicyTree(Split(Rule([[1]], [1.0], -1.5), Leaf(0), Leaf(1)),
        ...                   Scaling([0.0], [4.0]), ("speed",), ("brake", "go"))
        >>> tree.apply([[1.0], [3.0], [0.0]])
        [array([0, 1, 2]), array([0, 2]), array([1])]
        """
        array = checked_states(states, self.n_variables)
        found: list[Ints] = []

        def visit(node: Node, rows: Ints) -> None:
            found.append(rows)
            if isinstance(node, Split):
                with np.errstate(all="ignore"):
                    goes_left = self.values(node.rule, array[rows]) <= 0.0
                visit(node.left, rows[goes_left])
                visit(node.right, rows[~goes_left])

        visit(self.root, np.arange(len(array)))
        return found

    def values(self, rule: Rule, states: Floats) -> Floats:
        """Evaluate f of a rule on (n, variables) states in original units."""
        return rule.value(rule.variables(states, self.scaling))

    def path(self, state: ArrayLike) -> tuple[list[Step], Leaf]:
        """Return the rules that a state meets, with their values, and its leaf (Eq. 2)."""
        from glasstree.policy.flat import rule_value

        values = np.asarray(state, dtype=np.float64)
        if values.ndim != 1:
            raise DataError(
                f"a single state has {self.n_variables} numbers, got shape {values.shape}"
            )
        row = checked_states(values[np.newaxis], self.n_variables)[0]
        order = {id(split): number for number, split in enumerate(self.splits())}
        steps: list[Step] = []
        node = self.root
        while isinstance(node, Split):
            value = float(rule_value(*self._flat, order[id(node)], row))
            steps.append(Step(node, value, value <= 0.0))
            node = node.left if value <= 0.0 else node.right
        return steps, node

    def parameters(self) -> Floats:
        """Return what re-optimisation changes: all weights, then biases, widths and levels."""
        rules = [split.rule for split in self.splits()]
        weights = [rule.weights for rule in rules]
        biases = [[rule.bias for rule in rules], [rule.width or 0.0 for rule in rules]]
        levels = np.zeros(0) if self.levels is None else self.levels.reshape(-1)
        return np.concatenate([*weights, *biases, levels]).astype(np.float64)

    def with_parameters(self, parameters: Floats) -> "PolicyTree":
        """Return the tree with other weights, biases, widths and levels, as in parameters()."""
        splits = self.splits()
        n_terms = self.n_terms
        rules: dict[int, Rule] = {}
        start = 0
        for number, split in enumerate(splits):
            weights = parameters[start : start + split.rule.n_terms]
            start += split.rule.n_terms
            bias = parameters[n_terms + number]
            width = parameters[n_terms + len(splits) + number] if split.rule.modulus else None
            rules[id(split)] = Rule(split.rule.exponents, weights, bias, width, split.rule.raw)

        def rebuild(node: Split, left: Node, right: Node) -> Node:
            return Split(rules[id(node)], left, right, node.counts)

        tree = self.with_root(fold(self.root, lambda leaf: leaf, rebuild))
        return tree if self.levels is None else tree.with_levels(parameters[-self.levels.size :])

    def with_levels(self, values: ArrayLike) -> "PolicyTree":
        """Return the tree with other levels, in bounds; leaves of equal levels have one action."""
        assert self.plant is not None
        levels = within(self.plant, values)
        first = [int((levels == level).all(axis=1).argmax()) for level in levels]

        def rebuild(node: Split, left: Node, right: Node) -> Node:
            return replace(node, left=left, right=right)

        def leaf(node: Leaf) -> Node:
            return replace(node, action=first[node.action])

        root = fold(self.root, leaf, rebuild)
        plant = structs.replace(self.plant, levels=levels.tolist())
        names = level_names(levels.tolist(), plant.controls)
        return replace(self, root=root, action_names=names, plant=plant)

    def over_raw_values(self) -> "PolicyTree":
        """Return the tree with each line over original units, one variable alone in it."""
        from glasstree.policy.formula import as_raw, is_linear

        def put(node: Split, left: Node, right: Node) -> Node:
            plain = node.rule.raw or is_linear(node.rule)
            rule = as_raw(node.rule, self.scaling) if plain else node.rule
            return Split(rule, left, right, node.counts)

        return self.with_root(fold(self.root, lambda leaf: leaf, put))

    @cached_property
    def _flat(self) -> tuple[Ints, Floats]:
        from glasstree.policy.flat import flatten

        return flatten(self)

    @property
    def flat(self) -> tuple[Ints, Floats]:
        """The tree as (program, numbers) for compiled code."""
        return self._flat

    def __getstate__(self) -> dict[str, object]:
        return {key: kept for key, kept in self.__dict__.items() if key not in ("_flat", "levels")}
