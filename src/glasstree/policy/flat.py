"""A tree as two flat arrays, and the compiled decision over them.

program: [variables, splits, terms, factors, root], then left and right child and kind of each
split (1 with a modulus, 2 over raw values, 3 with both), first term of each split, first factor
of each term, variable and exponent of each factor. A child is a split's index, or ~action for a
leaf.

numbers: minimum and span of each variable, then what re-optimisation changes: the weight
of each term, the bias of each split, the width of each split, the levels of continuous actions.

docs/algorithm.md, section 1.
"""

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from glasstree.compiled import integer, integers, kernel, nothing, real, reals, reals2
from glasstree.policy.arrays import Floats, Ints
from glasstree.policy.scaling import HIGHEST, LOWEST

if TYPE_CHECKING:
    from glasstree.policy.tree import Node, PolicyTree

HEADER = 5  # numbers of a program before its nodes
MODULUS, RAW = 1, 2  # bits of the kind of a rule


class FlatTree(NamedTuple):
    """The two arrays; many candidates may share one program."""

    program: Ints
    numbers: Floats


def flatten(tree: "PolicyTree") -> FlatTree:
    """Lay a tree out, its splits in preorder."""
    from glasstree.policy.tree import Leaf

    splits = tree.splits()
    index = {id(split): number for number, split in enumerate(splits)}

    def child(node: "Node") -> int:
        return ~node.action if isinstance(node, Leaf) else index[id(node)]

    term_start, factor_start = [0], [0]
    variables: list[int] = []
    exponents: list[int] = []
    for split in splits:
        for row in split.rule.exponents:
            used = np.flatnonzero(row)
            variables.extend(used.tolist())
            exponents.extend(row[used].tolist())
            factor_start.append(len(variables))
        term_start.append(len(factor_start) - 1)
    program = [
        *(tree.n_variables, len(splits), len(factor_start) - 1, len(variables), child(tree.root)),
        *(child(split.left) for split in splits),
        *(child(split.right) for split in splits),
        *(MODULUS * split.rule.modulus + RAW * split.rule.raw for split in splits),
        *term_start,
        *factor_start,
        *variables,
        *exponents,
    ]
    numbers = [tree.scaling.minimum, tree.scaling.span, tree.parameters()]
    return FlatTree(np.array(program, dtype=np.int64), np.concatenate(numbers))


@kernel(real(integers, reals, integer, reals), error_model="numpy")
def rule_value(program: Ints, numbers: Floats, split: int, state: Floats) -> float:
    """Evaluate f of one split on one state in original units (Eq. 3)."""
    n_variables, n_splits, n_terms, n_factors = program[0], program[1], program[2], program[3]
    term_start = HEADER + 3 * n_splits
    factor_start = term_start + n_splits + 1
    variables = factor_start + n_terms + 1
    exponents = variables + n_factors
    weights = 2 * n_variables
    kind = program[HEADER + 2 * n_splits + split]
    total = 0.0
    for term in range(program[term_start + split], program[term_start + split + 1]):
        value = 1.0
        for factor in range(program[factor_start + term], program[factor_start + term + 1]):
            variable = program[variables + factor]
            exponent = program[exponents + factor]
            base = state[variable]
            if kind & RAW == 0:
                span = numbers[n_variables + variable]
                base = 1.0
                if span > 0.0:
                    base += (state[variable] - numbers[variable]) / span
                    base = min(max(base, LOWEST), HIGHEST)
            raised = base
            for _ in range(abs(exponent) - 1):
                raised *= base
            value *= 1.0 / raised if exponent < 0 else raised
        total += numbers[weights + term] * value
    total += numbers[weights + n_terms + split]
    if kind & MODULUS:
        return abs(total) - abs(numbers[weights + n_terms + n_splits + split])
    return total


@kernel(integer(integers, reals, reals))
def decide(program: Ints, numbers: Floats, state: Floats) -> int:
    """Return the action of the tree for one state in original units (Eq. 1)."""
    n_splits = program[1]
    node = program[4]
    while node >= 0:
        if rule_value(program, numbers, node, state) <= 0.0:
            node = program[HEADER + node]
        else:
            node = program[HEADER + n_splits + node]
    return ~node


@kernel(nothing(integers, reals, reals2, integers))
def decide_all(program: Ints, numbers: Floats, states: Floats, actions: Ints) -> None:
    """Fill in the action of every state."""
    for row in range(len(states)):
        actions[row] = decide(program, numbers, states[row])
