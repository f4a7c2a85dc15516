"""CartPole: the pole never falls, and how long the cart surely stays on the track."""

from collections.abc import Iterator
from time import monotonic

import numpy as np

from glasstree.policy import PolicyTree
from glasstree.policy.arrays import Floats
from glasstree.prove.answers import Answer
from glasstree.prove.loops.cells import Grid, Reached, grid_data, reach
from glasstree.prove.loops.drift import drift
from glasstree.prove.loops.playing import Episode, play_in_gymnasium, simulate
from glasstree.prove.loops.weakness import undecided_rule
from glasstree.tasks.base import Task
from glasstree.tasks.cartpole import ANGLE_LIMIT, TRACK_LIMIT
from glasstree.tasks.twins import Enclosure

AXES = np.array([2, 3])
# largest angle and angular velocity, and cells for each: coarse and wide first
GRIDS = ((0.2, 3.0, 400, 600), (0.1, 1.5, 400, 600), (0.2, 4.0, 1200, 2400), (0.1, 1.5, 1200, 1800))
FINE = (500, 750)  # cells that bound the cart's drift
ROOM = 1.05  # of the fine grid around what the coarse one reaches
LENGTHS = (200, 500)  # the step limit of the task, as in the paper, and that of CartPole-v1
SAMPLES = 20_000  # starts that are simulated, half of them in the corners
FOR_EVER = 20_000  # steps that a drifting cart is followed


def prove_balance(tree: PolicyTree, task: Task, seconds: float, first_only: bool) -> list[Answer]:
    """Prove that the pole never falls, then that the cart stays on the track."""
    twin = task.enclosure
    assert twin is not None
    begin = monotonic()
    claim = "the pole never falls, from every start, for ever"
    tried: list[Reached] = []
    for found in reach_all(twin, tree, begin + seconds):
        tried.append(found)
        if found.closed:
            break
    reached = tried[-1]
    if not reached.closed:
        return [not_proved(tree, task, tried, claim, begin)]
    low, high = reached.grid.boxes(reached.cells)
    evidence = {"kind": "cells", **grid_data(reached)}
    sentence = (
        f"|theta| stays below {np.abs([low[:, 0], high[:, 0]]).max():.3f} rad, in "
        f"{len(reached.cells):,} cells that none leaves{aside(tree)}"
    )
    pole = Answer(claim, "proved", sentence, monotonic() - begin, evidence=evidence)
    return [pole] if first_only else [pole, *cart_answers(tree, task, reached)]


def reach_all(twin: Enclosure, tree: PolicyTree, end: float) -> Iterator[Reached]:
    """Try grids, one after the other, while there is time."""
    for number, (angle, speed, n_angles, n_speeds) in enumerate(GRIDS):
        if number == 0 or monotonic() < end:
            yield reach(twin, tree, grid_of((angle, speed), (n_angles, n_speeds)))


def grid_of(ends: tuple[float, float], counts: tuple[int, int]) -> Grid:
    """Return cells over theta and omega; the cart is anywhere on the track, at any speed."""
    limits, numbers = np.array(ends), np.array(counts)
    rest = np.array([TRACK_LIMIT, np.inf, 0.0, 0.0])
    return Grid(AXES, -limits, 2 * limits / numbers, numbers, -rest, rest)


def cart_answers(tree: PolicyTree, task: Task, coarse: Reached) -> list[Answer]:
    """Tell for each length whether the cart surely stays on the track that long."""
    twin = task.enclosure
    assert twin is not None
    begin = monotonic()
    low, high = coarse.grid.boxes(coarse.cells)
    angle, speed = (ROOM * np.abs([low, high]).max(axis=(0, 1))).tolist()
    fine = reach(twin, tree, grid_of((min(angle, ANGLE_LIMIT), speed), FINE))
    far = drift(twin, tree, fine if fine.closed else coarse, max(LENGTHS))
    seconds = (monotonic() - begin) / len(LENGTHS)
    episode = drifting(tree, task)
    return [cart_answer(tree, far, steps, episode, seconds) for steps in LENGTHS]


