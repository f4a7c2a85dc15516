"""Boxes of a claim about decisions: halved again as the certificate says, each must keep it."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from glasstree.errors import CertificateError
from glasstree.policy import PolicyTree
from glasstree.prove.checks.policies import possible_actions
from glasstree.prove.claims.conditions import holds
from glasstree.prove.claims.language import Reader
from glasstree.prove.claims.ranges import range_of
from glasstree.prove.claims.syntax import All
from glasstree.prove.vectors import Intervals

MOST_BOXES = 20_000_000


def check(evidence: Mapping[str, Any], claim: str, tree: PolicyTree) -> None:
    """Make sure that the claim holds in every box that is not halved further."""
    within = range_of(tree, [str(text) for text in evidence["within"]])
    said = Reader(claim, tree.state_names, tree.action_names, tree.units).claim()
    low, high = [within.low[np.newaxis]], [within.high[np.newaxis]]
    halved, count = [], 1
    for batch in evidence["halves"]:
        parents = np.array(batch["boxes"], dtype=np.int64)
        variables = np.array(batch["variables"], dtype=np.int64)
        count += 2 * len(parents)
        if count > MOST_BOXES or (parents < 0).any():
            raise CertificateError("the certificate has too many boxes, or none such")
        lows, highs = np.concatenate(low), np.concatenate(high)
        low, high = [lows], [highs]
        first, second = halves(lows[parents], highs[parents], variables)
        low += [first.low, second.low]
        high += [first.high, second.high]
        halved.append(parents)
    boxes = Intervals(np.concatenate(low), np.concatenate(high))
    last = np.ones(len(boxes.low), dtype=np.bool_)
    for parents in halved:
        last[parents] = False
    rest = Intervals(boxes.low[last], boxes.high[last])
    applies = holds(All((said.condition, within.condition)), rest)[1]
    some = Intervals(rest.low[applies], rest.high[applies])
    forbidden = [i for i in range(len(tree.action_names)) if i not in said.allowed]
    if possible_actions(tree, some)[:, forbidden].any():
        raise CertificateError(f"a box of the certificate does not show that {claim}")


def halves(
    low: np.ndarray[Any, Any], high: np.ndarray[Any, Any], variables: np.ndarray[Any, Any]
) -> tuple[Intervals, Intervals]:
    """Return both halves of boxes, each across its variable."""
    rows = np.arange(len(low))
    middle = low[rows, variables] / 2 + high[rows, variables] / 2
    first, second = high.copy(), low.copy()
    first[rows, variables] = middle
    second[rows, variables] = middle
    return Intervals(low, first), Intervals(second, high)
