"""The contact solver: impulses against sinking in and sliding, and corrections of places.

The ground does not move, so that all of its terms in Box2D's formulas are zero and left out.
"""

from glasstree.compiled import integer, kernel, nothing, single, singles, tuple_of
from glasstree.tasks.lander.layout import (
    ANGLE,
    ARM,
    AT,
    BODIES,
    BODY,
    BODY_OF,
    COUNT,
    DRAG,
    FACE,
    FACE_OF_EDGE,
    FAST,
    FIRST,
    FRICTION,
    HALF,
    HOW_MANY,
    INLINED,
    LARGEST_CORRECTION,
    LINEAR_SLOP,
    NORMAL,
    NORMAL_MASS,
    OF_BODY,
    ON_EDGE,
    ONE,
    POINT,
    POINTS,
    PRESS,
    PUSH,
    RADIUS,
    REFERENCE,
    RUB,
    SOFT,
    SPIN,
    SPOT,
    STIFF,
    TANGENT_MASS,
    VX,
    VY,
    WHICH,
    ZERO,
    N,
    Singles,
    X,
    Y,
)
from glasstree.tasks.lander.layout import single as rounded
from glasstree.tasks.lander.motion import frame_at
from glasstree.tasks.lander.shapes import FRICTIONS, INVERSE_INERTIA, INVERSE_MASS

WORST_CONDITION = rounded(1000.0)  # of two points solved at once, as in Box2D
FRAME = (single, single, single, single)
SPEED = (single, single, single)
FOUND = (single, single, single, single, single)


@kernel(tuple_of(FOUND)(singles, integer, integer, *FRAME), **FAST)
def spot(
    w: Singles, c: int, i: int, px: float, py: float, s: float, o: float
) -> tuple[float, float, float, float, float]:
    """Return a point of a contact, the normal away from the ground, and the gap without skins."""
    at, lx, ly = c + POINTS + i * POINT + AT, w[c + NORMAL], w[c + NORMAL + 1]
    rx, ry = w[c + REFERENCE], w[c + REFERENCE + 1]
    if w[c + FACE] == FACE_OF_EDGE:
        x, y = (o * w[at] - s * w[at + 1]) + px, (s * w[at] + o * w[at + 1]) + py
        return x, y, lx, ly, (x - rx) * lx + (y - ry) * ly
    nx, ny = o * lx - s * ly, s * lx + o * ly
    x, y = w[at], w[at + 1]
    ax, ay = (o * rx - s * ry) + px, (s * rx + o * ry) + py
    return x, y, -nx, -ny, (x - ax) * nx + (y - ay) * ny


@kernel(nothing(singles, integer, integer), **FAST)
def place(w: Singles, k: int, c: int) -> None:
    """Work out where a contact pushes, and how stiff it is there."""
    body = int(w[c + OF_BODY])
    b, mass, inertia = BODIES + body * BODY, INVERSE_MASS[body], INVERSE_INERTIA[body]
    px, py, s, o = frame_at(body, w[b + X], w[b + Y], w[b + ANGLE])
    w[k + WHICH], w[k + BODY_OF], w[k + HOW_MANY] = c, body, w[c + COUNT]
    w[k + FRICTION] = FRICTIONS[0 if w[c + ON_EDGE] == ZERO else 1, body]
    for i in range(int(w[c + COUNT])):
        x, y, nx, ny, gap = spot(w, c, i, px, py, s, o)
        p = k + FIRST + i * SPOT
        if w[c + FACE] == FACE_OF_EDGE:
            out = RADIUS - gap
            x = HALF * ((x + out * nx) + (x - RADIUS * nx))
            y = HALF * ((y + out * ny) + (y - RADIUS * ny))
        else:
            out = RADIUS - gap
            x = HALF * ((x + RADIUS * nx) + (x - out * nx))
            y = HALF * ((y + RADIUS * ny) + (y - out * ny))
        w[k + N], w[k + N + 1] = nx, ny
        rx, ry = x - w[b + X], y - w[b + Y]
        across, along = rx * ny - ry * nx, rx * -nx - ry * ny
        w[p + ARM], w[p + ARM + 1] = rx, ry
        w[p + NORMAL_MASS] = ONE / (mass + inertia * across * across)
        w[p + TANGENT_MASS] = ONE / (mass + inertia * along * along)


