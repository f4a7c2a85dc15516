"""CarFollowing's gaps: each place leads, in one step, to nothing but gaps of the certificate."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from glasstree.errors import CertificateError
from glasstree.policy import PolicyTree
from glasstree.policy.arrays import Bools, Floats, Ints
from glasstree.prove.checks.policies import possible_actions
from glasstree.prove.vectors import Intervals

CLAIM = "no crash and no lost car, whatever the car ahead does, for ever"
MILDER = (
    "no crash and no lost car, for ever, while the car ahead speeds up and slows down "
    "by at most {:g} m/s2"
)
TIME_STEP, SPEED_LIMIT, LARGEST_GAP = 0.25, 32.0, 150.0
START_GAP = (29.7, 30.3)
BLUR = 1e-3
CELL, SLICE = 1 / 16, 0.25
HALF, SPEEDS, SLICES = 512, 129, 600
SHAPE = (2 * HALF, SPEEDS, 2)


def check(evidence: Mapping[str, Any], claim: str, tree: PolicyTree) -> None:
    """Make sure that starts are held, gaps are right, and that no place leads out."""
    acceleration = float(evidence["acceleration"])
    said = CLAIM if acceleration == 1.0 else MILDER.format(acceleration)
    if tree.task != "carfollowing" or claim != said or not 0.0 < acceleration <= 1.0:
        raise CertificateError(f"the certificate's gaps do not show that {claim}")
    places = np.array(evidence["places"], dtype=np.int64)
    low, high = np.full(SHAPE, np.inf), np.full(SHAPE, -np.inf)
    low.ravel()[places] = np.array(evidence["low"], dtype=np.float64)
    high.ravel()[places] = np.array(evidence["high"], dtype=np.float64)
    first, last = low[HALF, 0], high[HALF, 0]
    if (first > START_GAP[0]).any() or (last < START_GAP[1]).any():
        raise CertificateError("the certificate's gaps do not hold every start")
    cells, rears, pushes = np.unravel_index(places, SHAPE)
    ends = (low.ravel()[places], high.ravel()[places])
    if (ends[0] <= BLUR).any() or (ends[1] > LARGEST_GAP - BLUR).any():
        raise CertificateError("the certificate's gaps are too small or too large")
    bits = decisions(tree)
    for action in range(2):
        some, near, far = parts(bits[:, :, :, action], *ends, cells, pushes)
        moved = (near, far, cells[some], rears[some], action, acceleration)
        if not held(*moved, low, high):
            raise CertificateError("a place of the certificate leads out of its gaps")


def decisions(tree: PolicyTree) -> Bools:
    """Return the actions that are possible: (gap slices, relative velocities, pushes, actions)."""
    gaps, speeds = np.arange(SLICES) * SLICE, (np.arange(2 * HALF) - HALF) * CELL
    grid = np.stack(np.meshgrid(gaps, speeds, [-1.0, 1.0], indexing="ij"), axis=-1).reshape(-1, 3)
    boxes = Intervals(grid - [BLUR, 0.0, 0.0], grid + np.array([SLICE + BLUR, CELL, 0.0]))
    return possible_actions(tree, boxes).reshape(SLICES, 2 * HALF, 2, -1)


def parts(
    bits: Bools, low: Floats, high: Floats, cells: Ints, pushes: Ints
) -> tuple[Ints, Floats, Floats]:
    """Return the places where an action is possible, with the lowest and highest such gaps."""
    numbers = np.arange(SLICES)[:, np.newaxis, np.newaxis]
    following = np.minimum.accumulate(np.where(bits, numbers, SLICES)[::-1], axis=0)[::-1]
    before = np.maximum.accumulate(np.where(bits, numbers, -1), axis=0)
    first = following[np.floor(low / SLICE).astype(np.int64), cells, pushes]
    final = np.minimum(np.floor(high / SLICE).astype(np.int64), SLICES - 1)
    last = before[final, cells, pushes]
    some = np.flatnonzero(first <= last)
    near = np.maximum(low[some], first[some] * SLICE)
    far = np.minimum(high[some], (last[some] + 1) * SLICE)
    return some, near, far


def held(
    near: Floats,
    far: Floats,
    cells: Ints,
    rears: Ints,
    action: int,
    acceleration: float,
    low: Floats,
    high: Floats,
) -> bool:
    """Whether one step from all places leads to gaps that are held; multiples of 1/64 are exact."""
    speed = rears * TIME_STEP
    slow = np.maximum((cells - HALF) * CELL, -speed)
    fast = np.minimum((cells - HALF + 1) * CELL, SPEED_LIMIT - speed)
    real = slow <= fast
    near, far = near + TIME_STEP * slow, far + TIME_STEP * fast
    after = np.clip(rears + (1 if action == 1 else -1), 0, SPEEDS - 1)
    gained = (after - rears) * TIME_STEP
    reach = TIME_STEP * acceleration
    least = np.maximum(slow - reach - gained, -after * TIME_STEP)
    most = np.minimum(fast + reach - gained, SPEED_LIMIT - after * TIME_STEP)
    first = np.minimum(np.floor(least / CELL).astype(np.int64) + HALF, 2 * HALF - 1)
    final = np.minimum(np.ceil(most / CELL).astype(np.int64) - 1 + HALF, 2 * HALF - 1)
    final = np.maximum(final, first)
    for offset in range(int((final - first).max(initial=0)) + 1):
        rows = np.flatnonzero(real & (first + offset <= final))
        target = (first[rows] + offset, after[rows], action)
        if (near[rows] < low[target]).any() or (far[rows] > high[target]).any():
            return False
    return True
