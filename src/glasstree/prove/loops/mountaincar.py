"""MountainCar: the goal is reached within N steps, from every start."""

from time import monotonic
from typing import Any

import numpy as np

from glasstree.policy import PolicyTree
from glasstree.policy.arrays import Bools, Floats, Ints
from glasstree.prove.answers import Answer
from glasstree.prove.loops.playing import play_in_gymnasium, set_state, simulate
from glasstree.prove.loops.tubes import FAILED, follow
from glasstree.prove.loops.weakness import undecided_rule
from glasstree.tasks.base import Task
from glasstree.tasks.mountaincar import GOAL
from glasstree.tasks.twins import Enclosure

FIRST_PARTS = 128  # of the starts, halved where that is too few
MOST_BOXES = 64  # that one part of the starts may become
NARROWEST = 1e-12  # part that is still halved
MOST_PARTS = 20_000  # that may have failed before the proof is given up
SAMPLES = 20_000  # starts that are simulated first, to refute or to know how fast it can be
ROUNDS = 60  # of halving what seems slower than any simulated start
TARGET = np.array([GOAL, 0.0])


class Parts:
    """Intervals of starts, each with the steps that lead all of it to the goal."""

    def __init__(self, enclosure: Enclosure, tree: PolicyTree, step_limit: int) -> None:
        self.enclosure, self.tree, self.step_limit = enclosure, tree, step_limit
        edges = np.linspace(enclosure.low[0], enclosure.high[0], FIRST_PARTS + 1)
        self.low, self.high = edges[:-1], edges[1:]
        self.steps = self.follow(self.low, self.high)

    def halve(self, chosen: Bools) -> None:
        """Halve some of the parts and follow the halves."""
        low, high = self.low[chosen], self.high[chosen]
        middle = low / 2 + high / 2
        low, high = np.concatenate([low, middle]), np.concatenate([middle, high])
        self.low = np.concatenate([self.low[~chosen], low])
        self.high = np.concatenate([self.high[~chosen], high])
        self.steps = np.concatenate([self.steps[~chosen], self.follow(low, high)])

    def follow(self, low: Floats, high: Floats) -> Ints:
        """Return the steps that each part takes, or FAILED."""
        ends = [np.stack([end, np.zeros(len(end))], axis=1) for end in (low, high)]
        steps = [follow(*self.arguments(*box))[0] for box in zip(*ends, strict=True)]
        return np.array(steps, dtype=np.int64)

    def arguments(self, low: Floats, high: Floats) -> tuple[Any, ...]:
        """Return what the kernels take."""
        twin = self.enclosure
        return (
            *(twin.step, twin.observe, twin.parameters, *self.tree.flat, low, high, TARGET, 2),
            *(self.step_limit, MOST_BOXES),
        )


def prove_goal(tree: PolicyTree, task: Task, seconds: float, first_only: bool) -> list[Answer]:
    """Prove that the goal is reached from every start, in as few steps as can be shown."""
    begin = monotonic()
    twin = task.enclosure
    assert twin is not None
    claim = f"the goal is reached within {task.step_limit} steps, from every start"
    tried = np.linspace(twin.low, twin.high, SAMPLES)
    steps, ended = simulate(task, tree, tried, task.step_limit)
    if not ended.all():
        return [refuted(tree, task, tried[np.argmin(ended)], claim, begin)]
    parts = Parts(twin, tree, task.step_limit)
    while (parts.steps == FAILED).any() and monotonic() < begin + seconds:
        failed = parts.steps == FAILED
        if (parts.high - parts.low)[failed].min() < NARROWEST or failed.sum() > MOST_PARTS:
            break
        parts.halve(failed)
    failed = parts.steps == FAILED
    if failed.any():
        return [not_proved(tree, task, parts, claim, begin)]
    longest = int(steps.max())
    for _ in range(ROUNDS):
        if parts.steps.max() > longest and monotonic() < begin + seconds:
            parts.halve(parts.steps == parts.steps.max())
    return [proved(tried[np.argmax(steps)], parts, longest, begin)]


def proved(slowest: Floats, parts: Parts, longest: int, begin: float) -> Answer:
    """Tell the steps that all starts need, and a start that needs as many or nearly so."""
    most = int(parts.steps.max())
    order = np.argsort(parts.low)
    evidence = {
        "kind": "tube",
        "edges": [*parts.low[order].tolist(), float(parts.high.max())],
        "steps": parts.steps[order].tolist(),
    }
    sentence = f"{len(order):,} parts of the starts; from x = {slowest[0]:.4f} it takes {longest}"
    claim = f"the goal is reached within {most} steps, from every start"
    return Answer(claim, "proved", sentence, monotonic() - begin, evidence=evidence)


def refuted(tree: PolicyTree, task: Task, start: Floats, claim: str, begin: float) -> Answer:
    """Tell a start that fails, as Gymnasium itself shows."""
    episode = play_in_gymnasium(task, tree, start, task.step_limit, set_state)
    if episode.ended:
        sentence = f"the simulation fails from x = {start[0]!r}, Gymnasium does not"
        return Answer(claim, "unknown", sentence, monotonic() - begin)
    best = float(episode.states[:, 0].max())
    sentence = f"from x = {start[0]:.6g} Gymnasium's car comes to x = {best:.3f} at most"
    state = {"x": float(start[0]), "v": 0.0}
    return Answer(claim, "refuted", sentence, monotonic() - begin, state=state)


def not_proved(tree: PolicyTree, task: Task, parts: Parts, claim: str, begin: float) -> Answer:
    """Look for a start that fails among what is left; else tell where the proof stops."""
    failed = parts.steps == FAILED
    low, high = parts.low[failed], parts.high[failed]
    shares = np.linspace(0.0, 1.0, max(2, SAMPLES // len(low)))
    inside = (low[:, np.newaxis] + (high - low)[:, np.newaxis] * shares).ravel()
    starts = np.stack([inside, np.zeros(len(inside))], axis=1)
    _, ended = simulate(task, tree, starts, task.step_limit)
    if not ended.all():
        return refuted(tree, task, starts[np.argmin(ended)], claim, begin)
    first = np.array([low[0], 0.0]), np.array([high[0], 0.0])
    _, _, box_low, box_high = follow(*parts.arguments(*first))
    left = {"x": (float(low.min()), float(high.max())), "v": (0.0, 0.0)}
    share = float((high - low).sum() / (parts.high.max() - parts.low.min()))
    rule = undecided_rule(tree, box_low, box_high)
    sentence = (
        f"{len(low):,} parts of the starts, {share:.2g} of all, are left; the first, at "
        f"x = {low[0]:.9g}, comes to x = {box_low[0]:.3f}, v = {box_low[1]:.4f}{rule}"
    )
    seconds = monotonic() - begin
    return Answer(claim, "unknown", sentence, seconds, left=left, share_left=share)
