"""Acrobot: the arm swings up from every start near rest, as near as can be proved.

A set of states is a middle and generators, each of which counts from -1 to 1 times. One step moves
the middle, turns the generators by the derivatives there, and adds one for all that bends, from the
second derivatives over the whole set. Generators are never joined, so nothing widens for the
sake of its shape. A set that a rule cannot decide goes every way.
"""

from dataclasses import dataclass
from time import monotonic

import numpy as np

from glasstree.policy import PolicyTree
from glasstree.policy.arrays import Bools, Floats, Ints
from glasstree.prove.answers import Answer
from glasstree.prove.checks.policies import possible_actions
from glasstree.prove.loops.jets import Jet, variables
from glasstree.prove.loops.playing import play_in_gymnasium, simulate
from glasstree.prove.vectors import Intervals
from glasstree.tasks.acrobot import GRAVITY, SPEED_LIMITS, STAGES, TIME_STEP
from glasstree.tasks.base import Task

SIZES = (0.0005, 0.001, 0.002, 0.004, 0.008, 0.016)  # of boxes of starts, each way
DRAWN = 0.1  # starts that Gymnasium draws, each way
FEWEST_PARTS = 16  # each of the four variables halved
MOST_PARTS = 4096  # of a box of starts
MOST_SETS = 64  # that a part may become where rules cannot be decided
TOO_WIDE = 1.5  # rad or rad/s: a set that is not followed further
SAMPLES = 2000  # starts that are simulated first, to refute or to know how long it can take
PATIENCE = 20  # steps beyond what simulated starts take
TOGETHER = 512  # parts that are followed at once
# What float64 adds in a step: some 220 operations on numbers below 1200, off by 2^-53 of them,
# make less than 1e-11 after the time step; turning generators by the middle derivatives adds less.
ROUNDING = 1e-10
MORE = 1.0 + 1e-9  # sums of a few thousand positive numbers are rounded by less
SEEN_ERROR = 2e-15  # of cosine and sine in double precision
FIRST_SEEN_ERROR = 3e-7  # Gymnasium draws starts, and takes their cosines, in single precision


@dataclass(frozen=True)
class Sets:
    """Middles (n, 4), generators (n, 4, m), and the part of the starts that each set is from."""

    middles: Floats
    generators: Floats
    owners: Ints

    @classmethod
    def of_boxes(cls, low: Floats, high: Floats) -> "Sets":
        """Return boxes as sets."""
        half = ((high - low) / 2 * MORE + 1e-15)[:, :, np.newaxis]
        return cls((low + high) / 2, half * np.eye(4), np.arange(len(low)))

    @property
    def widths(self) -> Floats:
        """How far each variable may be from the middle."""
        total: Floats = np.abs(self.generators).sum(axis=2) * MORE
        return total

    @property
    def boxes(self) -> list[Intervals]:
        """Every variable's interval."""
        widths = self.widths
        return [
            Intervals.of(m) + Intervals(-w, w)
            for m, w in zip(self.middles.T, widths.T, strict=True)
        ]

    def take(self, rows: Ints) -> "Sets":
        """Return some of the sets."""
        return Sets(self.middles[rows], self.generators[rows], self.owners[rows])


def joined(parts: list[Sets]) -> Sets:
    """Return all sets of several lists."""
    fields = zip(*((part.middles, part.generators, part.owners) for part in parts), strict=True)
    return Sets(*(np.concatenate(field) for field in fields))


def accelerations(state: list[Jet], torque: float) -> tuple[Jet, Jet]:
    """Return the accelerations of both angles, as in `tasks/acrobot.py`."""
    theta1, theta2, omega1, omega2 = state
    cosine, sine = theta2.cos(), theta2.sin()
    d1, d2 = cosine + 3.5, cosine * 0.5 + 1.25
    phi2 = (theta1 + theta2).sin() * (0.5 * GRAVITY)
    turning = omega2.square() * 0.5 + omega2 * omega1
    phi1 = theta1.sin() * (1.5 * GRAVITY) + phi2 - turning * sine
    share = d2 / d1
    pull = share * phi1 + torque - omega1.square() * sine * 0.5 - phi2
    turn2 = pull / (-(share * d2) + 1.25)
    return -(d2 * turn2 + phi1) / d1, turn2


