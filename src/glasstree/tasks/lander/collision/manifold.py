"""Where a polygon touches an edge: Box2D's collision of the two, for edges without neighbours."""

import math

from glasstree.compiled import integer, kernel, nothing, single, singles, truth, tuple_of
from glasstree.tasks.lander.layout import (
    ANGULAR_SLOP,
    AT,
    BODIES,
    BODY,
    CORNER,
    COS,
    COUNT,
    EDGE,
    EDGES,
    FACE,
    FACE_OF_BODY,
    FACE_OF_EDGE,
    FAST,
    HUGE,
    KEY,
    NORMAL,
    OF_BODY,
    ON_EDGE,
    ONE,
    POINT,
    POINTS,
    POLYGON,
    PX,
    PY,
    RADIUS,
    REFERENCE,
    SIN,
    TWO,
    ZERO,
    Singles,
)
from glasstree.tasks.lander.layout import single as rounded
from glasstree.tasks.lander.shapes import CENTROIDS, N_CORNERS, NORMALS, VERTICES

# as in Box2D
REACH = TWO * RADIUS
RELATIVE, ABSOLUTE = rounded(0.98), rounded(0.001)
# the name of a point: index on the edge, index on the body, and which of the two has a face there
ON_BODY, EDGE_HAS_FACE, BODY_HAS_FACE = 16, 256, 512
SEGMENT = (single, single, integer, single, single, integer)


@kernel(nothing(singles, integer, integer), **FAST)
def place_polygon(w: Singles, body: int, b: int) -> None:
    """Fill in corners and normals of a body in the world."""
    s, c, px, py = w[b + SIN], w[b + COS], w[b + PX], w[b + PY]
    for i in range(N_CORNERS[body]):
        q = POLYGON + i * CORNER
        x, y = VERTICES[body, i, 0], VERTICES[body, i, 1]
        w[q], w[q + 1] = (c * x - s * y) + px, (s * x + c * y) + py
        x, y = NORMALS[body, i, 0], NORMALS[body, i, 1]
        w[q + 2], w[q + 3] = c * x - s * y, s * x + c * y


@kernel(single(singles, integer, integer, single, single), **FAST)
def edge_gap(w: Singles, corners: int, e: int, nx: float, ny: float) -> float:
    """Return how far the deepest corner is from an edge, along its normal."""
    gap = HUGE
    for i in range(corners):
        q = POLYGON + i * CORNER
        here = nx * (w[q] - w[e]) + ny * (w[q + 1] - w[e + 1])
        gap = here if here < gap else gap
    return gap


@kernel(tuple_of((single, integer))(singles, integer, integer, single, single), **FAST)
def side_gap(w: Singles, corners: int, e: int, nx: float, ny: float) -> tuple[float, int]:
    """Return how far the edge is from the side that separates most, and that side, -1 for none."""
    gap, side = -HUGE, -1
    for i in range(corners):
        q = POLYGON + i * CORNER
        mx, my = -w[q + 2], -w[q + 3]
        one = mx * (w[q] - w[e]) + my * (w[q + 1] - w[e + 1])
        two = mx * (w[q] - w[e + 2]) + my * (w[q + 1] - w[e + 3])
        here = one if one < two else two
        if here > REACH:
            return here, i
        if (mx + nx) * nx + (my + ny) * ny < -ANGULAR_SLOP:
            continue
        if here > gap:
            gap, side = here, i
    return gap, side


