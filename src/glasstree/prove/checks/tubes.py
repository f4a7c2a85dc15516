"""MountainCar's parts of the starts, each followed again to the goal."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from glasstree.errors import CertificateError
from glasstree.policy import PolicyTree
from glasstree.policy.arrays import Floats, Ints
from glasstree.prove.checks.policies import possible_actions
from glasstree.prove.vectors import Intervals

FORCE, GRAVITY, SPEED_LIMIT = 0.001, 0.0025, 0.07
LEFT_END, RIGHT_END, GOAL = -1.2, 0.6, 0.5
STARTS = (-0.6, -0.4)
MOST_BOXES = 2_000_000


def check(evidence: Mapping[str, Any], claim: str, tree: PolicyTree) -> None:
    """Follow all parts at once, and make sure that each is in the goal after its steps."""
    edges = np.array(evidence["edges"], dtype=np.float64)
    steps = np.array(evidence["steps"], dtype=np.int64)
    said = f"the goal is reached within {int(steps.max())} steps, from every start"
    if tree.task != "mountaincar" or claim != said or len(edges) != len(steps) + 1:
        raise CertificateError(f"the certificate's parts do not show that {claim}")
    if edges[0] > STARTS[0] or edges[-1] < STARTS[1] or (np.diff(edges) < 0.0).any():
        raise CertificateError("the certificate's parts do not hold every start")
    x = Intervals(edges[:-1], edges[1:])
    v = Intervals.of(np.zeros(len(steps)))
    owners = np.arange(len(steps))
    for step in range(1, int(steps.max()) + 1):
        x, v, owners = advance(tree, x, v, owners)
        if (steps[owners] <= step).any():
            raise CertificateError(f"a part of the starts is not in the goal after {step} steps")
        if len(owners) > MOST_BOXES:
            raise CertificateError("the certificate's parts come to too many boxes to check")


def advance(
    tree: PolicyTree, x: Intervals, v: Intervals, owners: Ints
) -> tuple[Intervals, Intervals, Ints]:
    """Return what one step makes of boxes, without what is in the goal then."""
    seen_x, seen_v = x.single(), v.single()
    low, high = np.stack([seen_x.low, seen_v.low], 1), np.stack([seen_x.high, seen_v.high], 1)
    actions = possible_actions(tree, Intervals(low, high))
    slope = (x * 3.0).cos() * -GRAVITY
    parts = []
    for action in range(actions.shape[1]):
        rows = np.flatnonzero(actions[:, action])
        pull = Intervals(slope.low[rows], slope.high[rows]) + (action - 1) * FORCE
        speed = (Intervals(v.low[rows], v.high[rows]) + pull).clip(-SPEED_LIMIT, SPEED_LIMIT)
        place = (Intervals(x.low[rows], x.high[rows]) + speed).clip(LEFT_END, RIGHT_END)
        parts += pieces(place, speed, owners[rows])
    return (
        Intervals(joined(parts, 0), joined(parts, 1)),
        Intervals(joined(parts, 2), joined(parts, 3)),
        np.concatenate([part[4] for part in parts]),
    )


Piece = tuple[Floats, Floats, Floats, Floats, Ints]


def pieces(x: Intervals, v: Intervals, owners: Ints) -> list[Piece]:
    """Divide boxes into what the wall stops and what it does not; the goal is left out."""
    hits = (x.low <= LEFT_END) & (v.low < 0.0)
    free = ~(hits & (x.high <= LEFT_END))
    arrived = (x.low >= GOAL) & (v.low >= 0.0)
    on = np.flatnonzero(free & ~arrived)
    ends = np.where(v.low[on] >= 0.0, np.minimum(x.high[on], GOAL), x.high[on])
    moving = (x.low[on], ends, v.low[on], v.high[on], owners[on])
    at = np.flatnonzero(hits)
    wall = np.full(len(at), LEFT_END)
    return [moving, (wall, wall, np.zeros(len(at)), np.maximum(v.high[at], 0.0), owners[at])]


def joined(parts: list[Piece], field: int) -> Floats:
    """Return one field of all pieces."""
    return np.concatenate([np.asarray(part[field], dtype=np.float64) for part in parts])
