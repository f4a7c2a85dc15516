"""Cells: a grid over some variables, and the set of cells that starts can ever come to.

When no cell of the set leads out of it, it holds all that can happen after any number of steps. The
other variables may have any value that is given for them.
"""

from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np
from numba import types

from glasstree.compiled import function, integer, integers, kernel, nothing, reals
from glasstree.policy import PolicyTree
from glasstree.policy.arrays import Floats, Ints
from glasstree.prove.boxes import actions_in
from glasstree.tasks.twins import ENCLOSE, OBSERVE_BOX, PIECES, Enclosure

NEAR = 1e-9  # shares of a cell by which a place is moved, so that rounding cannot miss its cell
CLOSED = -1


class Grid(NamedTuple):
    """Cells over some variables of the boxes: axes, the lowest edges, sizes and counts."""

    axes: Ints
    low: Floats
    size: Floats
    counts: Ints
    rest_low: Floats
    rest_high: Floats

    @property
    def cells(self) -> int:
        """Number of cells."""
        return int(np.prod(self.counts))

    def boxes(self, cells: Ints) -> tuple[Floats, Floats]:
        """Return the lowest and highest corner of cells: (n, axes) each."""
        places = np.stack(np.unravel_index(cells, tuple(self.counts)), axis=1)
        return self.low + places * self.size, self.low + (places + 1) * self.size


grid_type = types.NamedTuple((integers, reals, reals, integers, reals, reals), Grid)


@dataclass(frozen=True)
class Reached:
    """The step at which each cell is first reached, -1 if never; and a cell that leads away."""

    grid: Grid
    levels: Ints = field(repr=False)
    escape: int

    @property
    def closed(self) -> bool:
        """Whether no cell leads out."""
        return self.escape == CLOSED

    @property
    def cells(self) -> Ints:
        """The cells that are reached."""
        return np.flatnonzero(self.levels >= 0)


@kernel(integer(reals, reals, grid_type, integers))
def covered(low: Floats, high: Floats, grid: Grid, ends: Ints) -> int:
    """Fill in the first and last place on each axis that a box touches; 0 if it leaves the grid."""
    for axis in range(len(grid.axes)):
        variable, first, size = grid.axes[axis], grid.low[axis], grid.size[axis]
        begin = np.floor((low[variable] - first) / size - NEAR)
        end = np.floor((high[variable] - first) / size + NEAR)
        if not (begin >= 0.0 and end < grid.counts[axis]):
            return 0
        ends[2 * axis], ends[2 * axis + 1] = int(begin), int(end)
    return 1


@kernel(nothing(integer, grid_type, reals, reals))
def corners(cell: int, grid: Grid, low: Floats, high: Floats) -> None:
    """Fill in the ends of a cell on its axes."""
    for axis in range(len(grid.axes) - 1, -1, -1):
        place = cell % grid.counts[axis]
        cell //= grid.counts[axis]
        variable = grid.axes[axis]
        low[variable] = grid.low[axis] + place * grid.size[axis]
        high[variable] = grid.low[axis] + (place + 1) * grid.size[axis]


@kernel(integer(integers, integers, integers, integers, integer, integer))
def mark(ends: Ints, counts: Ints, levels: Ints, queue: Ints, count: int, level: int) -> int:
    """Queue the cells between ends that are not reached yet; return how many wait then."""
    n_axes = len(counts)
    places = np.empty(n_axes, dtype=np.int64)
    for axis in range(n_axes):
        places[axis] = ends[2 * axis]
    while True:
        cell = 0
        for axis in range(n_axes):
            cell = cell * counts[axis] + places[axis]
        if levels[cell] < 0:
            levels[cell] = level
            queue[count] = cell
            count += 1
        axis = n_axes - 1
        while axis >= 0 and places[axis] == ends[2 * axis + 1]:
            places[axis] = ends[2 * axis]
            axis -= 1
        if axis < 0:
            return count
        places[axis] += 1


@kernel(
    integer(
        *(function(ENCLOSE), function(OBSERVE_BOX), reals, integers, reals),
        *(grid_type, reals, reals, integers),
    )
)
def spread(
    enclose: Any,
    observe: Any,
    parameters: Floats,
    program: Ints,
    numbers: Floats,
    grid: Grid,
    start_low: Floats,
    start_high: Floats,
    levels: Ints,
) -> int:
    """Mark every cell that can be reached from a box; return CLOSED, or a cell that leads away."""
    low, high = grid.rest_low.copy(), grid.rest_high.copy()
    next_low, next_high = np.empty((PIECES, len(low))), np.empty((PIECES, len(low)))
    seen_low, seen_high = np.empty(program[0]), np.empty(program[0])
    ends = np.empty(2 * len(grid.axes), dtype=np.int64)
    queue = np.empty(len(levels), dtype=np.int64)
    if covered(start_low, start_high, grid, ends) == 0:
        return 0
    count = mark(ends, grid.counts, levels, queue, 0, 0)
    done = 0
    while done < count:
        cell = queue[done]
        done += 1
        corners(cell, grid, low, high)
        observe(low, high, seen_low, seen_high)
        actions = actions_in(program, numbers, seen_low, seen_high)
        action = 0
        while actions >> action:
            if (actions >> action) & 1:
                for piece in range(enclose(low, high, action, parameters, next_low, next_high)):
                    if covered(next_low[piece], next_high[piece], grid, ends) == 0:
                        return cell
                    count = mark(ends, grid.counts, levels, queue, count, levels[cell] + 1)
            action += 1
    return CLOSED


def reach(twin: Enclosure, tree: PolicyTree, grid: Grid) -> Reached:
    """Return the cells that all starts can ever come to."""
    levels = np.full(grid.cells, -1, dtype=np.int64)
    loop = (twin.step, twin.observe, twin.parameters, *tree.flat)
    escape = spread(*loop, grid, twin.low, twin.high, levels)
    return Reached(grid, levels, int(escape))


def grid_data(reached: Reached) -> dict[str, object]:
    """Return a set of cells as plain data."""
    grid = reached.grid
    return {
        "low": grid.low.tolist(),
        "size": grid.size.tolist(),
        "counts": grid.counts.tolist(),
        "runs": runs_of(reached),
    }


def runs_of(reached: Reached) -> list[int]:
    """Return the cells as numbers of cells that are, by turns, not reached and reached."""
    inside = (reached.levels >= 0).astype(np.int8)
    changes = np.flatnonzero(np.diff(np.concatenate([[0], inside])))
    return np.diff(np.concatenate([[0], changes, [len(inside)]])).tolist()