def cart_answer(
    tree: PolicyTree, far: Floats, steps: int, episode: Episode | None, seconds: float
) -> Answer:
    """Word how far the cart can be after so many steps."""
    claim = f"the cart stays on the track for {steps} steps, from every start"
    if episode is not None and episode.steps <= steps:
        state = dict(zip(tree.state_names, episode.start.tolist(), strict=True))
        return Answer(claim, "refuted", told(episode), seconds, state=state)
    later = f"; {told(episode)}" if episode is not None else ""
    if far[steps] <= TRACK_LIMIT:
        sentence = f"|x| stays below {far[: steps + 1].max():.2f} m of {TRACK_LIMIT}{later}"
        return Answer(claim, "proved", sentence, seconds)
    surely = int(np.argmax(far > TRACK_LIMIT)) - 1
    sentence = f"it does for {surely}, after which the bound is too wide{later}"
    return Answer(claim, "unknown", sentence, seconds)


def drifting(tree: PolicyTree, task: Task) -> Episode | None:
    """Look for the start that leads the cart off the track soonest, as Gymnasium itself shows."""
    twin = task.enclosure
    assert twin is not None
    generator = np.random.default_rng(0)
    starts = generator.uniform(twin.low, twin.high, size=(SAMPLES, 4))
    starts[: SAMPLES // 2] = np.sign(starts[: SAMPLES // 2]) * twin.high
    some = starts[:: SAMPLES // 200]
    steps, ended = simulate(task, tree, some, FOR_EVER)
    if not ended.any():
        return None
    limit = int(steps[ended].min())
    steps, ended = simulate(task, tree, starts, limit)
    start = starts[np.argmin(np.where(ended, steps, FOR_EVER))]
    episode = play_in_gymnasium(task, tree, start, limit, set_cart)
    return episode if episode.ended else None


def not_proved(
    tree: PolicyTree, task: Task, tried: list[Reached], claim: str, begin: float
) -> Answer:
    """Tell a start from which the pole falls, or the cell where the proof stops."""
    episode = drifting(tree, task)
    if episode is not None and abs(episode.states[-1, 2]) > ANGLE_LIMIT:
        state = dict(zip(tree.state_names, episode.start.tolist(), strict=True))
        where = ", ".join(f"{name} = {value:.4g}" for name, value in state.items())
        sentence = f"from {where} it falls in Gymnasium at step {episode.steps}"
        return Answer(claim, "refuted", sentence, monotonic() - begin, state=state)
    best = max(tried, key=lambda found: int(found.levels[found.escape]))
    low, high = best.grid.boxes(np.array([best.escape]))
    box_low, box_high = best.grid.rest_low.copy(), best.grid.rest_high.copy()
    box_low[2:], box_high[2:] = low[0], high[0]
    sentence = (
        f"surely not for {int(best.levels[best.escape])} steps; then cells lead away at theta = "
        f"{low[0, 0]:.3f}, omega = {low[0, 1]:.2f}{undecided_rule(tree, box_low, box_high)}"
        f"{aside(tree)}"
    )
    if episode is not None:
        sentence += f"; {told(episode)}"
    return Answer(claim, "unknown", sentence, monotonic() - begin)


def told(episode: Episode) -> str:
    """Word an episode in which the cart drifts away."""
    where = ", ".join(f"{value:.3g}" for value in episode.start)
    return f"from ({where}) it leaves the track in Gymnasium at step {episode.steps:,}"


def aside(tree: PolicyTree) -> str:
    """Say that rules which read the cart are taken for any of its places and speeds."""
    reads = any(split.rule.exponents[:, :2].any() for split in tree.splits())
    return ", whatever the cart does on the track" if reads else ""


def set_cart(environment: object, start: Floats) -> Floats:
    """Put Gymnasium's environment into a state and return what is seen of it."""
    environment.state = tuple(start.tolist())  # type: ignore[attr-defined]
    return start.astype(np.float32).astype(np.float64)
