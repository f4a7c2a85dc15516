"""Single episodes that show that a claim is wrong: simulated, then played in Gymnasium itself."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from glasstree.episodes.compiled import roll_trees
from glasstree.policy import PolicyTree
from glasstree.policy.arrays import Bools, Floats, Ints
from glasstree.tasks.base import Task


@dataclass(frozen=True)
class Episode:
    """A start, the number of steps, whether it was over then, and all (steps + 1, k) states."""

    start: Floats
    steps: int
    ended: bool
    states: Floats


def simulate(
    task: Task, tree: PolicyTree, starts: Floats, step_limit: int, noise: Floats | None = None
) -> tuple[Ints, Bools]:
    """Play every start in the compiled twin: the steps taken, and whether it was over then."""
    simulator = task.simulator
    assert simulator is not None
    program, numbers = tree.flat
    shape = (1, len(starts))
    steps, ended = np.zeros(shape, dtype=np.int64), np.zeros(shape, dtype=np.int64)
    if noise is None:
        noise = np.zeros((len(starts), step_limit, 0))
    roll_trees(
        *(simulator.step, simulator.observe, simulator.parameters, program, numbers[np.newaxis]),
        *(0, np.ascontiguousarray(starts), noise, task.n_variables, step_limit),
        *(np.zeros(shape), steps, ended, np.zeros(shape)),
    )
    return steps[0], ended[0].astype(np.bool_)


def play_in_gymnasium(
    task: Task,
    tree: PolicyTree,
    start: Floats,
    step_limit: int,
    prepare: Callable[[Any, Floats], Floats],
) -> Episode:
    """Play one start in Gymnasium's own environment; prepare sets it and returns what is seen."""
    environment = task.environment()
    try:
        environment.reset(seed=0)
        inner = environment.unwrapped
        seen = prepare(inner, start)
        states, ended = [np.asarray(seen, dtype=np.float64)], False
        for step in range(1, step_limit + 1):
            action = int(tree.actions(states[-1][np.newaxis])[0])
            seen, _, ended, _, _ = inner.step(action)
            states.append(np.asarray(seen, dtype=np.float64))
            if ended:
                return Episode(start, step, True, np.array(states))
        return Episode(start, step_limit, False, np.array(states))
    finally:
        environment.close()


def set_state(environment: Any, start: Floats) -> Floats:
    """Put an environment of Gymnasium into a state and return it in single precision."""
    environment.state = start.copy()
    return start.astype(np.float32).astype(np.float64)
