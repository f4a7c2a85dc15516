"""When in a step a moving body first touches an edge: Box2D's conservative advancement."""

import math
from typing import NamedTuple

import numpy as np
from numba import types

from glasstree.compiled import integer, kernel, single, singles, truth, tuple_of
from glasstree.tasks.lander.collision.distance import body_support, distance, edge_support
from glasstree.tasks.lander.layout import (
    ANGLE,
    ANGLE0,
    BODIES,
    BODY,
    FAST,
    HALF,
    INDEX_A,
    INDEX_B,
    LINEAR_SLOP,
    N_VERTICES,
    ONE,
    PI,
    RADIUS,
    SIMPLEX,
    TWO,
    VERTEX,
    X0,
    Y0,
    ZERO,
    Singles,
    X,
    Y,
)
from glasstree.tasks.lander.layout import single as rounded
from glasstree.tasks.lander.motion import frame_at
from glasstree.tasks.lander.shapes import VERTICES

# all as in Box2D
TARGET = max(LINEAR_SLOP, RADIUS + RADIUS - rounded(3.0) * LINEAR_SLOP)
TOLERANCE = rounded(0.25) * LINEAR_SLOP
WHOLE_TURN = TWO * PI
MOST_AXES, MOST_PUSHES, MOST_ROOTS = 20, 16, 50
BETWEEN_POINTS, EDGE_FACE, BODY_FACE = 0, 1, 2
FRAME = (single, single, single, single)


class Axis(NamedTuple):
    """What separates an edge and a body: its kind, its direction, a point of it."""

    kind: int
    nx: float
    ny: float
    mx: float
    my: float


AXIS = types.NamedTuple((integer, single, single, single, single), Axis)


@kernel(tuple_of(FRAME)(singles, integer, single), **FAST)
def frame_during(w: Singles, body: int, time: float) -> tuple[float, float, float, float]:
    """Return the frame of a body at a part of its motion."""
    b, rest = BODIES + body * BODY, ONE - time
    turns = WHOLE_TURN * np.floor(w[b + ANGLE0] / WHOLE_TURN)
    x = rest * w[b + X0] + time * w[b + X]
    y = rest * w[b + Y0] + time * w[b + Y]
    angle = rest * (w[b + ANGLE0] - turns) + time * (w[b + ANGLE] - turns)
    return frame_at(body, x, y, angle)


@kernel(tuple_of((single, single))(single, single), **FAST)
def unit(x: float, y: float) -> tuple[float, float]:
    """Return a vector of length 1."""
    inverse = ONE / math.sqrt(x * x + y * y)
    return x * inverse, y * inverse


@kernel(AXIS(singles, integer, integer, *FRAME), **FAST)
def axis_of(w: Singles, e: int, body: int, px: float, py: float, s: float, c: float) -> Axis:
    """Return the axis that separates, by the simplex."""
    q = SIMPLEX + VERTEX
    end, corner = e + 2 * int(w[SIMPLEX + INDEX_A]), int(w[SIMPLEX + INDEX_B])
    x1, y1 = VERTICES[body, corner, 0], VERTICES[body, corner, 1]
    bx, by = (c * x1 - s * y1) + px, (s * x1 + c * y1) + py
    if w[N_VERTICES] == 1:
        nx, ny = unit(bx - w[end], by - w[end + 1])
        return Axis(BETWEEN_POINTS, nx, ny, ZERO, ZERO)
    if w[SIMPLEX + INDEX_A] == w[q + INDEX_A]:
        other = int(w[q + INDEX_B])
        x2, y2 = VERTICES[body, other, 0], VERTICES[body, other, 1]
        lx, ly = unit(y2 - y1, -(x2 - x1))
        nx, ny = c * lx - s * ly, s * lx + c * ly
        mx, my = HALF * (x1 + x2), HALF * (y1 + y2)
        bx, by = (c * mx - s * my) + px, (s * mx + c * my) + py
        if (w[end] - bx) * nx + (w[end + 1] - by) * ny < ZERO:
            lx, ly = -lx, -ly
        return Axis(BODY_FACE, lx, ly, mx, my)
    far = e + 2 * int(w[q + INDEX_A])
    nx, ny = unit(w[far + 1] - w[end + 1], -(w[far] - w[end]))
    mx, my = HALF * (w[end] + w[far]), HALF * (w[end + 1] + w[far + 1])
    if (bx - mx) * nx + (by - my) * ny < ZERO:
        nx, ny = -nx, -ny
    return Axis(EDGE_FACE, nx, ny, mx, my)


