"""Changes that leave less to read: a rule, a term, a factor, a power or a number goes.

docs/algorithm.md, section 11.
"""

from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from glasstree.openloop.pruning import simplify
from glasstree.policy.arrays import Floats
from glasstree.policy.formula import as_raw, is_linear
from glasstree.policy.rule import Rule
from glasstree.policy.tree import Leaf, Node, PolicyTree, Split, fold, walk

NEAR = 0.1  # of a rule's spread: states so near to its boundary count most for its line


def without_split(tree: PolicyTree, number: int, keep_left: bool) -> PolicyTree:
    """Return the tree with one side of a split in the split's place."""
    chosen = tree.splits()[number]

    def put(node: Split, left: Node, right: Node) -> Node:
        if node is chosen:
            return left if keep_left else right
        return replace(node, left=left, right=right)

    return merged(tree.with_root(fold(tree.root, lambda leaf: leaf, put)))


def merged(tree: PolicyTree) -> PolicyTree:
    """Return the tree without splits whose sides act alike."""
    return simplify(tree, -1.0)


def lined(tree: PolicyTree, number: int, states: Floats) -> PolicyTree | None:
    """Return the tree with a line over the same variables in the place of a power law."""
    rule = tree.splits()[number].rule
    if is_linear(rule):
        return None if rule.raw else tree.with_rule(number, as_raw(rule, tree.scaling))
    used = np.flatnonzero(rule.exponents.any(axis=0))
    if len(states) < 4 * len(used):
        return None
    used = used[np.ptp(states[:, used], axis=0) > 0]
    if not len(used):
        return None
    inside = replace(rule, width=None)
    values = tree.values(inside, states)
    edges = [0.0] if rule.width is None else [-rule.width, rule.width]
    distance = np.min([np.abs(values - edge) for edge in edges], axis=0)
    counts = 1.0 / (distance + NEAR * values.std() + 1e-12)
    table = np.column_stack([states[:, used], np.ones(len(states))]) * counts[:, np.newaxis]
    fit = np.linalg.lstsq(table, values * counts, rcond=None)[0]
    weights, bias = fit[:-1], fit[-1]
    if not np.abs(weights).max() > 0:
        return None
    unit = np.eye(tree.n_variables, dtype=np.int64)[used]
    line = Rule(unit, weights, bias, rule.width, raw=True)
    return tree.with_rule(number, as_raw(line, tree.scaling))


def shorter(tree: PolicyTree, states: Floats) -> Iterator[PolicyTree]:
    """Yield the trees with one factor or one term less in some rule."""
    for number, split in enumerate(tree.splits()):
        rule = split.rule
        for found in shorter_rules(rule, rule.variables(states, tree.scaling)):
            yield tree.with_rule(number, found)
        for variable in np.argwhere(np.abs(rule.exponents) > 1).tolist():
            exponents = rule.exponents.copy()
            exponents[tuple(variable)] -= np.sign(exponents[tuple(variable)])
            if len({tuple(row) for row in exponents}) == len(exponents):
                yield tree.with_rule(number, replace(rule, exponents=exponents))
        if rule.width is not None:
            for sign in (1.0, -1.0):
                bias = sign * rule.bias - rule.width
                one = replace(rule, weights=sign * rule.weights, bias=bias, width=None)
                yield tree.with_rule(number, one)


def shorter_rules(rule: Rule, variables: Floats) -> Iterator[Rule]:
    """Yield the rule with one factor, or one term, replaced by its mean over what it reads."""
    terms = rule.terms(variables)
    for term, row in enumerate(rule.exponents):
        if rule.n_terms > 1:
            keep = np.arange(rule.n_terms) != term
            bias = rule.bias + rule.weights[term] * terms[:, term].mean()
            yield replace(
                rule, exponents=rule.exponents[keep], weights=rule.weights[keep], bias=bias
            )
        used = np.flatnonzero(row)
        for variable in used if len(used) > 1 else ():
            exponents = rule.exponents.copy()
            exponents[term, variable] = 0
            if len({tuple(other) for other in exponents}) < len(exponents):
                continue
            shorter = replace(rule, exponents=exponents)
            single = shorter.terms(variables)[:, term]
            weights = rule.weights.copy()
            weights[term] *= float(terms[:, term] @ single / (single @ single or 1.0))
            yield replace(shorter, weights=weights)


def even(tree: PolicyTree, number: int) -> PolicyTree | None:
    """Return the tree with the two most similar coefficients of a line made equal."""
    rule = tree.splits()[number].rule
    sizes = np.abs(rule.weights)
    order = np.argsort(sizes, kind="stable")
    if not rule.raw or len(order) < 2 or sizes[order[0]] == 0:
        return None
    ratios = sizes[order[1:]] / sizes[order[:-1]]
    pairs = [place for place in np.argsort(ratios, kind="stable") if ratios[place] != 1.0]
    if not pairs:
        return None
    first, second = order[pairs[0]], order[pairs[0] + 1]
    weights = rule.weights.copy()
    size = np.sqrt(sizes[first] * sizes[second])
    weights[[first, second]] = np.sign(weights[[first, second]]) * size
    return tree.with_rule(number, as_raw(replace(rule, weights=weights), tree.scaling))


def nodes(tree: PolicyTree) -> list[Node]:
    """Return all nodes in preorder."""
    return [node for _, node in walk(tree.root)]


def without_idle_sides(tree: PolicyTree, states: Floats) -> PolicyTree:
    """Return the tree with one side alone of each modulus whose other side no state passes."""
    arrivals = iter(tree.apply(states))

    def visit(node: Node) -> Node:
        rows = next(arrivals)
        if isinstance(node, Leaf):
            return node
        rule = node.rule
        if rule.width is not None and len(rows):
            inside = tree.values(replace(rule, width=None), states[rows])
            if inside.min() >= -rule.width:
                rule = replace(rule, bias=rule.bias - rule.width, width=None)
            elif rule.width is not None and inside.max() <= rule.width:
                turned = replace(rule, weights=-rule.weights, bias=-rule.bias - rule.width)
                rule = replace(turned, width=None)
        return replace(node, rule=rule, left=visit(node.left), right=visit(node.right))

    return tree.with_root(visit(tree.root))


def leaf_places(tree: PolicyTree) -> list[int]:
    """Return the numbers in preorder, among all nodes, of the leaves."""
    return [number for number, node in enumerate(nodes(tree)) if isinstance(node, Leaf)]
