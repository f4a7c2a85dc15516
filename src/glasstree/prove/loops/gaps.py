"""The gaps that can occur in CarFollowing, for each relative velocity and speed of the rear car.

The rear car's speeds are multiples of a quarter, and relative velocities are cells a sixteenth
wide, so that ends of gaps are multiples of 1/64 m: sums are exact, and the search for a set that
nothing leaves must come to an end. Positions are sums that float64 rounds: what is seen of a gap
may differ from the exact one by BLUR.
"""

from dataclasses import dataclass

import numpy as np

from glasstree.compiled import integer, integers, integers3, kernel, real, reals3, tuple_of
from glasstree.policy import PolicyTree
from glasstree.policy.arrays import Floats, Ints
from glasstree.prove.boxes import actions_in_all
from glasstree.tasks.carfollowing import LARGEST_GAP, SPEED_LIMIT, START_GAP, TIME_STEP

BLUR = 1e-3  # m; rounding adds up to less for 400,000 steps
CELL = 1.0 / 16.0  # m/s of relative velocity
SLICES = 600  # of the gaps, for decisions
SLICE = LARGEST_GAP / SLICES
HALF = int(SPEED_LIMIT / CELL)  # cells of one sign
SPEEDS = int(SPEED_LIMIT / TIME_STEP) + 1
GRAIN = 1.0 / 64.0  # m: the ends of gaps are multiples of it
CLOSED, ESCAPED, UNFINISHED = 0, 1, 2


@dataclass(frozen=True)
class Gaps:
    """Lowest and highest gap, (relative velocities, rear speeds, last pushes); how it ended.

    place is where a gap first leaves what is allowed, at which round.
    """

    low: Floats
    high: Floats
    ended: int
    place: tuple[int, int, int]
    rounds: int


def decisions(tree: PolicyTree) -> Ints:
    """Return the actions that are possible, as bits: (gap slices, relative velocities, pushes)."""
    gaps = np.arange(SLICES) * SLICE
    speeds = (np.arange(2 * HALF) - HALF) * CELL
    grid = np.stack(np.meshgrid(gaps, speeds, [-1.0, 1.0], indexing="ij"), axis=-1).reshape(-1, 3)
    high = grid + np.array([SLICE + BLUR, CELL, 0.0])
    found = np.empty(len(grid), dtype=np.int64)
    actions_in_all(*tree.flat, grid - [BLUR, 0.0, 0.0], np.ascontiguousarray(high), found)
    return found.reshape(SLICES, 2 * HALF, 2)


@kernel(tuple_of((real, real))(integers3, real, real, integer, integer, integer))
def part(
    allowed: Ints, low: float, high: float, cell: int, last: int, action: int
) -> tuple[float, float]:
    """Return the lowest and highest of some gaps at which an action is possible."""
    first, final = int(low // SLICE), min(int(high // SLICE), SLICES - 1)
    while first <= final and (allowed[first, cell, last] >> action) & 1 == 0:
        first += 1
    while final >= first and (allowed[final, cell, last] >> action) & 1 == 0:
        final -= 1
    if first > final:
        return 1.0, 0.0
    return max(low, first * SLICE), min(high, (final + 1) * SLICE)


@kernel(integer(real, real, integer, integer, integer, real, reals3, reals3, integers3))
def move(
    low: float,
    high: float,
    cell: int,
    rear: int,
    action: int,
    reach: float,
    lows: Floats,
    highs: Floats,
    widened: Ints,
) -> int:
    """Widen what one step leads to; return how many places changed, or -1 for a crash or a loss."""
    speed = rear * TIME_STEP
    slow = max((cell - HALF) * CELL, -speed)
    fast = min((cell - HALF + 1) * CELL, SPEED_LIMIT - speed)
    if slow > fast:
        return 0
    low += TIME_STEP * slow
    high += TIME_STEP * fast
    if low <= BLUR or high > LARGEST_GAP - BLUR:
        return -1
    after = min(max(rear + (1 if action == 1 else -1), 0), SPEEDS - 1)
    gained = (after - rear) * TIME_STEP
    least = max(slow - reach - gained, -after * TIME_STEP)
    most = min(fast + reach - gained, SPEED_LIMIT - after * TIME_STEP)
    first = min(int(np.floor(least / CELL)) + HALF, 2 * HALF - 1)
    final = min(max(int(np.ceil(most / CELL)) - 1 + HALF, first), 2 * HALF - 1)
    count = 0
    for target in range(first, final + 1):
        if low < lows[target, after, action] or high > highs[target, after, action]:
            lows[target, after, action] = min(low, lows[target, after, action])
            highs[target, after, action] = max(high, highs[target, after, action])
            widened[target, after, action] = 1
            count += 1
    return count


@kernel(integer(integers3, real, reals3, reals3, integers, integer))
def settle(
    allowed: Ints, acceleration: float, low: Floats, high: Floats, place: Ints, most_rounds: int
) -> int:
    """Widen the gaps of each place by what one step can lead to, until nothing changes.

    allowed: what decisions() found. Fills in the place that leads away and the rounds.
    """
    changed, widened = np.zeros(low.shape, dtype=np.int64), np.zeros(low.shape, dtype=np.int64)
    changed[:] = low <= high
    reach = np.ceil(TIME_STEP * acceleration / CELL) * CELL
    for rounds in range(most_rounds):
        place[3] = rounds
        widened[:] = 0
        count = 0
        for cell in range(2 * HALF):
            for rear in range(SPEEDS):
                for last in range(2):
                    if changed[cell, rear, last] == 0:
                        continue
                    for action in range(2):
                        near, far = low[cell, rear, last], high[cell, rear, last]
                        near, far = part(allowed, near, far, cell, last, action)
                        if near > far:
                            continue
                        moved = move(near, far, cell, rear, action, reach, low, high, widened)
                        if moved < 0:
                            place[0], place[1], place[2] = cell, rear, last
                            return ESCAPED
                        count += moved
        if count == 0:
            return CLOSED
        changed, widened = widened, changed
    return UNFINISHED


def gaps_of(tree: PolicyTree, acceleration: float, most_rounds: int) -> Gaps:
    """Find all gaps that can occur if the car ahead has such an acceleration at most."""
    shape = (2 * HALF, SPEEDS, 2)
    low, high = np.full(shape, np.inf), np.full(shape, -np.inf)
    low[HALF, 0, :] = np.floor(START_GAP[0] / GRAIN) * GRAIN
    high[HALF, 0, :] = np.ceil(START_GAP[1] / GRAIN) * GRAIN
    place = np.zeros(4, dtype=np.int64)
    ended = settle(decisions(tree), acceleration, low, high, place, most_rounds)
    cell, rear, last, rounds = place.tolist()
    return Gaps(low, high, int(ended), (cell, rear, last), rounds)
