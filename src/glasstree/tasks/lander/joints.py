"""The two joints between lander and legs: a point held together, a motor, an angle with limits."""

import math

import numpy as np

from glasstree.compiled import integer, kernel, nothing, single, singles, truth, tuple_of
from glasstree.tasks.lander.layout import (
    ANGLE,
    ANGULAR_SLOP,
    ARMS,
    AT_LOWER,
    AT_UPPER,
    BODIES,
    BODY,
    COS,
    FAST,
    FREE,
    INLINED,
    INVERSE,
    JOINT,
    JOINTS,
    JX,
    JY,
    JZ,
    LARGEST_TURN_CORRECTION,
    LIMIT,
    LINEAR_SLOP,
    MATRIX,
    MOTOR,
    ONE,
    SIN,
    SPIN,
    TIME_STEP,
    VX,
    VY,
    ZERO,
    Singles,
    X,
    Y,
)
from glasstree.tasks.lander.layout import single as rounded
from glasstree.tasks.lander.shapes import (
    CENTRES,
    INVERSE_INERTIA,
    INVERSE_MASS,
    LEG_AWAY,
    LEG_DOWN,
    SCALE,
)

TORQUE = TIME_STEP * rounded(40.0)  # as an impulse
SIDES = (-1, 1)  # of the left and the right leg
# angles, speeds and places of the legs as in Gymnasium
LOWER = np.array([0.9 - 0.5, -0.9], dtype=np.float32)
UPPER = np.array([0.9, -0.9 + 0.5], dtype=np.float32)
MOTOR_SPEED = np.array([0.3 * side for side in SIDES], dtype=np.float32)
ANCHOR = np.array([[i * LEG_AWAY / SCALE, LEG_DOWN / SCALE] for i in SIDES], dtype=np.float32)
REST = np.array([0.05 * side for side in SIDES], dtype=np.float32)  # the angle called 0
HIP_X, HIP_Y = rounded(0.0) - CENTRES[0, 0], rounded(0.0) - CENTRES[0, 1]
FOOT = ANCHOR - CENTRES[1:]
MASS_A, INERTIA_A = INVERSE_MASS[0], INVERSE_INERTIA[0]
MASS_B, INERTIA_B = INVERSE_MASS[1], INVERSE_INERTIA[1]
MASS = MASS_A + MASS_B
STIFFNESS = ONE / (INERTIA_A + INERTIA_B)
SPEEDS = (single,) * 6


@kernel(nothing(singles, integer, integer), **FAST)
def _invert(w: Singles, m: int, inverse: int) -> None:
    """Fill in the cross product of two columns, and both determinants' reciprocals."""
    xx, xy, xz, yy, yz, zz = w[m], w[m + 1], w[m + 2], w[m + 3], w[m + 4], w[m + 5]
    cx, cy, cz = yy * zz - yz * yz, yz * xz - xy * zz, xy * yz - yy * xz
    large = xx * cx + xy * cy + xz * cz
    small = xx * yy - xy * xy
    w[inverse], w[inverse + 1], w[inverse + 2] = cx, cy, cz
    w[inverse + 3] = ONE / large if large != ZERO else large
    w[inverse + 4] = ONE / small if small != ZERO else small


