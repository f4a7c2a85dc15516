"""The rounds of the velocity solver, cut short where they repeat to the last bit.

What the next round does depends on speeds and on the impulses that have limits. Once all of these
are as they were some rounds ago, the rounds between come again and again; only the joints' pulls,
on which nothing depends, still add up.
"""

from glasstree.compiled import integer, kernel, nothing, single, singles, truth, tuple_of
from glasstree.tasks.lander import joints, solver
from glasstree.tasks.lander.layout import (
    BODIES,
    BODY,
    BODY_OF,
    CONSTRAINT,
    DRAG,
    FAST,
    FIRST,
    INLINED,
    JOINT,
    JOINTS,
    JX,
    JY,
    JZ,
    LAST_ROUNDS,
    LIMITS,
    MOTOR,
    PRESS,
    PULLS,
    SEEN,
    SPIN,
    SPOT,
    VX,
    VY,
    Singles,
)

solve_joint, solve_contact = joints.solve, solver.solve
Speeds = tuple[float, float, float, float, float, float, float, float, float]
SPEEDS = tuple_of((single,) * 9)
LEFT, RIGHT = JOINTS, JOINTS + JOINT


@kernel(SPEEDS(singles), **FAST)
def speeds(w: Singles) -> Speeds:
    """Return the speeds and spins of lander, left and right leg."""
    b, d = BODIES + BODY, BODIES + 2 * BODY
    lander = w[BODIES + VX], w[BODIES + VY], w[BODIES + SPIN]
    return (*lander, w[b + VX], w[b + VY], w[b + SPIN], w[d + VX], w[d + VY], w[d + SPIN])


@kernel(nothing(singles, SPEEDS), **FAST)
def set_speeds(w: Singles, v: Speeds) -> None:
    """Give the bodies speeds and spins."""
    b, d = BODIES + BODY, BODIES + 2 * BODY
    w[BODIES + VX], w[BODIES + VY], w[BODIES + SPIN] = v[0], v[1], v[2]
    w[b + VX], w[b + VY], w[b + SPIN] = v[3], v[4], v[5]
    w[d + VX], w[d + VY], w[d + SPIN] = v[6], v[7], v[8]


@kernel(nothing(singles, integer, SPEEDS), **INLINED)
def remember(w: Singles, count: int, v: Speeds) -> None:
    """Keep what the next round depends on."""
    for i in range(9):
        w[SEEN + i] = v[i]
    at = SEEN + 9
    w[at], w[at + 1] = w[LEFT + JZ], w[LEFT + MOTOR]
    w[at + 2], w[at + 3] = w[RIGHT + JZ], w[RIGHT + MOTOR]
    for i in range(2 * count):
        p, at = LIMITS + (i // 2) * CONSTRAINT + FIRST + i % 2 * SPOT, at + 4
        w[at], w[at + 1] = w[p + PRESS], w[p + DRAG]


@kernel(truth(singles, integer, SPEEDS), **INLINED)
def repeats(w: Singles, count: int, v: Speeds) -> bool:
    """Tell whether all is as it was when it was kept."""
    for i in range(9):
        if w[SEEN + i] != v[i]:
            return False
    at = SEEN + 9
    if w[at] != w[LEFT + JZ] or w[at + 1] != w[LEFT + MOTOR]:
        return False
    if w[at + 2] != w[RIGHT + JZ] or w[at + 3] != w[RIGHT + MOTOR]:
        return False
    for i in range(2 * count):
        p, at = LIMITS + (i // 2) * CONSTRAINT + FIRST + i % 2 * SPOT, at + 4
        if w[at] != w[p + PRESS] or w[at + 1] != w[p + DRAG]:
            return False
    return True


@kernel(nothing(singles, integer, integer, integer), **FAST)
def pull_on(w: Singles, last: int, period: int, times: int) -> None:
    """Add the pulls of the period that ends with a round a number of times."""
    lx, ly, rx, ry = w[LEFT + JX], w[LEFT + JY], w[RIGHT + JX], w[RIGHT + JY]
    for _ in range(times):
        for i in range(last - period + 1, last + 1):
            at = PULLS + i % LAST_ROUNDS * 4
            rx, ry, lx, ly = rx + w[at], ry + w[at + 1], lx + w[at + 2], ly + w[at + 3]
    w[LEFT + JX], w[LEFT + JY], w[RIGHT + JX], w[RIGHT + JY] = lx, ly, rx, ry


@kernel(SPEEDS(singles, integer, truth, integer, SPEEDS), **INLINED)
def one_round(w: Singles, count: int, jointed: bool, at: int, v: Speeds) -> Speeds:
    """Return the speeds after a round, and keep the joints' pulls."""
    ax, ay, aw, lx, ly, lw, rx, ry, rw = v
    if jointed:
        ax, ay, aw, rx, ry, rw, px, py = solve_joint(w, 1, ax, ay, aw, rx, ry, rw)
        w[at], w[at + 1] = px, py
        ax, ay, aw, lx, ly, lw, px, py = solve_joint(w, 0, ax, ay, aw, lx, ly, lw)
        w[at + 2], w[at + 3] = px, py
    for i in range(count):
        k = LIMITS + i * CONSTRAINT
        body = int(w[k + BODY_OF])
        x, y, spin = (ax, ay, aw) if body == 0 else (lx, ly, lw) if body == 1 else (rx, ry, rw)
        x, y, spin = solve_contact(w, k, body, x, y, spin)
        if body == 2:
            rx, ry, rw = x, y, spin
        elif body == 1:
            lx, ly, lw = x, y, spin
        else:
            ax, ay, aw = x, y, spin
    return ax, ay, aw, lx, ly, lw, rx, ry, rw


@kernel(nothing(singles, integer, truth, integer), **FAST)
def solve_velocities(w: Singles, count: int, jointed: bool, rounds: int) -> None:
    """Solve joints, where they take part, and contacts, a number of rounds."""
    left, age, wait, looking, i = rounds, 0, 1, True, 0
    v = speeds(w)
    while left > 0:
        v = one_round(w, count, jointed, PULLS + i % LAST_ROUNDS * 4, v)
        left -= 1
        if looking:
            age += 1
            if i > 0 and repeats(w, count, v):
                if jointed:
                    pull_on(w, i, age, left // age)
                left, looking = left % age, False
            elif age >= wait:
                remember(w, count, v)
                age, wait = 0, min(2 * wait, LAST_ROUNDS)
        i += 1
    set_speeds(w, v)
