"""The numbers of a policy, rounded in the units in which they are read.

docs/algorithm.md, section 11.
"""

from collections.abc import Callable, Iterator
from dataclasses import replace

import numpy as np
from msgspec import structs

from glasstree.closedloop.front.tuning import Games
from glasstree.closedloop.objective import as_good
from glasstree.episodes.seeds import Purpose, episode_seeds
from glasstree.policy.formula import SHORT_DIGITS, alone, as_raw, is_linear, original, significant
from glasstree.policy.rule import Rule
from glasstree.policy.scaling import Scaling
from glasstree.policy.tree import Leaf, Node, PolicyTree, Split, fold

MOST_NUMBERS = 16  # of a tree: in longer ones nobody looks at each

Serves = Callable[[PolicyTree], bool]


def rounded(tree: PolicyTree, games: Games) -> PolicyTree:
    """Return the tree with the fewest digits with which its episodes are worth as much.

    All numbers get as many digits as are needed; then each number of a raw rule gets fewer.
    """
    seeds = episode_seeds(Purpose.ROUND, games.seed, games.options.rounding_episodes)
    whole = games.scores(tree, seeds)[0]

    def serves(other: PolicyTree) -> bool:
        return as_good(games.scores(other, seeds)[0], whole, games.options.tolerance)

    for digits in range(1, SHORT_DIGITS + 1) if tree.n_rules else ():
        shorter = with_digits(tree, digits)
        if shorter is not None and serves(shorter):
            return used_levels(_each(shorter, digits, serves))
    return used_levels(tree)


def with_digits(tree: PolicyTree, digits: int) -> PolicyTree | None:
    """Return the tree with so many significant digits in each number that is printed."""
    scaling = _rounded_scaling(tree.scaling, digits)

    def put(node: Split, left: Node, right: Node) -> Node:
        rule = node.rule
        rule = _rounded(rule, digits) if rule.raw else _printed(rule, tree.scaling, scaling, digits)
        return replace(node, rule=rule, left=left, right=right)

    try:
        root = fold(tree.root, lambda leaf: leaf, put)
        return rounded_levels(replace(tree, root=root, scaling=scaling), digits)
    except ValueError:
        return None


def _rounded(rule: Rule, digits: int) -> Rule:
    return Rule(
        rule.exponents,
        [significant(weight, digits) for weight in rule.weights],
        significant(rule.bias, digits),
        None if rule.width is None else significant(rule.width, digits),
        rule.raw,
    )


def _rounded_scaling(scaling: Scaling, digits: int) -> Scaling:
    """Return ranges in which both the span and the shift of a variable are short."""
    span = np.array([significant(value, digits + 1) for value in scaling.span])
    shift = np.array([significant(value, digits) for value in scaling.span - scaling.minimum])
    low = np.where(span > 0, span - shift, scaling.minimum)
    return Scaling(low, low + span)


def _printed(rule: Rule, old: Scaling, new: Scaling, digits: int) -> Rule:
    """Return a power law whose numbers are short when it is printed in original units."""
    if is_linear(rule):
        return _rounded(as_raw(rule, old), digits)
    exact = alone(original(rule, old))
    if exact.units == "normalised":
        return _rounded(rule, digits)
    short = exact.rounded(digits)
    span = np.where(new.span > 0, new.span, 1.0)
    weights = short.coefficients * np.prod(span ** exact.exponents.astype(float), axis=1)
    return Rule(exact.exponents, weights, short.constant, short.width)


def _each(tree: PolicyTree, most: int, serves: Serves) -> PolicyTree:
    """Take fewer digits, or none, for one number after the other."""
    if sum(split.rule.n_terms + 1 for split in tree.splits()) > MOST_NUMBERS:
        return tree
    for number, split in enumerate(tree.splits()):
        for place in range(split.rule.n_terms + 2 if split.rule.raw else 0):
            for rule in _shorter_numbers(tree.splits()[number].rule, place, most):
                shorter = tree.with_rule(number, rule)
                if serves(shorter):
                    tree = shorter
                    break
    return tree


def _shorter_numbers(rule: Rule, place: int, most: int) -> Iterator[Rule]:
    """Yield the rule with fewer digits in one number: a weight, the bias or the width."""
    numbers = [*rule.weights.tolist(), rule.bias, rule.width or 0.0]
    value, terms = numbers[place], rule.n_terms
    shorter = [significant(value, digits) for digits in range(1, most)]
    if place == terms:
        shorter.insert(0, 0.0)
    for number in dict.fromkeys(shorter):
        if number != value:
            numbers[place] = number
            width = None if rule.width is None else numbers[terms + 1]
            yield Rule(rule.exponents, numbers[:terms], numbers[terms], width, rule.raw)


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