@kernel(nothing(singles, integer), **FAST)
def prepare(w: Singles, leg: int) -> None:
    """Work out what stays the same in a step, and start from the impulses of the last one."""
    a, b, j = BODIES, BODIES + (leg + 1) * BODY, JOINTS + leg * JOINT
    ax = w[a + COS] * HIP_X - w[a + SIN] * HIP_Y
    ay = w[a + SIN] * HIP_X + w[a + COS] * HIP_Y
    bx = w[b + COS] * FOOT[leg, 0] - w[b + SIN] * FOOT[leg, 1]
    by = w[b + SIN] * FOOT[leg, 0] + w[b + COS] * FOOT[leg, 1]
    w[j + ARMS], w[j + ARMS + 1], w[j + ARMS + 2], w[j + ARMS + 3] = ax, ay, bx, by
    m = j + MATRIX  # xx, xy, xz, yy, yz, zz
    w[m] = MASS + ay * ay * INERTIA_A + by * by * INERTIA_B
    w[m + 1] = -ay * ax * INERTIA_A - by * bx * INERTIA_B
    w[m + 2] = -ay * INERTIA_A - by * INERTIA_B
    w[m + 3] = MASS + ax * ax * INERTIA_A + bx * bx * INERTIA_B
    w[m + 4] = ax * INERTIA_A + bx * INERTIA_B
    w[m + 5] = INERTIA_A + INERTIA_B
    _invert(w, m, j + INVERSE)
    angle = w[b + ANGLE] - w[a + ANGLE] - REST[leg]
    before, now = w[j + LIMIT], FREE
    if angle <= LOWER[leg]:
        now = AT_LOWER
    elif angle >= UPPER[leg]:
        now = AT_UPPER
    if now == FREE or before != now:
        w[j + JZ] = ZERO
    w[j + LIMIT] = now
    px, py, turn = w[j + JX], w[j + JY], w[j + MOTOR]
    w[a + VX] -= MASS_A * px
    w[a + VY] -= MASS_A * py
    w[a + SPIN] -= INERTIA_A * (ax * py - ay * px + turn + w[j + JZ])
    w[b + VX] += MASS_B * px
    w[b + VY] += MASS_B * py
    w[b + SPIN] += INERTIA_B * (bx * py - by * px + turn + w[j + JZ])


@kernel(tuple_of((single,) * 3)(singles, integer, single, single, single), **INLINED)
def _impulse(w: Singles, j: int, dx: float, dy: float, dw: float) -> tuple[float, float, float]:
    """Return the impulse against speeds apart, and add it to the joint's."""
    m, inverse = j + MATRIX, j + INVERSE
    xx, xy, xz, yy, yz = w[m], w[m + 1], w[m + 2], w[m + 3], w[m + 4]
    small, state = w[inverse + 4], w[j + LIMIT]
    if state == FREE:
        px, py, pz = small * (yy * -dx - xy * -dy), small * (xx * -dy - xy * -dx), ZERO
        w[j + JX] += px
        w[j + JY] += py
        return px, py, pz
    zz, large = w[m + 5], w[inverse + 3]
    cx, cy, cz = w[inverse], w[inverse + 1], w[inverse + 2]
    px = -(large * (dx * cx + dy * cy + dw * cz))
    py = -(large * (xx * (dy * zz - dw * yz) + xy * (dw * xz - dx * zz) + xz * (dx * yz - dy * xz)))
    pz = -(large * (xx * (yy * dw - yz * dy) + xy * (yz * dx - xy * dw) + xz * (xy * dy - yy * dx)))
    whole = w[j + JZ] + pz
    if (state == AT_LOWER and whole < ZERO) or (state == AT_UPPER and whole > ZERO):
        rx, ry = -dx + w[j + JZ] * xz, -dy + w[j + JZ] * yz
        px, py, pz = small * (yy * rx - xy * ry), small * (xx * ry - xy * rx), -w[j + JZ]
        w[j + JX] += px
        w[j + JY] += py
        w[j + JZ] = ZERO
        return px, py, pz
    w[j + JX] += px
    w[j + JY] += py
    w[j + JZ] = whole
    return px, py, pz