def runge_kutta(state: list[Jet], torque: float) -> list[Jet]:
    """Return the state after a time step, angles not wrapped."""
    slopes = [*state[2:], *accelerations(state, torque)]
    total = slopes
    for ahead, share in zip(STAGES[1:].tolist(), (2.0, 2.0, 1.0), strict=True):
        moved = [at + slope * ahead for at, slope in zip(state, slopes, strict=True)]
        slopes = [*moved[2:], *accelerations(moved, torque)]
        total = [a + slope * share for a, slope in zip(total, slopes, strict=True)]
    return [at + change * (TIME_STEP / 6.0) for at, change in zip(state, total, strict=True)]


def advance(sets: Sets, torque: float) -> Sets:
    """Return sets that hold everything after one step, by Taylor's formula of second order."""
    count, widths = len(sets.middles), sets.widths
    both = [
        Intervals(np.concatenate([middle, box.low]), np.concatenate([middle, box.high]))
        for middle, box in zip(sets.middles.T, sets.boxes, strict=True)
    ]
    after = runge_kutta(variables(both), torque)
    values = Intervals(*stacked([jet.value for jet in after], count))
    slopes = Intervals(*stacked([jet.slopes for jet in after], count))
    bends = np.stack([np.maximum(-jet.bends.low, jet.bends.high) for jet in after])[..., count:]
    bends = np.where(np.isfinite(bends), bends, 1e9)
    middles = values.low / 2 + values.high / 2
    turned = slopes.low / 2 + slopes.high / 2
    error = (values.high - values.low) + np.einsum("ijn,nj->in", slopes.high - slopes.low, widths)
    error = error + np.einsum("ijkn,nj,nk->in", bends, widths, widths) / 2
    added = (error.T * MORE + ROUNDING)[:, :, np.newaxis] * np.eye(4)
    generators = np.einsum("ijn,njm->nim", turned, sets.generators)
    return Sets(middles.T, np.concatenate([generators, added], axis=2), sets.owners)


def stacked(intervals: list[Intervals], count: int) -> tuple[Floats, Floats]:
    """Return the ends of the first intervals of several lists."""
    low = np.stack([values.low[..., :count] for values in intervals])
    return low, np.stack([values.high[..., :count] for values in intervals])


def seen(sets: Sets, error: float) -> Intervals:
    """Return what is observed of sets: cosine and sine of angles, then speeds."""
    theta1, theta2, *speeds = sets.boxes
    blur = Intervals.of(-error, error)
    waves = (theta1.cos(), theta1.sin(), theta2.cos(), theta2.sin())
    columns = [values.single() for values in (*(wave + blur for wave in waves), *speeds)]
    ends = [[column.low for column in columns], [column.high for column in columns]]
    return Intervals(*(np.stack(end, axis=1) for end in ends))


def stands(sets: Sets) -> Bools:
    """Whether the tip is surely above the line, a little more than need be."""
    theta1, theta2, *_ = sets.boxes
    up: Bools = (-theta1.cos() - (theta1 + theta2).cos()).low > 1.0 + 1e-12
    return up


def lost(sets: Sets) -> Bools:
    """Whether a set is too wide, or may be as fast as Gymnasium allows."""
    fast = [
        np.maximum(-speed.low, speed.high) >= limit
        for speed, limit in zip(sets.boxes[2:], SPEED_LIMITS, strict=True)
    ]
    return ~(sets.widths.max(axis=1) < TOO_WIDE / 2) | fast[0] | fast[1]


def follow(tree: PolicyTree, low: Floats, high: Floats, limit: int) -> tuple[Ints, int]:
    """Return the steps after which all of each part is up, -1 if that is not shown.

    Then the step at which the first part was lost, 0 if none was.
    """
    steps, failed, first_lost = np.full(len(low), -1), np.zeros(len(low), dtype=np.bool_), 0
    sets = Sets.of_boxes(low, high)
    for step in range(1, limit + 1):
        actions = possible_actions(tree, seen(sets, SEEN_ERROR if step > 1 else FIRST_SEEN_ERROR))
        rows = [np.flatnonzero(actions[:, action]) for action in range(3)]
        sets = joined(
            [advance(sets.take(some), a - 1.0) for a, some in enumerate(rows) if len(some)]
        )
        up = stands(sets)
        failed[sets.owners[lost(sets) & ~up]] = True
        failed |= np.bincount(sets.owners, minlength=len(low)) > MOST_SETS
        first_lost = step if failed.any() and not first_lost else first_lost
        sets = sets.take(np.flatnonzero(~up & ~failed[sets.owners]))
        waiting = np.isin(np.arange(len(low)), sets.owners)
        steps[(steps < 0) & ~waiting & ~failed] = step
        if not len(sets.owners):
            break
    return steps, first_lost or limit


