"""CartPole's cells: each leads, in one step, to nothing but cells of the same set."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from glasstree.errors import CertificateError
from glasstree.policy import PolicyTree
from glasstree.policy.arrays import Bools, Floats, Ints
from glasstree.prove.checks.policies import possible_actions
from glasstree.prove.vectors import Intervals

CLAIM = "the pole never falls, from every start, for ever"
GRAVITY, FORCE, TIME_STEP = 9.8, 10.0, 0.02
POLE_MASS, HALF_LENGTH = 0.1, 0.5
POLE_MOMENT = POLE_MASS * HALF_LENGTH
TOTAL_MASS = POLE_MASS + 1.0
ANGLE_LIMIT, TRACK_LIMIT, START = 12 * 2 * np.pi / 360, 2.4, 0.05
MOST_CELLS = 20_000_000


def check(evidence: Mapping[str, Any], claim: str, tree: PolicyTree) -> None:
    """Make sure that starts are in the cells, cells below the limit, and that none leads out."""
    low, size = np.array(evidence["low"], dtype=float), np.array(evidence["size"], dtype=float)
    counts = np.array(evidence["counts"], dtype=np.int64)
    runs = np.array(evidence["runs"], dtype=np.int64)
    if tree.task != "cartpole" or claim != CLAIM:
        raise CertificateError(f"the certificate's cells do not show that {claim}")
    if counts.shape != (2,) or (counts < 1).any() or np.prod(counts) > MOST_CELLS:
        raise CertificateError("the certificate's grid is not one over theta and omega")
    if (runs < 0).any() or runs.sum() != np.prod(counts) or not (size > 0.0).all():
        raise CertificateError("the certificate's cells do not fit its grid")
    inside = np.repeat(np.arange(len(runs)) % 2 == 1, runs).reshape(counts)
    if abs(low[0]) > ANGLE_LIMIT or abs(low[0] + counts[0] * size[0]) > ANGLE_LIMIT:
        raise CertificateError("the certificate's cells reach beyond the angle at which poles fall")
    sums = np.pad(inside.astype(np.int64).cumsum(axis=0).cumsum(axis=1), ((1, 0), (1, 0)))
    begin = Intervals.of([-START], [START])
    if not within(begin, begin, low, size, counts, sums).all():
        raise CertificateError("the certificate's cells do not hold every start")
    places = np.argwhere(inside)
    edges = low + places * size, low + (places + 1) * size
    theta, omega = (
        Intervals(edges[0][:, 0], edges[1][:, 0]),
        Intervals(edges[0][:, 1], edges[1][:, 1]),
    )
    actions = possible_actions(tree, seen(theta, omega))
    for action in range(2):
        rows = np.flatnonzero(actions[:, action])
        after = advance(take(theta, rows), take(omega, rows), action)
        if not within(*after, low, size, counts, sums).all():
            raise CertificateError("a cell of the certificate leads out of its cells")


def seen(theta: Intervals, omega: Intervals) -> Intervals:
    """Return what is observed: the cart is anywhere on the track, at any speed."""
    angle, speed = theta.single(), omega.single()
    anywhere = np.full(len(theta.low), np.float64(np.float32(TRACK_LIMIT + 1e-6)))
    any_speed = np.full(len(theta.low), np.inf)
    return Intervals(
        np.stack([-anywhere, -any_speed, angle.low, speed.low], axis=1),
        np.stack([anywhere, any_speed, angle.high, speed.high], axis=1),
    )


def take(values: Intervals, rows: Ints) -> Intervals:
    """Return some of the intervals."""
    return Intervals(values.low[rows], values.high[rows])


def advance(theta: Intervals, omega: Intervals, action: int) -> tuple[Intervals, Intervals]:
    """Return one step of boxes of angle and angular velocity."""
    cosine, sine = theta.cos(), theta.sin()
    force = FORCE if action == 1 else -FORCE
    pull = ((omega**2) * sine * POLE_MOMENT + force) / TOTAL_MASS
    third = Intervals.of(np.nextafter(4 / 3, 0.0), np.nextafter(4 / 3, 2.0))
    inertia = (third - (cosine**2) * POLE_MASS / TOTAL_MASS) * HALF_LENGTH
    turn = (sine * GRAVITY - cosine * pull) / inertia
    return theta + omega * TIME_STEP, omega + turn * TIME_STEP


def within(
    theta: Intervals, omega: Intervals, low: Floats, size: Floats, counts: Ints, sums: Ints
) -> Bools:
    """Whether all cells that boxes touch belong to the set, by sums over rectangles."""
    ends = []
    good = np.ones(len(theta.low), dtype=np.bool_)
    for axis, values in enumerate((theta, omega)):
        first = np.floor((values.low - low[axis]) / size[axis] - 1e-9)
        last = np.floor((values.high - low[axis]) / size[axis] + 1e-9)
        good &= (first >= 0) & (last < counts[axis])
        clipped = [np.clip(end, 0, counts[axis] - 1).astype(np.int64) for end in (first, last)]
        ends.append((clipped[0], clipped[1] + 1))
    (i, k), (j, m) = ends
    held = sums[k, m] - sums[i, m] - sums[k, j] + sums[i, j]
    return good & (held == (k - i) * (m - j))