@kernel(tuple_of((single,) * 8)(singles, integer, *SPEEDS), **INLINED)
def solve(
    w: Singles, leg: int, vax: float, vay: float, wa: float, vbx: float, vby: float, wb: float
) -> tuple[float, float, float, float, float, float, float, float]:
    """Return the speeds of lander and leg after a round, and the pull at their common point."""
    j = JOINTS + leg * JOINT
    ax, ay, bx, by = w[j + ARMS], w[j + ARMS + 1], w[j + ARMS + 2], w[j + ARMS + 3]
    old = w[j + MOTOR]
    turn = old - STIFFNESS * (wb - wa - MOTOR_SPEED[leg])
    turn = turn if turn < TORQUE else TORQUE
    turn = -TORQUE if turn < -TORQUE else turn
    w[j + MOTOR] = turn
    turn = turn - old
    wa, wb = wa - INERTIA_A * turn, wb + INERTIA_B * turn
    dx = vbx - wb * by - vax + wa * ay
    dy = vby + wb * bx - vay - wa * ax
    px, py, pz = _impulse(w, j, dx, dy, wb - wa)
    return (
        vax - MASS_A * px,
        vay - MASS_A * py,
        wa - INERTIA_A * (ax * py - ay * px + pz),
        vbx + MASS_B * px,
        vby + MASS_B * py,
        wb + INERTIA_B * (bx * py - by * px + pz),
        px,
        py,
    )


@kernel(tuple_of((single, single))(single, integer, truth), **FAST)
def _turn_back(angle: float, leg: int, lower: bool) -> tuple[float, float]:
    """Return the turn that brings an angle back within its limit, and how far it is off."""
    if lower:
        excess = angle - LOWER[leg]
        back = excess + ANGULAR_SLOP
        back = back if back < ZERO else ZERO
        back = back if back > -LARGEST_TURN_CORRECTION else -LARGEST_TURN_CORRECTION
        return -STIFFNESS * back, -excess
    excess = angle - UPPER[leg]
    back = excess - ANGULAR_SLOP
    back = back if back < LARGEST_TURN_CORRECTION else LARGEST_TURN_CORRECTION
    back = back if back > ZERO else ZERO
    return -STIFFNESS * back, excess


@kernel(truth(singles, integer), **FAST)
def correct(w: Singles, leg: int) -> bool:
    """Move the bodies together, and tell whether they were close."""
    a, b, j = BODIES, BODIES + (leg + 1) * BODY, JOINTS + leg * JOINT
    angle_a, angle_b, off = w[a + ANGLE], w[b + ANGLE], ZERO
    if w[j + LIMIT] != FREE:
        turn, off = _turn_back(angle_b - angle_a - REST[leg], leg, w[j + LIMIT] == AT_LOWER)
        angle_a -= INERTIA_A * turn
        angle_b += INERTIA_B * turn
    sa, ca, sb, cb = math.sin(angle_a), math.cos(angle_a), math.sin(angle_b), math.cos(angle_b)
    ax, ay = ca * HIP_X - sa * HIP_Y, sa * HIP_X + ca * HIP_Y
    bx = cb * FOOT[leg, 0] - sb * FOOT[leg, 1]
    by = sb * FOOT[leg, 0] + cb * FOOT[leg, 1]
    cx = w[b + X] + bx - w[a + X] - ax
    cy = w[b + Y] + by - w[a + Y] - ay
    xx = MASS + INERTIA_A * ay * ay + INERTIA_B * by * by
    xy = -INERTIA_A * ax * ay - INERTIA_B * bx * by
    yy = MASS + INERTIA_A * ax * ax + INERTIA_B * bx * bx
    inverse = xx * yy - xy * xy
    if inverse != ZERO:
        inverse = ONE / inverse
    px, py = -(inverse * (yy * cx - xy * cy)), -(inverse * (xx * cy - xy * cx))
    w[a + X] -= MASS_A * px
    w[a + Y] -= MASS_A * py
    w[a + ANGLE] = angle_a - INERTIA_A * (ax * py - ay * px)
    w[b + X] += MASS_B * px
    w[b + Y] += MASS_B * py
    w[b + ANGLE] = angle_b + INERTIA_B * (bx * py - by * px)
    return bool(math.sqrt(cx * cx + cy * cy) <= LINEAR_SLOP and off <= ANGULAR_SLOP)