def prove_swing(tree: PolicyTree, task: Task, seconds: float, first_only: bool) -> list[Answer]:
    """Prove the largest box of starts, after a look for a start that fails; not at a run's end."""
    if first_only:
        return []
    begin = monotonic()
    longest, failing = simulated(tree, task, begin)
    if longest == 0:
        return failing
    best: Answer | None = None
    for size in SIZES:
        steps, parts, first_lost = swings_up(tree, size, longest + PATIENCE, begin + seconds)
        if steps < 0:
            break
        claim = f"the arm swings up within {steps} steps, from every start within {size:g} of rest"
        sentence = f"{parts:,} parts of the starts; Gymnasium draws them within {DRAWN:g}"
        best = Answer(claim, "proved", sentence, monotonic() - begin)
    if best is not None:
        return [*failing, best]
    claim = f"the arm swings up, from every start within {SIZES[0]:g} of rest"
    sentence = (
        f"sets of states are too wide, or too many, after {first_lost} steps; "
        f"the longest of {SAMPLES:,} simulated episodes that swing up takes {longest}"
    )
    return [*failing, Answer(claim, "unknown", sentence, monotonic() - begin)]


def swings_up(tree: PolicyTree, size: float, limit: int, end: float) -> tuple[int, int, int]:
    """Halve the starts until all of them are shown to come up.

    Returns the steps, -1 if it is not shown; the number of parts; and the step where it stops.
    """
    low, high = np.full((1, 4), -size), np.full((1, 4), size)
    while len(low) < FEWEST_PARTS:
        low, high = halves(low, high)
    most, count, first_lost = 0, 0, 0
    while len(low):
        if monotonic() > end or count + len(low) > MOST_PARTS:
            return -1, count, first_lost
        now, later = slice(None, TOGETHER), slice(TOGETHER, None)
        steps, first_lost = follow(tree, low[now], high[now], limit)
        left = halves(low[now][steps < 0], high[now][steps < 0])
        most, count = max(most, int(steps.max())), count + int((steps >= 0).sum())
        low, high = np.concatenate([low[later], left[0]]), np.concatenate([high[later], left[1]])
    return most, count, 0


def halves(low: Floats, high: Floats) -> tuple[Floats, Floats]:
    """Return both halves of boxes, across the variable that is widest."""
    rows, across = np.arange(len(low)), (high - low).argmax(axis=1)
    middle = low[rows, across] / 2 + high[rows, across] / 2
    below, above = high.copy(), low.copy()
    below[rows, across] = above[rows, across] = middle
    return np.concatenate([low, above]), np.concatenate([below, high])


def simulated(tree: PolicyTree, task: Task, begin: float) -> tuple[int, list[Answer]]:
    """Return the longest of many simulated episodes that swing up, 0 if none does.

    Then the answer that a start gives which fails in Gymnasium itself.
    """
    assert task.simulator is not None
    starts, _ = task.simulator.draw(np.arange(SAMPLES), 1)
    steps, ended = simulate(task, tree, starts, task.step_limit)
    longest = int(steps[ended].max(initial=0))
    if ended.all():
        return longest, []
    start = starts[np.argmin(ended)][:4]
    episode = play_in_gymnasium(task, tree, start, task.step_limit, set_arm)
    claim = f"the arm swings up within {task.step_limit} steps, from every start"
    where = ", ".join(f"{value:.4g}" for value in start)
    if episode.ended:
        sentence = f"the simulation fails from ({where}), Gymnasium does not"
        return longest, [Answer(claim, "unknown", sentence, monotonic() - begin)]
    names = ("theta1", "theta2", "omega1", "omega2")
    state = dict(zip(names, start.tolist(), strict=True))
    sentence = f"from angles and speeds ({where}) it does not in Gymnasium"
    return longest, [Answer(claim, "refuted", sentence, monotonic() - begin, state=state)]


def set_arm(environment: object, start: Floats) -> Floats:
    """Put Gymnasium's environment into a state and return what is seen of it."""
    environment.state = start.astype(np.float32)  # type: ignore[attr-defined]
    return np.asarray(environment._get_ob(), dtype=np.float64)  # type: ignore[attr-defined]
