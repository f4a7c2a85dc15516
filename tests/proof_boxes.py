"""Random boxes for the interval twins of tasks, and whether a simulated successor lies inside."""

import numpy as np

from glasstree.policy.arrays import Floats
from glasstree.tasks import get_task
from glasstree.tasks.twins import PIECES

RANGES = {
    "cartpole": ([-2.4, -3.0, -0.2, -3.0], [2.4, 3.0, 0.2, 3.0]),
    "mountaincar": ([-1.2, -0.07], [0.6, 0.07]),
}
TASKS = (*RANGES, "carfollowing")


def boxes_and_states(
    name: str, count: int, generator: np.random.Generator
) -> tuple[Floats, Floats, Floats]:
    """Return corners of boxes of all sizes, and a state of the simulator inside each."""
    if name == "carfollowing":
        return boxes_of_cars(count, generator)
    low, high = (np.array(ends) for ends in RANGES[name])
    first = generator.uniform(low, high, (count, len(low)))
    width = (high - low) * 10.0 ** generator.uniform(-12, 0, (count, 1))
    second = np.minimum(first + generator.random(first.shape) * width, high)
    states = np.clip(first + (second - first) * generator.random(first.shape), first, second)
    if name == "mountaincar":
        wall = generator.random(count) < 0.2
        first[wall, 0] = states[wall, 0] = -1.2
    return first, second, states


def boxes_of_cars(count: int, generator: np.random.Generator) -> tuple[Floats, Floats, Floats]:
    """Return boxes of gap, relative velocity, rear speed and last push, and states of two cars."""
    rear, speed = generator.uniform(0.0, 6000.0, count), generator.integers(129, size=count) / 4
    front = generator.uniform(0.0, 32.0, count)
    extreme = generator.random(count) < 0.3
    front[extreme] = generator.choice([0.0, 32.0], int(extreme.sum()))
    gap, last = generator.uniform(0.1, 140.0, count), generator.choice([-1.0, 1.0], count)
    states = np.stack([rear + gap, rear, front, speed, last], axis=1)
    low = get_task("carfollowing").enclosure.reduce(states)
    high = low.copy()
    low[:, :2] -= generator.random((count, 2)) * 10.0 ** generator.uniform(-9, 0, (count, 2))
    high[:, :2] += generator.random((count, 2)) * 10.0 ** generator.uniform(-9, 0, (count, 2))
    wide = generator.random(count) < 0.5
    low[wide, 2] = np.maximum(low[wide, 2] - 0.3, 0.0)
    high[wide, 2] = np.minimum(high[wide, 2] + 0.3, 32.0)
    return low, high, states


def outside(name: str, count: int, generator: np.random.Generator) -> int:
    """Return in how many boxes a successor, or what is seen of a state, lies outside the twin's."""
    task = get_task(name)
    twin, simulator = task.enclosure, task.simulator
    low, high, states = boxes_and_states(name, count, generator)
    actions = generator.integers(task.n_actions, size=count)
    noise = generator.choice([-1.0, 1.0, 0.0], (count, 1))
    noise[noise == 0.0] = generator.uniform(-1.0, 1.0, int((noise == 0.0).sum()))
    after = np.empty((2, count, PIECES, low.shape[1]))
    seen = np.empty((3, count, task.n_variables))
    pieces = np.empty(count, dtype=int)
    for row in range(count):
        twin.observe(low[row], high[row], seen[0, row], seen[1, row])
        simulator.observe(states[row], simulator.parameters, seen[2, row])
        box, action = (low[row], high[row]), int(actions[row])
        pieces[row] = twin.step(*box, action, twin.parameters, after[0, row], after[1, row])
        simulator.step(states[row], action, noise[row], simulator.parameters)
    reduced = twin.reduce(states)[:, np.newaxis]
    held = ((after[0] <= reduced) & (reduced <= after[1])).all(axis=2)
    held &= np.arange(PIECES) < pieces[:, np.newaxis]
    known = ((seen[0] <= seen[2]) & (seen[2] <= seen[1])).all(axis=1)
    return int((~(held.any(axis=1) & known)).sum())
