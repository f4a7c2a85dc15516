"""Interval twins of tasks: every simulated successor lies inside."""

import numpy as np
import pytest

from glasstree.tasks import get_task
from glasstree.tasks.base import PIECES

BOXES = 20_000
RANGES = {
    "cartpole": ([-2.4, -3.0, -0.2, -3.0], [2.4, 3.0, 0.2, 3.0]),
    "mountaincar": ([-1.2, -0.07], [0.6, 0.07]),
}


def boxes_and_states(name, generator, count):
    low, high = (np.array(ends) for ends in RANGES[name])
    first = generator.uniform(low, high, (count, len(low)))
    width = (high - low) * 10.0 ** generator.uniform(-12, 0, (count, 1))
    second = np.minimum(first + generator.random(first.shape) * width, high)
    states = np.clip(first + (second - first) * generator.random(first.shape), first, second)
    if name == "mountaincar":
        wall = generator.random(count) < 0.2
        first[wall, 0] = states[wall, 0] = -1.2
    return first, second, states


@pytest.mark.parametrize("name", RANGES)
def test_successors_and_observations_lie_inside(name):
    task = get_task(name)
    twin, simulator = task.enclosure, task.simulator
    generator = np.random.default_rng(0)
    low, high, states = boxes_and_states(name, generator, BOXES)
    after = np.empty((2, PIECES, low.shape[1]))
    seen = np.empty((3, task.n_variables))
    for row in range(BOXES):
        action = int(generator.integers(task.n_actions))
        twin.observe(low[row], high[row], seen[0], seen[1])
        simulator.observe(states[row], simulator.parameters, seen[2])
        assert (seen[0] <= seen[2]).all() and (seen[2] <= seen[1]).all()
        pieces = twin.step(low[row], high[row], action, twin.parameters, after[0], after[1])
        simulator.step(states[row], action, np.zeros(0), simulator.parameters)
        inside = (after[0, :pieces] <= states[row]) & (states[row] <= after[1, :pieces])
        assert inside.all(axis=1).any(), (name, low[row], high[row], action, states[row])


def test_successors_of_cars_lie_inside():
    task = get_task("carfollowing")
    twin, simulator = task.enclosure, task.simulator
    generator = np.random.default_rng(0)
    after, seen = np.empty((2, PIECES, 4)), np.empty((3, 3))
    for _ in range(BOXES):
        rear, speed = generator.uniform(0.0, 6000.0), generator.integers(129) / 4
        front = generator.uniform(0.0, 32.0)
        if generator.random() < 0.3:
            front = generator.choice([0.0, 32.0])
        gap = generator.uniform(0.1, 140.0)
        state = np.array([rear + gap, rear, front, speed, generator.choice([-1.0, 1.0])])
        low = twin.reduce(state[np.newaxis])[0]
        high = low.copy()
        low[:2] -= generator.random(2) * 10.0 ** generator.uniform(-9, 0, 2)
        high[:2] += generator.random(2) * 10.0 ** generator.uniform(-9, 0, 2)
        if generator.random() < 0.5:
            low[2], high[2] = max(low[2] - 0.3, 0.0), min(high[2] + 0.3, 32.0)
        twin.observe(low, high, seen[0], seen[1])
        simulator.observe(state, simulator.parameters, seen[2])
        assert (seen[0] <= seen[2]).all() and (seen[2] <= seen[1]).all()
        action = int(generator.integers(2))
        push = generator.choice([-1.0, 1.0, generator.uniform(-1.0, 1.0)])
        twin.step(low, high, action, twin.parameters, after[0], after[1])
        simulator.step(state, action, np.array([push]), simulator.parameters)
        reduced = twin.reduce(state[np.newaxis])[0]
        assert (after[0, 0] <= reduced).all() and (reduced <= after[1, 0]).all()


@pytest.mark.parametrize("name", ["cartpole", "mountaincar", "carfollowing"])
def test_every_start_lies_in_the_box_of_starts(name):
    task = get_task(name)
    starts, _ = task.simulator.draw(np.arange(2000), 1)
    reduced = task.enclosure.reduce(starts)
    assert (task.enclosure.low <= reduced).all() and (reduced <= task.enclosure.high).all()


def test_twice_the_gravity_leaves_the_boxes():
    task = get_task("cartpole")
    twin = task.enclosure
    low = np.array([0.0, 0.0, 0.1, 0.0])
    after = np.empty((2, PIECES, 4))
    twin.step(low, low, 1, np.array([19.6, 10.0, 0.02]), after[0], after[1])
    state = low.copy()
    task.simulator.step(state, 1, np.zeros(0), np.zeros(0))
    assert not (after[0, 0] <= state).all() or not (state <= after[1, 0]).all()
