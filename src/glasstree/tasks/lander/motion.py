"""How bodies move: their frames, their boxes, and where they are within a step."""

import math

from glasstree.compiled import integer, kernel, nothing, single, singles, truth, tuple_of
from glasstree.tasks.lander.layout import (
    ANGLE,
    ANGLE0,
    BODIES,
    BODY,
    BOX,
    BOX_AHEAD,
    BOX_MARGIN,
    COS,
    FAST,
    LARGEST_MOVE,
    LARGEST_TURN,
    ONE,
    PX,
    PY,
    RADIUS,
    SIN,
    SPIN,
    TIME,
    VX,
    VY,
    X0,
    Y0,
    ZERO,
    Singles,
    X,
    Y,
)
from glasstree.tasks.lander.shapes import CENTRES, N_CORNERS, VERTICES

FRAME = (single, single, single, single)


@kernel(tuple_of(FRAME)(integer, single, single, single), **FAST)
def frame_at(body: int, x: float, y: float, angle: float) -> tuple[float, float, float, float]:
    """Return origin, sine and cosine of a body from its centre of mass and its angle."""
    s, c = math.sin(angle), math.cos(angle)
    cx, cy = CENTRES[body, 0], CENTRES[body, 1]
    return x - (c * cx - s * cy), y - (s * cx + c * cy), s, c


@kernel(nothing(singles, integer), **FAST)
def set_frame(w: Singles, body: int) -> None:
    """Bring the frame of a body to where the body is."""
    b = BODIES + body * BODY
    w[b + PX], w[b + PY], w[b + SIN], w[b + COS] = frame_at(body, w[b + X], w[b + Y], w[b + ANGLE])


@kernel(nothing(singles, integer, single), **FAST)
def travel(w: Singles, body: int, time: float) -> None:
    """Move a body by its speed, which is not more than Box2D allows in a step."""
    b = BODIES + body * BODY
    dx, dy = time * w[b + VX], time * w[b + VY]
    far = dx * dx + dy * dy
    if far > LARGEST_MOVE * LARGEST_MOVE:
        ratio = LARGEST_MOVE / math.sqrt(far)
        w[b + VX] *= ratio
        w[b + VY] *= ratio
    turn = time * w[b + SPIN]
    if turn * turn > LARGEST_TURN * LARGEST_TURN:
        w[b + SPIN] *= LARGEST_TURN / abs(turn)
    w[b + X] += time * w[b + VX]
    w[b + Y] += time * w[b + VY]
    w[b + ANGLE] += time * w[b + SPIN]


@kernel(nothing(singles, integer, single), **FAST)
def advance(w: Singles, body: int, time: float) -> None:
    """Move the beginning of a body's motion to a later time."""
    b = BODIES + body * BODY
    part = (time - w[b + TIME]) / (ONE - w[b + TIME])
    rest = ONE - part
    w[b + X0] = rest * w[b + X0] + part * w[b + X]
    w[b + Y0] = rest * w[b + Y0] + part * w[b + Y]
    w[b + ANGLE0] = rest * w[b + ANGLE0] + part * w[b + ANGLE]
    w[b + TIME] = time


@kernel(tuple_of(FRAME)(integer, *FRAME), **FAST)
def bounds(
    body: int, px: float, py: float, s: float, c: float
) -> tuple[float, float, float, float]:
    """Return the box of a body in a frame."""
    x, y = VERTICES[body, 0, 0], VERTICES[body, 0, 1]
    left = right = (c * x - s * y) + px
    low = high = (s * x + c * y) + py
    for i in range(1, N_CORNERS[body]):
        x, y = VERTICES[body, i, 0], VERTICES[body, i, 1]
        here, there = (c * x - s * y) + px, (s * x + c * y) + py
        left, low = min(left, here), min(low, there)
        right, high = max(right, here), max(high, there)
    return left - RADIUS, low - RADIUS, right + RADIUS, high + RADIUS


@kernel(truth(singles, integer, *FRAME), **FAST)
def keep_box(w: Singles, body: int, px: float, py: float, s: float, c: float) -> bool:
    """Widen the box of a body that left it in moving from a frame, and tell whether it did."""
    b = BODIES + body * BODY
    q, dx, dy = b + BOX, w[b + PX] - px, w[b + PY] - py
    left, low, right, high = bounds(body, px, py, s, c)
    left1, low1, right1, high1 = bounds(body, w[b + PX], w[b + PY], w[b + SIN], w[b + COS])
    left, low = min(left, left1), min(low, low1)
    right, high = max(right, right1), max(high, high1)
    if w[q] <= left and w[q + 1] <= low and right <= w[q + 2] and high <= w[q + 3]:
        return False
    dx, dy = BOX_AHEAD * dx, BOX_AHEAD * dy
    left, low = left - BOX_MARGIN, low - BOX_MARGIN
    right, high = right + BOX_MARGIN, high + BOX_MARGIN
    w[q] = left + dx if dx < ZERO else left
    w[q + 2] = right if dx < ZERO else right + dx
    w[q + 1] = low + dy if dy < ZERO else low
    w[q + 3] = high if dy < ZERO else high + dy
    return True