@kernel(tuple_of((integer, integer))(singles, integer, integer, AXIS, single), **FAST)
def deepest(w: Singles, e: int, body: int, axis: Axis, time: float) -> tuple[int, int]:
    """Return the end of the edge and the corner of the body that are closest along an axis."""
    _, _, s, c = frame_during(w, body, time)
    kind, nx, ny, _, _ = axis
    if kind == BODY_FACE:
        x, y = c * nx - s * ny, s * nx + c * ny
        return edge_support(w, e, -x, -y), 0
    corner = body_support(body, c * -nx + s * -ny, -s * -nx + c * -ny)
    if kind == EDGE_FACE:
        return 0, corner
    return edge_support(w, e, nx, ny), corner


@kernel(single(singles, integer, integer, AXIS, integer, integer, single), **FAST)
def separation(
    w: Singles, e: int, body: int, axis: Axis, end: int, corner: int, time: float
) -> float:
    """Return how far edge and body are apart along an axis at a time."""
    px, py, s, c = frame_during(w, body, time)
    kind, nx, ny, mx, my = axis
    a = e + 2 * end
    if kind == BODY_FACE:
        x, y = c * nx - s * ny, s * nx + c * ny
        bx, by = (c * mx - s * my) + px, (s * mx + c * my) + py
        gap: float = (w[a] - bx) * x + (w[a + 1] - by) * y
        return gap
    x, y = VERTICES[body, corner, 0], VERTICES[body, corner, 1]
    bx, by = (c * x - s * y) + px, (s * x + c * y) + py
    ax, ay = (mx, my) if kind == EDGE_FACE else (w[a], w[a + 1])
    between: float = (bx - ax) * nx + (by - ay) * ny
    return between


@kernel(
    single(singles, integer, integer, AXIS, integer, integer, single, single, single, single),
    **FAST,
)
def root(
    w: Singles,
    e: int,
    body: int,
    axis: Axis,
    end: int,
    corner: int,
    early: float,
    late: float,
    apart: float,
    inside: float,
) -> float:
    """Return the time between two at which the separation is the target, the later if none is."""
    latest = late
    for i in range(MOST_ROOTS):
        if i & 1:
            time = early + (TARGET - apart) * (late - early) / (inside - apart)
        else:
            time = HALF * (early + late)
        gap = separation(w, e, body, axis, end, corner, time)
        if abs(gap - TARGET) < TOLERANCE:
            return time
        if gap > TARGET:
            early, apart = time, gap
        else:
            late, inside = time, gap
    return latest


@kernel(tuple_of((truth, single))(singles, integer, integer, AXIS, single), **FAST)
def along_axis(w: Singles, e: int, body: int, axis: Axis, early: float) -> tuple[bool, float]:
    """Return whether the search is over, and the time it has come to; 2 for no impact."""
    late = ONE
    for _ in range(MOST_PUSHES):
        end, corner = deepest(w, e, body, axis, late)
        inside = separation(w, e, body, axis, end, corner, late)
        if inside > TARGET + TOLERANCE:
            return True, TWO
        if inside > TARGET - TOLERANCE:
            return False, late
        apart = separation(w, e, body, axis, end, corner, early)
        if apart < TARGET - TOLERANCE:
            return True, TWO
        if apart <= TARGET + TOLERANCE:
            return True, early
        late = root(w, e, body, axis, end, corner, early, late, apart, inside)
    return False, early


@kernel(single(singles, integer, integer), **FAST)
def time_of_impact(w: Singles, e: int, body: int) -> float:
    """Return the part of the rest of its motion after which a body touches an edge; 2 if never."""
    time = ZERO
    w[N_VERTICES] = ZERO
    for _ in range(MOST_AXES):
        px, py, s, c = frame_during(w, body, time)
        gap = distance(w, e, body, px, py, s, c)
        if gap <= ZERO:
            return TWO
        if gap < TARGET + TOLERANCE:
            return time
        axis = axis_of(w, e, body, px, py, s, c)
        over, time = along_axis(w, e, body, axis, time)
        if over:
            return time
    return TWO
