"""The rounds of the velocity solver, cut short where they repeat to the last bit.

What the next round does depends on speeds and on the impulses that have limits. Once all of these
are as they were some rounds ago, the rounds between come again and again; only the joints' pulls,
on which nothing depends, still add up.
"""

from glasstree.compiled import integer, kernel, nothing, singles, truth
from glasstree.tasks.lander import joints, solver
from glasstree.tasks.lander.layout import (
    BODIES,
    BODY,
    CONSTRAINT,
    DRAG,
    FAST,
    FIRST,
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
    VELOCITY_ROUNDS,
    VX,
    VY,
    Singles,
)

solve_joint, solve_contact = joints.solve, solver.solve
LEFT, RIGHT = JOINTS, JOINTS + JOINT


@kernel(nothing(singles, integer), **FAST)
def remember(w: Singles, count: int) -> None:
    """Keep what the next round depends on."""
    at = SEEN
    for b in (BODIES, BODIES + BODY, BODIES + 2 * BODY):
        w[at], w[at + 1], w[at + 2] = w[b + VX], w[b + VY], w[b + SPIN]
        at += 3
    for j in (LEFT, RIGHT):
        w[at], w[at + 1] = w[j + JZ], w[j + MOTOR]
        at += 2
    for i in range(2 * count):
        p = LIMITS + (i // 2) * CONSTRAINT + FIRST + i % 2 * SPOT
        w[at], w[at + 1] = w[p + PRESS], w[p + DRAG]
        at += 2


@kernel(truth(singles, integer), **FAST)
def repeats(w: Singles, count: int) -> bool:
    """Tell whether all is as it was when it was kept."""
    at = SEEN
    for b in (BODIES, BODIES + BODY, BODIES + 2 * BODY):
        if w[at] != w[b + VX] or w[at + 1] != w[b + VY] or w[at + 2] != w[b + SPIN]:
            return False
        at += 3
    for j in (LEFT, RIGHT):
        if w[at] != w[j + JZ] or w[at + 1] != w[j + MOTOR]:
            return False
        at += 2
    for i in range(2 * count):
        p = LIMITS + (i // 2) * CONSTRAINT + FIRST + i % 2 * SPOT
        if w[at] != w[p + PRESS] or w[at + 1] != w[p + DRAG]:
            return False
        at += 2
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


@kernel(nothing(singles, integer, truth), **FAST)
def solve_velocities(w: Singles, count: int, jointed: bool) -> None:
    """Solve joints, where they take part, and contacts, as often as the environment asks."""
    left, age, wait, looking = VELOCITY_ROUNDS, 0, 1, True
    i = 0
    while left > 0:
        if jointed:
            at = PULLS + i % LAST_ROUNDS * 4
            w[at], w[at + 1] = solve_joint(w, 1)
            w[at + 2], w[at + 3] = solve_joint(w, 0)
        for k in range(count):
            solve_contact(w, LIMITS + k * CONSTRAINT)
        left -= 1
        if looking:
            age += 1
            if i > 0 and repeats(w, count):
                if jointed:
                    pull_on(w, i, age, left // age)
                left, looking = left % age, False
            elif age >= wait:
                remember(w, count)
                age, wait = 0, min(2 * wait, LAST_ROUNDS)
        i += 1