@kernel(nothing(singles, integer), **FAST)
def pair(w: Singles, k: int) -> None:
    """Couple the two points of a contact, or use the first one alone where they are one."""
    body, p, q = int(w[k + BODY_OF]), k + FIRST + ARM, k + FIRST + SPOT + ARM
    mass, inertia, nx, ny = INVERSE_MASS[body], INVERSE_INERTIA[body], w[k + N], w[k + N + 1]
    one, two = w[p] * ny - w[p + 1] * nx, w[q] * ny - w[q + 1] * nx
    k11 = mass + inertia * one * one
    k22 = mass + inertia * two * two
    k12 = mass + inertia * one * two
    if not k11 * k11 < WORST_CONDITION * (k11 * k22 - k12 * k12):
        w[k + HOW_MANY] = ONE
        return
    inverse = k11 * k22 - k12 * k12
    if inverse != ZERO:
        inverse = ONE / inverse
    w[k + STIFF], w[k + STIFF + 1], w[k + STIFF + 2] = k11, k12, k22
    w[k + SOFT], w[k + SOFT + 1], w[k + SOFT + 2] = inverse * k22, -inverse * k12, inverse * k11


@kernel(nothing(singles, integer, integer), **FAST)
def start(w: Singles, k: int, c: int) -> None:
    """Make a contact a constraint that has no impulse yet."""
    place(w, k, c)
    if w[k + HOW_MANY] == 2:
        pair(w, k)
    for p in (k + FIRST, k + FIRST + SPOT):
        w[p + PRESS] = w[p + DRAG] = ZERO


@kernel(nothing(singles, integer, integer), **FAST)
def warm_start(w: Singles, k: int, c: int) -> None:
    """Make a contact a constraint that begins with the impulses of the last step."""
    start(w, k, c)
    body, nx, ny = int(w[k + BODY_OF]), w[k + N], w[k + N + 1]
    b, mass, inertia = BODIES + body * BODY, INVERSE_MASS[body], INVERSE_INERTIA[body]
    for i in range(int(w[c + COUNT])):
        p, at = k + FIRST + i * SPOT, c + POINTS + i * POINT
        w[p + PRESS], w[p + DRAG] = w[at + PUSH], w[at + RUB]
    for i in range(int(w[k + HOW_MANY])):
        p = k + FIRST + i * SPOT
        x = w[p + PRESS] * nx + w[p + DRAG] * ny
        y = w[p + PRESS] * ny + w[p + DRAG] * -nx
        w[b + SPIN] += inertia * (w[p + ARM] * y - w[p + ARM + 1] * x)
        w[b + VX] += mass * x
        w[b + VY] += mass * y


@kernel(nothing(singles, integer), **FAST)
def keep(w: Singles, k: int) -> None:
    """Keep a constraint's impulses for the next step."""
    c = int(w[k + WHICH])
    for i in range(int(w[k + HOW_MANY])):
        p, at = k + FIRST + i * SPOT, c + POINTS + i * POINT
        w[at + PUSH], w[at + RUB] = w[p + PRESS], w[p + DRAG]


@kernel(tuple_of((single, single))(singles, integer, single, single), **INLINED)
def presses(w: Singles, k: int, b1: float, b2: float) -> tuple[float, float]:
    """Return both impulses that leave no speed inwards and do not pull; as before if none do."""
    p, q = k + FIRST, k + FIRST + SPOT
    x1 = -(w[k + SOFT] * b1 + w[k + SOFT + 1] * b2)
    x2 = -(w[k + SOFT + 1] * b1 + w[k + SOFT + 2] * b2)
    if x1 >= ZERO and x2 >= ZERO:
        return x1, x2
    x1 = -w[p + NORMAL_MASS] * b1
    if x1 >= ZERO and w[k + STIFF + 1] * x1 + b2 >= ZERO:
        return x1, ZERO
    x2 = -w[q + NORMAL_MASS] * b2
    if x2 >= ZERO and w[k + STIFF + 1] * x2 + b1 >= ZERO:
        return ZERO, x2
    if b1 >= ZERO and b2 >= ZERO:
        return ZERO, ZERO
    return w[p + PRESS], w[q + PRESS]


