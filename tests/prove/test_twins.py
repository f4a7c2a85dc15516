"""Interval twins of tasks: every simulated successor lies inside."""

import numpy as np
import pytest

from glasstree.tasks import get_task
from glasstree.tasks.twins import PIECES
from proof_boxes import TASKS, outside

BOXES = 20_000


@pytest.mark.parametrize("name", TASKS)
def test_successors_and_observations_lie_inside(name):
    assert outside(name, BOXES, np.random.default_rng(0)) == 0


@pytest.mark.parametrize("name", TASKS)
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
