"""Changes that say more or something else: a term, a split, an action, a variable, a branch.

docs/algorithm.md, section 11.
"""

from dataclasses import replace

import numpy as np

from glasstree.closedloop.front.plainer import leaf_places, merged
from glasstree.closedloop.reengineering import with_action
from glasstree.policy.arrays import Bools, Floats, Ints
from glasstree.policy.formula import as_raw, is_linear
from glasstree.policy.rule import Rule
from glasstree.policy.tree import Leaf, Node, PolicyTree, Split, fold, walk

FEWEST = 12  # states of each kind that are needed to draw a line between them
MOST_POWER = 3  # the largest exponent, as in the paper
LEADING = 3  # variables that tell most, of which one is drawn


def with_term(
    tree: PolicyTree, number: int, states: Floats, generator: np.random.Generator
) -> PolicyTree | None:
    """Return the tree with one more term, of no weight yet, in a rule."""
    rule = tree.splits()[number].rule
    moving = np.flatnonzero(np.ptp(states, axis=0) > 0)
    row = np.zeros(tree.n_variables, dtype=np.int64)
    if not len(moving):
        return None
    row[generator.choice(moving)] = 1
    if generator.random() < 0.2:
        row[generator.choice(moving)] += 1
    if any((row == other).all() for other in rule.exponents):
        return None
    return tree.with_rule(
        number,
        replace(
            rule,
            exponents=np.vstack([rule.exponents, row]),
            weights=np.append(rule.weights, 0.0),
        ),
    )


def with_twin(
    tree: PolicyTree, number: int, states: Floats, generator: np.random.Generator
) -> PolicyTree | None:
    """Return the tree with a sum or difference of two like variables in the place of one.

    Like ones have the same unit; their coefficient is one number, which is read once.
    """
    rule = tree.splits()[number].rule
    if not rule.raw or not is_linear(rule):
        return None
    used, moving = rule.exponents.argmax(axis=1), np.ptp(states, axis=0) > 0
    pairs = [
        (term, new)
        for term, old in enumerate(used)
        for new in np.flatnonzero(moving)
        if new not in used and tree.units[new] == tree.units[old]
    ]
    if not pairs:
        return None
    term, new = pairs[generator.integers(len(pairs))]
    unit = np.eye(tree.n_variables, dtype=np.int64)[new]
    twin = rule.weights[term] * generator.choice((-1.0, 1.0))
    bias = rule.bias - twin * states[:, new].mean()
    weights = np.append(rule.weights, twin)
    longer = replace(rule, exponents=np.vstack([rule.exponents, unit]), weights=weights, bias=bias)
    return tree.with_rule(number, as_raw(longer, tree.scaling))


def with_factor(
    tree: PolicyTree, number: int, states: Floats, generator: np.random.Generator
) -> PolicyTree | None:
    """Return the tree with one more factor in a term of a rule, its weight fitted to the term."""
    rule = tree.splits()[number].rule
    moving = np.flatnonzero(np.ptp(states, axis=0) > 0)
    if not len(moving):
        return None
    term, variable = generator.integers(rule.n_terms), generator.choice(moving)
    exponents = rule.exponents.copy()
    exponents[term, variable] += 1 if rule.raw else generator.choice((-1, 1))
    most = MOST_POWER if len(np.unique(states[:, variable])) > 2 else 1
    distinct = len({tuple(row) for row in exponents}) == len(exponents)
    if abs(exponents[term, variable]) > most or not distinct or not exponents[term].any():
        return None
    longer = replace(rule, exponents=exponents)
    variables = rule.variables(states, tree.scaling)
    old, new = rule.terms(variables)[:, term], longer.terms(variables)[:, term]
    weights = rule.weights.copy()
    share = float(old @ new / (new @ new or 1.0))
    weights[term] *= share if share else old.std() / (new.std() or 1.0)
    return tree.with_rule(number, replace(longer, weights=weights))


def exchanged(
    tree: PolicyTree, number: int, states: Floats, generator: np.random.Generator
) -> PolicyTree | None:
    """Return the tree with one variable of a rule exchanged for another of the same spread."""
    rule = tree.splits()[number].rule
    places = np.argwhere(rule.exponents)
    spread = states.std(axis=0)
    moving = np.flatnonzero(spread > 0)
    if not len(places) or not len(moving):
        return None
    term, old = places[generator.integers(len(places))]
    new = generator.choice(moving)
    exponents, weights = rule.exponents.copy(), rule.weights.copy()
    exponents[term, new], exponents[term, old] = exponents[term, old], 0
    if new == old or len({tuple(row) for row in exponents}) < len(exponents):
        return None
    if rule.raw and spread[old] > 0:
        weights[term] *= spread[old] / spread[new] * generator.choice((-1.0, 1.0))
    return tree.with_rule(number, replace(rule, exponents=exponents, weights=weights))


