"""CarFollowing: no crash and no lost car, whatever the car ahead does."""

from time import monotonic
from typing import Any

import numpy as np

from glasstree.policy import PolicyTree
from glasstree.policy.arrays import Floats
from glasstree.prove.answers import Answer
from glasstree.prove.loops.gaps import CELL, CLOSED, HALF, Gaps, gaps_of
from glasstree.prove.loops.playing import Episode, play_in_gymnasium, simulate
from glasstree.tasks.base import Task
from glasstree.tasks.carfollowing import SAFE_GAP, TIME_STEP

GENTLE = (0.75, 0.5, 0.25)  # m/s2 of a car ahead that is milder: multiples of a quarter
CLAIM = "no crash and no lost car, whatever the car ahead does, for ever"
BRAKE = 0  # the action; the other one is to accelerate
RANDOM_SCRIPTS = 2000  # hostile cars that change at random, about every 15 s
MOST_ROUNDS = 20_000  # steps of the widening, at most


def prove_distance(tree: PolicyTree, task: Task, seconds: float, first_only: bool) -> list[Answer]:
    """Prove that the gap stays right for ever; else for how mild a car ahead it does."""
    begin = monotonic()
    episode, script = crash(tree, task)
    gaps = gaps_of(tree, 1.0, MOST_ROUNDS)
    if episode is None and gaps.ended == CLOSED:
        return [proved(gaps, CLAIM, 1.0, begin)]
    first = weakest(gaps, begin) if episode is None else refuted(tree, episode, script, begin)
    if first_only:
        return [first]
    surely = f"no crash and no lost car for {gaps.rounds} steps, whatever the car ahead does"
    found = [first, Answer(surely, "proved", where(gaps), monotonic() - begin)]
    for acceleration in GENTLE:
        begin_this = monotonic()
        if begin_this > begin + seconds:
            break
        gaps = gaps_of(tree, acceleration, MOST_ROUNDS)
        if gaps.ended == CLOSED:
            claim = (
                "no crash and no lost car, for ever, while the car ahead speeds up and slows down "
                f"by at most {acceleration:g} m/s2"
            )
            return [*found, proved(gaps, claim, acceleration, begin_this)]
    return found


def proved(gaps: Gaps, claim: str, acceleration: float, begin: float) -> Answer:
    """Tell between which gaps it stays."""
    occurs = gaps.low <= gaps.high
    sentence = (
        f"the gap stays between {gaps.low[occurs].min():.2f} and {gaps.high[occurs].max():.2f} m, "
        f"in {int(occurs.sum()):,} places that none leaves"
    )
    evidence = {"kind": "gaps", "acceleration": acceleration, **gaps_data(gaps)}
    return Answer(claim, "proved", sentence, monotonic() - begin, evidence=evidence)


def gaps_data(gaps: Gaps) -> dict[str, object]:
    """Return the places that occur, by number, with their lowest and highest gaps."""
    places = np.flatnonzero(gaps.low.ravel() <= gaps.high.ravel())
    ends = (gaps.low.ravel()[places].tolist(), gaps.high.ravel()[places].tolist())
    return {"places": places.tolist(), "low": ends[0], "high": ends[1]}


def where(gaps: Gaps) -> str:
    """Word the place where the proof stops."""
    cell, rear, _ = gaps.place
    return (
        f"the proof stops at v_rel = {(cell - HALF) * CELL:g} m/s, rear speed "
        f"{rear * TIME_STEP:g} m/s"
    )


def refuted(tree: PolicyTree, episode: Episode, script: Floats, begin: float) -> Answer:
    """Tell what the car ahead does that leads to a crash or a lost car, and how that is met."""
    right = BRAKE if episode.states[-1, 0] <= 0.0 else 1 - BRAKE
    what = "they crash" if right == BRAKE else "it is lost"
    wrong = np.flatnonzero(tree.actions(episode.states[:-1]) != right)
    since = int(wrong[-1]) + 2 if len(wrong) else 1
    sentence = f"the car ahead {told(script[: episode.steps])}, and {what} at step {episode.steps}"
    if since <= episode.steps:
        sentence += f", though the policy says {tree.action_names[right]} from step {since} on"
    state = {"gap": float(episode.start[0]), "v_rel": 0.0, "a_last": float(episode.start[4])}
    return Answer(CLAIM, "refuted", sentence, monotonic() - begin, state=state)


def told(script: Floats) -> str:
    """Word what the car ahead does, phase by phase."""
    changes = np.flatnonzero(np.diff(script)) + 1
    phases = np.split(script, changes)
    if len(phases) > 4:
        return f"changes between full speeding up and braking {len(phases) - 1} times"
    verbs = ["speeds up" if phase[0] > 0 else "brakes" for phase in phases]
    times = [f"{verb} for {TIME_STEP * len(p):g} s" for verb, p in zip(verbs, phases, strict=True)]
    return ", then ".join(times)


def weakest(gaps: Gaps, begin: float) -> Answer:
    """Tell for how many steps nothing can happen, and where it may then."""
    sentence = f"surely for {gaps.rounds} steps; {where(gaps)}"
    return Answer(CLAIM, "unknown", sentence, monotonic() - begin)


def scripts(steps: int) -> Floats:
    """Return what a hostile car ahead may do: (n, steps) accelerations.

    It speeds up and then brakes, brakes and then speeds up, at every time, or changes at random.
    """
    times = np.arange(steps)
    once = np.where(times < np.arange(steps)[:, np.newaxis], 1.0, -1.0)
    generator = np.random.default_rng(0)
    changes = generator.random((RANDOM_SCRIPTS, steps)) < 1 / 60
    first = generator.integers(2, size=(RANDOM_SCRIPTS, 1))
    return np.concatenate([once, -once, 1.0 - 2.0 * ((changes.cumsum(axis=1) + first) % 2)])


def crash(tree: PolicyTree, task: Task) -> tuple[Episode | None, Floats]:
    """Look for accelerations of the car ahead that lead to an end, as Gymnasium itself shows."""
    tried = scripts(task.step_limit)
    starts = np.tile([SAFE_GAP, 0.0, 0.0, 0.0, 1.0], (len(tried), 1))
    steps, ended = simulate(task, tree, starts, task.step_limit, tried[:, :, np.newaxis].copy())
    if not ended.any():
        return None, tried[0]
    worst = int(np.argmin(np.where(ended, steps, task.step_limit + 1)))

    def prepare(environment: Any, start: Floats) -> Floats:
        environment.front, environment.rear = start[0], start[1]
        environment.front_speed, environment.rear_speed, environment.last = start[2:]
        environment.np_random = Scripted(tried[worst])
        return np.array([start[0] - start[1], start[2] - start[3], start[4]])

    episode = play_in_gymnasium(task, tree, starts[worst], task.step_limit, prepare)
    return (episode if episode.ended else None), tried[worst]


class Scripted:
    """A generator that draws what it is told to."""

    def __init__(self, values: Floats) -> None:
        self.values = iter(values.tolist())

    def uniform(self, low: float, high: float) -> float:
        """Return the next value, which lies between both."""
        value = float(next(self.values))
        assert low <= value <= high
        return value