@kernel(tuple_of((truth, *SEGMENT))(single, single, single, integer, *SEGMENT), **FAST)
def clip(
    nx: float,
    ny: float,
    offset: float,
    index: int,
    x0: float,
    y0: float,
    key0: int,
    x1: float,
    y1: float,
    key1: int,
) -> tuple[bool, float, float, int, float, float, int]:
    """Cut a segment off at a line, and tell whether there is something left."""
    d0, d1 = nx * x0 + ny * y0 - offset, nx * x1 + ny * y1 - offset
    if d0 <= ZERO and d1 <= ZERO:
        return True, x0, y0, key0, x1, y1, key1
    if not d0 * d1 < ZERO:
        return False, x0, y0, key0, x1, y1, key1
    along = d0 / (d0 - d1)
    x, y = x0 + along * (x1 - x0), y0 + along * (y1 - y0)
    key = index + (key0 // ON_BODY) % ON_BODY * ON_BODY + BODY_HAS_FACE
    if d0 <= ZERO:
        return True, x0, y0, key0, x, y, key
    return True, x1, y1, key1, x, y, key


@kernel(integer(singles, integer, single, single), **FAST)
def facing(w: Singles, corners: int, nx: float, ny: float) -> int:
    """Return the side whose normal is most opposed to another."""
    best, side = nx * w[POLYGON + 2] + ny * w[POLYGON + 3], 0
    for i in range(1, corners):
        q = POLYGON + i * CORNER
        here = nx * w[q + 2] + ny * w[q + 3]
        if here < best:
            best, side = here, i
    return side


@kernel(nothing(singles, integer, integer, truth, single, single), **FAST)
def touch_edge(w: Singles, c: int, e: int, front: bool, nx: float, ny: float) -> None:
    """Fill in a contact whose face is the edge's."""
    body = int(w[c + OF_BODY])
    b, corners = BODIES + body * BODY, N_CORNERS[body]
    w[c + FACE] = FACE_OF_EDGE
    i = facing(w, corners, nx, ny)
    j = i + 1 if i + 1 < corners else 0
    p, q = POLYGON + i * CORNER, POLYGON + j * CORNER
    first, last, i1, i2 = (e, e + 2, 0, 1) if front else (e + 2, e, 1, 0)
    left = ny * w[first] + -nx * w[first + 1]
    right = -ny * w[last] + nx * w[last + 1]
    key0, key1 = i * ON_BODY + EDGE_HAS_FACE, j * ON_BODY + EDGE_HAS_FACE
    some, x0, y0, key0, x1, y1, key1 = clip(
        ny, -nx, left, i1, w[p], w[p + 1], key0, w[q], w[q + 1], key1
    )
    if not some:
        return
    some, x0, y0, key0, x1, y1, key1 = clip(-ny, nx, right, i2, x0, y0, key0, x1, y1, key1)
    if not some:
        return
    w[c + NORMAL], w[c + NORMAL + 1] = nx, ny
    w[c + REFERENCE], w[c + REFERENCE + 1] = w[first], w[first + 1]
    found, px, py, s, o = 0, w[b + PX], w[b + PY], w[b + SIN], w[b + COS]
    for x, y, key in ((x0, y0, key0), (x1, y1, key1)):
        if nx * (x - w[first]) + ny * (y - w[first + 1]) <= REACH:
            at = c + POINTS + found * POINT
            w[at + AT] = o * (x - px) + s * (y - py)
            w[at + AT + 1] = -s * (x - px) + o * (y - py)
            w[at + KEY] = key
            found += 1
    w[c + COUNT] = found


@kernel(nothing(singles, integer, integer, integer), **FAST)
def touch_side(w: Singles, c: int, e: int, i: int) -> None:
    """Fill in a contact whose face is a side of the body's."""
    body = int(w[c + OF_BODY])
    w[c + FACE] = FACE_OF_BODY
    j = i + 1 if i + 1 < N_CORNERS[body] else 0
    p, q = POLYGON + i * CORNER, POLYGON + j * CORNER
    nx, ny = w[p + 2], w[p + 3]
    left, right = ny * w[p] + -nx * w[p + 1], -ny * w[q] + nx * w[q + 1]
    key = i * ON_BODY + BODY_HAS_FACE
    some, x0, y0, key0, x1, y1, key1 = clip(
        ny, -nx, left, i, w[e], w[e + 1], key, w[e + 2], w[e + 3], key
    )
    if not some:
        return
    some, x0, y0, key0, x1, y1, key1 = clip(-ny, nx, right, j, x0, y0, key0, x1, y1, key1)
    if not some:
        return
    w[c + NORMAL], w[c + NORMAL + 1] = NORMALS[body, i, 0], NORMALS[body, i, 1]
    w[c + REFERENCE], w[c + REFERENCE + 1] = VERTICES[body, i, 0], VERTICES[body, i, 1]
    found = 0
    for x, y, name in ((x0, y0, key0), (x1, y1, key1)):
        if nx * (x - w[p]) + ny * (y - w[p + 1]) <= REACH:
            at = c + POINTS + found * POINT
            w[at + AT], w[at + AT + 1] = x, y
            on_edge, on_body = name % ON_BODY, (name // ON_BODY) % ON_BODY
            faces = name // EDGE_HAS_FACE  # 1: the edge's, 2: the body's; Box2D swaps them here
            w[at + KEY] = on_body + on_edge * ON_BODY + (faces // 2 + faces % 2 * 2) * EDGE_HAS_FACE
            found += 1
    w[c + COUNT] = found


@kernel(nothing(singles, integer), **FAST)
def collide(w: Singles, c: int) -> None:
    """Work out the points where the body of a contact touches its edge."""
    e, body = EDGES + int(w[c + ON_EDGE]) * EDGE, int(w[c + OF_BODY])
    b, corners = BODIES + body * BODY, N_CORNERS[body]
    w[c + COUNT] = ZERO
    dx, dy = w[e + 2] - w[e], w[e + 3] - w[e + 1]
    inverse = ONE / math.sqrt(dx * dx + dy * dy)
    nx, ny = dy * inverse, -(dx * inverse)
    mx, my = CENTROIDS[body, 0], CENTROIDS[body, 1]
    x = (w[b + COS] * mx - w[b + SIN] * my) + w[b + PX]
    y = (w[b + SIN] * mx + w[b + COS] * my) + w[b + PY]
    front = nx * (x - w[e]) + ny * (y - w[e + 1]) >= ZERO
    if not front:
        nx, ny = -nx, -ny
    place_polygon(w, body, b)
    to_edge = edge_gap(w, corners, e, nx, ny)
    if to_edge > REACH:
        return
    to_side, side = side_gap(w, corners, e, nx, ny)
    if side >= 0 and to_side > REACH:
        return
    if side >= 0 and to_side > RELATIVE * to_edge + ABSOLUTE:
        touch_side(w, c, e, side)
    else:
        touch_edge(w, c, e, front, nx, ny)