def relabelled(tree: PolicyTree, generator: np.random.Generator) -> PolicyTree:
    """Return the tree with another action in one of its leaves."""
    leaves = tree.leaves()
    place = int(generator.integers(len(leaves)))
    others = [a for a in range(len(tree.action_names)) if a != leaves[place].action]
    return merged(with_action(tree, place, int(generator.choice(others))))


def with_split(
    tree: PolicyTree, states: Floats, actions: Ints, generator: np.random.Generator
) -> PolicyTree | None:
    """Return the tree with a leaf divided where labelled states want another action there.

    states: (n, variables), actions: (n,), what the oracle does in them.
    """
    places = leaf_places(tree)
    arrivals = tree.apply(states)
    leaves = tree.leaves()
    wrong = [
        np.flatnonzero(actions[arrivals[place]] != leaf.action)
        for place, leaf in zip(places, leaves, strict=True)
    ]
    weights = np.array([len(rows) for rows in wrong], dtype=np.float64)
    if not weights.sum():
        return None
    chosen = int(generator.choice(len(leaves), p=weights / weights.sum()))
    rows = arrivals[places[chosen]]
    action = int(generator.choice(actions[rows[wrong[chosen]]]))
    rule = _divide(states[rows], actions[rows] == action, generator)
    if rule is None:
        return None
    leaf = leaves[chosen]

    def put(node: Leaf) -> Node:
        return (
            Split(rule, replace(node, action=action), node, node.counts) if node is leaf else node
        )

    return tree.with_root(fold(tree.root, put, _rebuilt))


def _divide(states: Floats, wanted: Bools, generator: np.random.Generator) -> Rule | None:
    """Return a rule over one to three variables that holds where something is wanted."""
    if min(wanted.sum(), (~wanted).sum()) < FEWEST:
        return None
    spread = states.std(axis=0)
    moving = np.flatnonzero(spread > 0)
    apart = np.abs(states[wanted].mean(axis=0) - states[~wanted].mean(axis=0))[moving]
    telling = moving[np.argsort(-apart / spread[moving], kind="stable")]
    count = min(int(generator.integers(1, 4)), len(telling))
    first = telling[generator.integers(min(LEADING, len(telling)))]
    rest = [j for j in generator.permutation(moving) if j != first][: count - 1]
    used = np.array([first, *rest])
    columns = states[:, used] / spread[used]
    means = [columns[side].mean(axis=0) for side in (wanted, ~wanted)]
    within = sum(np.cov(columns[side].T).reshape(count, count) for side in (wanted, ~wanted))
    direction = np.linalg.solve(within + 1e-3 * np.eye(count), means[1] - means[0])
    if not np.abs(direction).max() > 0:
        return None
    sums = columns @ direction
    order = np.argsort(sums, kind="stable")
    gained = np.cumsum(np.where(wanted[order], 1.0 / wanted.sum(), -1.0 / (~wanted).sum()))
    cut = min(int(gained.argmax()), len(order) - 2)
    bias = -float(sums[order[cut]] + sums[order[cut + 1]]) / 2
    unit = np.eye(states.shape[1], dtype=np.int64)[used]
    return Rule(unit, direction / spread[used], bias, raw=True)


def grafted(
    tree: PolicyTree, other: PolicyTree, generator: np.random.Generator
) -> PolicyTree | None:
    """Return the tree with a branch of another tree in the place of one of its own."""
    donors = [s for s in other.splits() if other.scaling == tree.scaling or _is_raw(s)]
    if not donors or not tree.n_rules:
        return None
    donor = donors[generator.integers(len(donors))]
    if generator.random() < 0.5:
        number = int(generator.integers(tree.n_rules))
        return tree.with_rule(number, donor.rule)
    # a copy: trees have ancestors in common, and a node in two places would change in both
    branch = fold(donor, replace, _rebuilt)
    places: list[Node] = [*tree.leaves(), *tree.splits()]
    place = places[generator.integers(len(places))]
    return merged(with_branch(tree, place, branch))


def with_branch(tree: PolicyTree, place: Node, branch: Node) -> PolicyTree:
    """Return the tree with a branch in the place of one of its nodes."""

    def visit(node: Node) -> Node:
        if node is place:
            return branch
        if isinstance(node, Leaf):
            return node
        return replace(node, left=visit(node.left), right=visit(node.right))

    return tree.with_root(visit(tree.root))


def _is_raw(node: Node) -> bool:
    return all(isinstance(one, Leaf) or one.rule.raw for _, one in walk(node))


def _rebuilt(node: Split, left: Node, right: Node) -> Node:
    return replace(node, left=left, right=right)
