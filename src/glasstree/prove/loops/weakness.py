"""Where a proof stops: the rule that cannot be decided in a box."""

from glasstree.policy import PolicyTree
from glasstree.policy.arrays import Floats
from glasstree.prove.boxes import rule_range


def undecided_rule(tree: PolicyTree, low: Floats, high: Floats) -> str:
    """Name the first rule, in preorder, that may go either way in a box of observations."""
    for number in range(tree.n_rules):
        value = rule_range(*tree.flat, number, low, high)
        if value.low <= 0.0 < value.high:
            return f", where rule {number} may go either way"
    return ""
