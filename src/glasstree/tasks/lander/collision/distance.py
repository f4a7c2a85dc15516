"""The distance between an edge and a polygon, by Gilbert, Johnson and Keerthi as in Box2D."""

import math

from glasstree.compiled import integer, kernel, nothing, single, singles, tuple_of
from glasstree.tasks.lander.layout import (
    APART,
    EPSILON,
    FAST,
    HALF,
    INDEX_A,
    INDEX_B,
    METRIC,
    N_VERTICES,
    ON_A,
    ON_B,
    ONE,
    SHARE,
    SIMPLEX,
    TWO,
    VERTEX,
    ZERO,
    Singles,
)
from glasstree.tasks.lander.shapes import N_CORNERS, VERTICES

MOST_ROUNDS = 20  # as in Box2D
FRAME = (single, single, single, single)


@kernel(integer(singles, integer, single, single), **FAST)
def edge_support(w: Singles, e: int, dx: float, dy: float) -> int:
    """Return the end of an edge that lies farthest in a direction."""
    return 1 if w[e + 2] * dx + w[e + 3] * dy > w[e] * dx + w[e + 1] * dy else 0


@kernel(integer(integer, single, single), **FAST)
def body_support(body: int, dx: float, dy: float) -> int:
    """Return the corner of a body that lies farthest in a direction, both in the body's frame."""
    best, corner = VERTICES[body, 0, 0] * dx + VERTICES[body, 0, 1] * dy, 0
    for i in range(1, N_CORNERS[body]):
        here = VERTICES[body, i, 0] * dx + VERTICES[body, i, 1] * dy
        if here > best:
            best, corner = here, i
    return corner


@kernel(nothing(singles, integer, integer, integer, *FRAME), **FAST)
def set_vertex(
    w: Singles, v: int, e: int, body: int, px: float, py: float, s: float, c: float
) -> None:
    """Place a vertex of the simplex, whose indices are known."""
    end, corner = e + 2 * int(w[v + INDEX_A]), int(w[v + INDEX_B])
    x, y = VERTICES[body, corner, 0], VERTICES[body, corner, 1]
    w[v + ON_A], w[v + ON_A + 1] = w[end], w[end + 1]
    w[v + ON_B], w[v + ON_B + 1] = (c * x - s * y) + px, (s * x + c * y) + py
    w[v + APART] = w[v + ON_B] - w[v + ON_A]
    w[v + APART + 1] = w[v + ON_B + 1] - w[v + ON_A + 1]
    w[v + SHARE] = ZERO


@kernel(single(singles, integer), **FAST)
def metric(w: Singles, count: int) -> float:
    """Return the size of the simplex."""
    if count < 2:
        return ZERO
    p, q, r = SIMPLEX + APART, SIMPLEX + VERTEX + APART, SIMPLEX + 2 * VERTEX + APART
    if count == 2:
        x, y = w[p] - w[q], w[p + 1] - w[q + 1]
        return math.sqrt(x * x + y * y)
    ax, ay, bx, by = w[q] - w[p], w[q + 1] - w[p + 1], w[r] - w[p], w[r + 1] - w[p + 1]
    area: float = ax * by - ay * bx
    return area


@kernel(integer(singles, integer, integer, *FRAME), **FAST)
def read_cache(w: Singles, e: int, body: int, px: float, py: float, s: float, c: float) -> int:
    """Begin with the simplex of the last call where it is still good, and return its size."""
    count = int(w[N_VERTICES])
    for i in range(count):
        set_vertex(w, SIMPLEX + i * VERTEX, e, body, px, py, s, c)
    if count > 1:
        old, new = w[METRIC], metric(w, count)
        if new < HALF * old or TWO * old < new or new < EPSILON:
            count = 0
    if count == 0:
        w[SIMPLEX + INDEX_A] = w[SIMPLEX + INDEX_B] = ZERO
        set_vertex(w, SIMPLEX, e, body, px, py, s, c)
        w[SIMPLEX + SHARE] = ONE
        count = 1
    return count


@kernel(nothing(singles, integer, integer), **FAST)
def copy(w: Singles, to: int, source: int) -> None:
    """Copy a vertex of the simplex."""
    for i in range(VERTEX):
        w[SIMPLEX + to * VERTEX + i] = w[SIMPLEX + source * VERTEX + i]


@kernel(integer(singles, integer, integer, single, single), **FAST)
def on_side(w: Singles, first: int, second: int, one: float, two: float) -> int:
    """Share the closest point between two vertices."""
    inverse = ONE / (one + two)
    w[SIMPLEX + first * VERTEX + SHARE] = one * inverse
    w[SIMPLEX + second * VERTEX + SHARE] = two * inverse
    return 2


@kernel(integer(singles, integer), **FAST)
def at_vertex(w: Singles, which: int) -> int:
    """Make one vertex the closest point."""
    w[SIMPLEX + which * VERTEX + SHARE] = ONE
    if which:
        copy(w, 0, which)
    return 1


