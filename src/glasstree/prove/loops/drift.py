"""How far CartPole's cart can drift while its pole stays in a set of cells.

With c = 4/3 of half the pole's length, the dynamics give push + c turn / cos(theta) = g tan(theta)
exactly. So z = v + c omega changes slowly, by dt (g tan(theta) + c turn (1 - 1 / cos(theta))) a
step, and x - x0 = dt (z of all steps, summed) - c (theta - theta0). The largest and smallest z
after each step, over all ways through the cells, bound x.
"""

import numpy as np

from glasstree.compiled import integer, integers, integers2, kernel, nothing, real, reals
from glasstree.policy import PolicyTree
from glasstree.policy.arrays import Floats, Ints
from glasstree.prove.boxes import actions_in
from glasstree.prove.loops.cells import Grid, Reached, corners, covered, grid_type
from glasstree.tasks.cartpole import HALF_LENGTH, START, enclose, enclosed_accelerations
from glasstree.tasks.intervals import (
    Interval,
    add,
    cosine,
    divide,
    exactly,
    interval,
    multiply,
    observe_box,
    sine,
    subtract,
    times,
)
from glasstree.tasks.twins import PIECES, Enclosure

LEVER = 4.0 / 3.0 * HALF_LENGTH
ROUNDING = 1e-9  # of one step in float64, a million times


@kernel(interval(interval, interval, real, reals))
def change(theta: Interval, omega: Interval, force: float, parameters: Floats) -> Interval:
    """Enclose the change of z in one step."""
    _, turn = enclosed_accelerations(theta, omega, force, parameters)
    cosines = cosine(theta)
    slope = divide(times(parameters[0], sine(theta)), cosines)
    bend = subtract(exactly(1.0), divide(exactly(1.0), cosines))
    total = times(parameters[2], add(slope, times(LEVER, multiply(turn, bend))))
    return Interval(total.low - ROUNDING, total.high + ROUNDING)


@kernel(
    integer(*(reals, integers, reals, grid_type), *(integers, integers, integers2, reals, reals))
)
def transitions(
    parameters: Floats,
    program: Ints,
    values: Floats,
    grid: Grid,
    cells: Ints,
    sources: Ints,
    targets: Ints,
    least: Floats,
    most: Floats,
) -> int:
    """Fill in from which cell (by its number) to which block of cells, and how z changes."""
    low, high = grid.rest_low.copy(), grid.rest_high.copy()
    next_low, next_high = np.empty((PIECES, 4)), np.empty((PIECES, 4))
    seen_low, seen_high = np.empty(program[0]), np.empty(program[0])
    count = 0
    for number in range(len(cells)):
        corners(cells[number], grid, low, high)
        observe_box(low, high, seen_low, seen_high)
        actions = actions_in(program, values, seen_low, seen_high)
        theta, omega = Interval(low[2], high[2]), Interval(low[3], high[3])
        for action in range(2):
            if (actions >> action) & 1:
                enclose(low, high, action, parameters, next_low, next_high)
                covered(next_low[0], next_high[0], grid, targets[count])
                force = parameters[1] if action == 1 else -parameters[1]
                gain = change(theta, omega, force, parameters)
                sources[count], least[count], most[count] = number, gain.low, gain.high
                count += 1
    return count


@kernel(nothing(integers, integers2, reals, integers, integers, reals, integer, reals))
def heaviest(
    sources: Ints,
    targets: Ints,
    gains: Floats,
    numbers: Ints,
    counts: Ints,
    weights: Floats,
    steps: int,
    largest: Floats,
) -> None:
    """Fill in the largest sum of gains over all ways of 0, 1, ... steps; weights are the first."""
    for step in range(steps):
        largest[step] = weights.max()
        following = np.full(len(weights), -np.inf)
        for way in range(len(sources)):
            value = weights[sources[way]] + gains[way]
            if value == -np.inf:
                continue
            ends = targets[way]
            for i in range(ends[0], ends[1] + 1):
                for j in range(ends[2], ends[3] + 1):
                    target = numbers[i * counts[1] + j]
                    following[target] = max(following[target], value)
        weights[:] = following


def drift(twin: Enclosure, tree: PolicyTree, reached: Reached, steps: int) -> Floats:
    """Return how far the cart can be from the middle after 0, 1, ... steps."""
    grid, cells = reached.grid, reached.cells
    size = 2 * len(cells)
    sources, targets = np.empty(size, dtype=np.int64), np.empty((size, 4), dtype=np.int64)
    least, most = np.empty(size), np.empty(size)
    count = transitions(twin.parameters, *tree.flat, grid, cells, sources, targets, least, most)
    numbers = np.full(grid.cells, -1, dtype=np.int64)
    numbers[cells] = np.arange(len(cells))
    low, high = grid.boxes(cells)
    begins = reached.levels[cells] == 0
    bounds = []
    for gains, omega in ((most, high[:, 1]), (-least, -low[:, 1])):
        weights = np.where(begins, START + LEVER * np.minimum(omega, START), -np.inf)
        largest = np.empty(steps)
        heaviest(
            *(sources[:count], targets[:count], gains[:count], numbers, grid.counts),
            *(weights, steps, largest),
        )
        bounds.append(largest)
    angle = LEVER * (np.abs([low[:, 0], high[:, 0]]).max() + START)
    slow = float(twin.parameters[2]) * np.maximum(*bounds) + ROUNDING
    moved: Floats = START + angle + np.concatenate([[0.0], np.cumsum(slow)])
    return moved