@kernel(tuple_of(SPEED)(singles, integer, integer, integer, *SPEED), **INLINED)
def rub(
    w: Singles, k: int, body: int, at: int, vx: float, vy: float, spin: float
) -> tuple[float, float, float]:
    """Return a body's speed after friction at a point."""
    tx, ty, mass, inertia = w[k + N + 1], -w[k + N], INVERSE_MASS[body], INVERSE_INERTIA[body]
    rx, ry, old = w[at + ARM], w[at + ARM + 1], w[at + DRAG]
    drag = old + w[at + TANGENT_MASS] * -((vx - spin * ry) * tx + (vy + spin * rx) * ty)
    most = w[k + FRICTION] * w[at + PRESS]
    drag = drag if drag < most else most
    drag = -most if drag < -most else drag
    w[at + DRAG] = drag
    drag = drag - old
    x, y = drag * tx, drag * ty
    return vx + mass * x, vy + mass * y, spin + inertia * (rx * y - ry * x)


@kernel(tuple_of(SPEED)(singles, integer, integer, *SPEED), **INLINED)
def solve(
    w: Singles, k: int, body: int, vx: float, vy: float, spin: float
) -> tuple[float, float, float]:
    """Return a body's speed after a round: friction, then what holds it out of the ground."""
    nx, ny, mass, inertia = w[k + N], w[k + N + 1], INVERSE_MASS[body], INVERSE_INERTIA[body]
    p, q, both = k + FIRST, k + FIRST + SPOT, w[k + HOW_MANY] == 2
    vx, vy, spin = rub(w, k, body, p, vx, vy, spin)
    if both:
        vx, vy, spin = rub(w, k, body, q, vx, vy, spin)
    rx, ry, old = w[p + ARM], w[p + ARM + 1], w[p + PRESS]
    in1 = (vx - spin * ry) * nx + (vy + spin * rx) * ny
    if not both:
        press = old - w[p + NORMAL_MASS] * in1
        press = press if press > ZERO else ZERO
        w[p + PRESS] = press
        press = press - old
        x, y = press * nx, press * ny
        return vx + mass * x, vy + mass * y, spin + inertia * (rx * y - ry * x)
    sx, sy, old2 = w[q + ARM], w[q + ARM + 1], w[q + PRESS]
    in2 = (vx - spin * sy) * nx + (vy + spin * sx) * ny
    in1 = in1 - (w[k + STIFF] * old + w[k + STIFF + 1] * old2)
    in2 = in2 - (w[k + STIFF + 1] * old + w[k + STIFF + 2] * old2)
    x1, x2 = presses(w, k, in1, in2)
    w[p + PRESS], w[q + PRESS] = x1, x2
    x1, x2 = x1 - old, x2 - old2
    x, y, x3, y3 = x1 * nx, x1 * ny, x2 * nx, x2 * ny
    turn = (rx * y - ry * x) + (sx * y3 - sy * x3)
    return vx + mass * (x + x3), vy + mass * (y + y3), spin + inertia * turn


@kernel(single(singles, integer, single), **FAST)
def correct(w: Singles, k: int, share: float) -> float:
    """Move a body out of the ground by a share of its depth, and return the deepest gap seen."""
    c, body = int(w[k + WHICH]), int(w[k + BODY_OF])
    b, mass, inertia = BODIES + body * BODY, INVERSE_MASS[body], INVERSE_INERTIA[body]
    deepest = ZERO
    for i in range(int(w[c + COUNT])):
        px, py, s, o = frame_at(body, w[b + X], w[b + Y], w[b + ANGLE])
        x, y, nx, ny, gap = spot(w, c, i, px, py, s, o)
        gap = gap - RADIUS - RADIUS
        deepest = gap if gap < deepest else deepest
        back = share * (gap + LINEAR_SLOP)
        back = back if back < ZERO else ZERO
        back = back if back > -LARGEST_CORRECTION else -LARGEST_CORRECTION
        rx, ry = x - w[b + X], y - w[b + Y]
        across = rx * ny - ry * nx
        push = -back / (mass + inertia * across * across)
        x, y = push * nx, push * ny
        w[b + X] += mass * x
        w[b + Y] += mass * y
        w[b + ANGLE] += inertia * (rx * y - ry * x)
    return deepest