@kernel(integer(singles), **FAST)
def solve2(w: Singles) -> int:
    """Reduce a segment to what is closest to the origin."""
    p, q = SIMPLEX + APART, SIMPLEX + VERTEX + APART
    x, y = w[q] - w[p], w[q + 1] - w[p + 1]
    two = -(w[p] * x + w[p + 1] * y)
    if two <= ZERO:
        return at_vertex(w, 0)
    one = w[q] * x + w[q + 1] * y
    if one <= ZERO:
        return at_vertex(w, 1)
    return on_side(w, 0, 1, one, two)


@kernel(integer(singles), **FAST)
def solve3(w: Singles) -> int:
    """Reduce a triangle to what is closest to the origin."""
    p, q, r = SIMPLEX + APART, SIMPLEX + VERTEX + APART, SIMPLEX + 2 * VERTEX + APART
    x1, y1, x2, y2, x3, y3 = w[p], w[p + 1], w[q], w[q + 1], w[r], w[r + 1]
    ax, ay, bx, by, cx, cy = x2 - x1, y2 - y1, x3 - x1, y3 - y1, x3 - x2, y3 - y2
    a1, a2 = x2 * ax + y2 * ay, -(x1 * ax + y1 * ay)
    b1, b2 = x3 * bx + y3 * by, -(x1 * bx + y1 * by)
    c1, c2 = x3 * cx + y3 * cy, -(x2 * cx + y2 * cy)
    area = ax * by - ay * bx
    t1, t2, t3 = area * (x2 * y3 - y2 * x3), area * (x3 * y1 - y3 * x1), area * (x1 * y2 - y1 * x2)
    if a2 <= ZERO and b2 <= ZERO:
        return at_vertex(w, 0)
    if a1 > ZERO and a2 > ZERO and t3 <= ZERO:
        return on_side(w, 0, 1, a1, a2)
    if b1 > ZERO and b2 > ZERO and t2 <= ZERO:
        on_side(w, 0, 2, b1, b2)
        copy(w, 1, 2)
        return 2
    if a1 <= ZERO and c2 <= ZERO:
        return at_vertex(w, 1)
    if b1 <= ZERO and c1 <= ZERO:
        return at_vertex(w, 2)
    if c1 > ZERO and c2 > ZERO and t1 <= ZERO:
        on_side(w, 1, 2, c1, c2)
        copy(w, 0, 2)
        return 2
    return 3


@kernel(tuple_of((single, single))(singles, integer), **FAST)
def direction(w: Singles, count: int) -> tuple[float, float]:
    """Return where to look for the next vertex."""
    p, q = SIMPLEX + APART, SIMPLEX + VERTEX + APART
    if count == 1:
        return -w[p], -w[p + 1]
    x, y = w[q] - w[p], w[q + 1] - w[p + 1]
    if x * -w[p + 1] - y * -w[p] > ZERO:
        return -y, x
    return y, -x


@kernel(single(singles, integer), **FAST)
def gap_of(w: Singles, count: int) -> float:
    """Return the distance between the closest points of a simplex."""
    p, q = SIMPLEX, SIMPLEX + VERTEX
    if count == 3:
        return ZERO
    ax, ay, bx, by = w[p + ON_A], w[p + ON_A + 1], w[p + ON_B], w[p + ON_B + 1]
    if count == 2:
        one, two = w[p + SHARE], w[q + SHARE]
        ax, ay = one * ax + two * w[q + ON_A], one * ay + two * w[q + ON_A + 1]
        bx, by = one * bx + two * w[q + ON_B], one * by + two * w[q + ON_B + 1]
    x, y = ax - bx, ay - by
    return math.sqrt(x * x + y * y)


@kernel(single(singles, integer, integer, *FRAME), **FAST)
def distance(w: Singles, e: int, body: int, px: float, py: float, s: float, c: float) -> float:
    """Return the distance of a body in a frame from an edge, and leave the simplex behind."""
    count = read_cache(w, e, body, px, py, s, c)
    for _ in range(MOST_ROUNDS):
        before = count
        a0, b0 = w[SIMPLEX + INDEX_A], w[SIMPLEX + INDEX_B]
        a1, b1 = w[SIMPLEX + VERTEX + INDEX_A], w[SIMPLEX + VERTEX + INDEX_B]
        a2, b2 = w[SIMPLEX + 2 * VERTEX + INDEX_A], w[SIMPLEX + 2 * VERTEX + INDEX_B]
        if count == 2:
            count = solve2(w)
        elif count == 3:
            count = solve3(w)
        if count == 3:
            break
        dx, dy = direction(w, count)
        if dx * dx + dy * dy < EPSILON * EPSILON:
            break
        v = SIMPLEX + count * VERTEX
        a = edge_support(w, e, -dx, -dy)
        b = body_support(body, c * dx + s * dy, -s * dx + c * dy)
        w[v + INDEX_A], w[v + INDEX_B] = a, b
        set_vertex(w, v, e, body, px, py, s, c)
        if (a == a0 and b == b0) or (before > 1 and a == a1 and b == b1):
            break
        if before > 2 and a == a2 and b == b2:
            break
        count += 1
    w[METRIC], w[N_VERTICES] = metric(w, count), count
    return gap_of(w, count)
