"""One step of Box2D's world: touch, solve, move, and go back to the first impact."""

from glasstree.compiled import integer, kernel, nothing, single, singles, truth
from glasstree.tasks.lander import joints, solver
from glasstree.tasks.lander.collision.impact import time_of_impact
from glasstree.tasks.lander.contacts import find_new, update, update_all, wake
from glasstree.tasks.lander.layout import (
    ANGLE,
    ANGLE0,
    AWAKE,
    BAUMGARTE,
    BODIES,
    BODY,
    BODY_OF,
    CONSTRAINT,
    CONTACT,
    CONTACTS,
    COS,
    EDGE,
    EDGES,
    ENABLED,
    EPSILON,
    FAST,
    FORCE_X,
    FORCE_Y,
    GRAVITY,
    HUGE,
    IMPACT,
    IMPACT_BAUMGARTE,
    IMPACT_KNOWN,
    IMPACT_POSITION_ROUNDS,
    IMPACTS,
    LIMITS,
    LINEAR_SLOP,
    MOON_TIME,
    MOST_IMPACTS,
    N_CONTACTS,
    OF_BODY,
    ON_EDGE,
    ONE,
    POSITION_ROUNDS,
    PX,
    PY,
    SIN,
    SLEEP_SPEED,
    SLEEP_TURN,
    SPIN,
    STILL,
    TIME,
    TIME_STEP,
    TIME_TO_SLEEP,
    TOUCHING,
    VX,
    VY,
    WHICH,
    X0,
    Y0,
    ZERO,
    Singles,
    X,
    Y,
)
from glasstree.tasks.lander.layout import single as rounded
from glasstree.tasks.lander.motion import advance, frame_at, keep_box, set_frame, travel
from glasstree.tasks.lander.rounds import solve_velocities
from glasstree.tasks.lander.shapes import INVERSE_MASS

prepare_joint, correct_joint = joints.prepare, joints.correct
warm_start, start, keep, correct = solver.warm_start, solver.start, solver.keep, solver.correct
# as in Box2D
DEEP, DEEP_AT_IMPACT = rounded(-3.0) * LINEAR_SLOP, rounded(-1.5) * LINEAR_SLOP
NO_TIME_LEFT = ONE - rounded(10.0) * EPSILON


@kernel(nothing(singles), **FAST)
def fall(w: Singles) -> None:
    """Remember where all bodies are, and speed them up by force and gravity."""
    for b in (BODIES, BODIES + BODY, BODIES + 2 * BODY):
        w[b + X0], w[b + Y0], w[b + ANGLE0] = w[b + X], w[b + Y], w[b + ANGLE]
        if b == BODIES:
            w[b + VX] += TIME_STEP * (INVERSE_MASS[0] * w[FORCE_X])
            w[b + VY] += TIME_STEP * (GRAVITY + INVERSE_MASS[0] * w[FORCE_Y])
        else:
            w[b + VY] += TIME_STEP * GRAVITY
        wake(w, b)
    w[FORCE_X] = w[FORCE_Y] = ZERO


@kernel(integer(singles), **FAST)
def gather(w: Singles) -> int:
    """Make constraints of what touches, in the order of Box2D's island, and count them."""
    count = 0
    if w[N_CONTACTS] == ZERO:
        return count
    for body in (2, 0, 1):
        for i in range(int(w[N_CONTACTS])):
            c = CONTACTS + i * CONTACT
            if w[c + OF_BODY] == body and w[c + TOUCHING] != ZERO and w[c + ENABLED] != ZERO:
                warm_start(w, LIMITS + count * CONSTRAINT, c)
                count += 1
    return count


@kernel(truth(singles, integer), **FAST)
def solve_positions(w: Singles, count: int) -> bool:
    """Correct the places of all bodies, and tell whether they came close enough."""
    for _ in range(POSITION_ROUNDS):
        deepest = ZERO
        for k in range(count):
            deepest = min(deepest, correct(w, LIMITS + k * CONSTRAINT, BAUMGARTE))
        right = correct_joint(w, 1)
        left = correct_joint(w, 0)
        if deepest >= DEEP and right and left:
            return True
    return False


@kernel(nothing(singles, truth), **FAST)
def rest(w: Singles, solved: bool) -> None:
    """Put all bodies to sleep once they have been still for long enough."""
    shortest = HUGE
    for b in (BODIES, BODIES + BODY, BODIES + 2 * BODY):
        vx, vy, spin = w[b + VX], w[b + VY], w[b + SPIN]
        if spin * spin > SLEEP_TURN * SLEEP_TURN or vx * vx + vy * vy > SLEEP_SPEED * SLEEP_SPEED:
            w[b + STILL] = ZERO
        else:
            w[b + STILL] += TIME_STEP
        shortest = min(shortest, w[b + STILL])
    if shortest >= TIME_TO_SLEEP and solved:
        for b in (BODIES, BODIES + BODY, BODIES + 2 * BODY):
            w[b + AWAKE] = w[b + STILL] = w[b + VX] = w[b + VY] = w[b + SPIN] = ZERO


@kernel(nothing(singles, integer), **FAST)
def solve(w: Singles, rounds: int) -> None:
    """Move the bodies through a step, as if nothing new came into their way."""
    fall(w)
    count = gather(w)
    prepare_joint(w, 1)
    prepare_joint(w, 0)
    solve_velocities(w, count, True, rounds)
    for k in range(count):
        keep(w, LIMITS + k * CONSTRAINT)
    for body in range(3):
        travel(w, body, TIME_STEP)
    solved = solve_positions(w, count)
    moved = 0
    for body in range(3):
        b = BODIES + body * BODY
        px, py, s, c = w[b + PX], w[b + PY], w[b + SIN], w[b + COS]
        set_frame(w, body)
        if keep_box(w, body, px, py, s, c):
            moved |= 1 << body
    rest(w, solved)
    find_new(w, moved)


@kernel(single(singles, integer), **FAST)
def impact_of(w: Singles, c: int) -> float:
    """Return when in the step a contact's body touches its edge, 1 if it does not."""
    body = int(w[c + OF_BODY])
    b = BODIES + body * BODY
    since = w[MOON_TIME]
    if since < w[b + TIME]:
        since = w[MOON_TIME] = w[b + TIME]
    elif w[b + TIME] < since:
        advance(w, body, since)
    part = time_of_impact(w, EDGES + int(w[c + ON_EDGE]) * EDGE, body)
    time = min(since + (ONE - since) * part, ONE) if part <= ONE else ONE
    w[c + IMPACT], w[c + IMPACT_KNOWN] = time, ONE
    return time


@kernel(integer(singles), **FAST)
def first_impact(w: Singles) -> int:
    """Return the contact that touches first, -1 if none does in this step."""
    first, earliest = -1, ONE
    for i in range(int(w[N_CONTACTS])):
        c = CONTACTS + i * CONTACT
        if w[c + ENABLED] == ZERO or w[c + IMPACTS] > MOST_IMPACTS:
            continue
        time = w[c + IMPACT]
        if w[c + IMPACT_KNOWN] == ZERO:
            if w[BODIES + int(w[c + OF_BODY]) * BODY + AWAKE] == ZERO:
                continue
            time = impact_of(w, c)
        if time < earliest:
            first, earliest = c, time
    return first if earliest <= NO_TIME_LEFT else -1


@kernel(truth(singles, integer, integer, single), **FAST)
def go_back(w: Singles, c: int, body: int, time: float) -> bool:
    """Move a body back to the time of an impact, unless it does not touch there after all."""
    b = BODIES + body * BODY
    x, y, angle, moon = w[b + X], w[b + Y], w[b + ANGLE], w[MOON_TIME]
    x0, y0, angle0, since = w[b + X0], w[b + Y0], w[b + ANGLE0], w[b + TIME]
    advance(w, body, time)
    w[b + X], w[b + Y], w[b + ANGLE] = w[b + X0], w[b + Y0], w[b + ANGLE0]
    w[MOON_TIME] = time
    set_frame(w, body)
    update(w, c)
    w[c + IMPACT_KNOWN] = ZERO
    w[c + IMPACTS] += ONE
    if w[c + TOUCHING] != ZERO:
        wake(w, b)
        return True
    w[c + ENABLED] = ZERO
    w[b + X], w[b + Y], w[b + ANGLE], w[MOON_TIME] = x, y, angle, moon
    w[b + X0], w[b + Y0], w[b + ANGLE0], w[b + TIME] = x0, y0, angle0, since
    set_frame(w, body)
    return False


@kernel(integer(singles, integer, integer), **FAST)
def gather_impact(w: Singles, first: int, body: int) -> int:
    """Make constraints of an impact and of all else that touches the body, and count them."""
    w[LIMITS + WHICH], w[LIMITS + BODY_OF] = first, body
    count = 1
    for i in range(int(w[N_CONTACTS])):
        c = CONTACTS + i * CONTACT
        if c == first or w[c + OF_BODY] != body:
            continue
        update(w, c)
        if w[c + TOUCHING] != ZERO:
            k = LIMITS + count * CONSTRAINT
            w[k + WHICH], w[k + BODY_OF] = c, body
            count += 1
    return count


@kernel(nothing(singles, integer, integer, single, integer), **FAST)
def solve_impact(w: Singles, count: int, body: int, time: float, rounds: int) -> None:
    """Push a body off the ground, and let it move for what is left of the step."""
    b = BODIES + body * BODY
    for _ in range(IMPACT_POSITION_ROUNDS):
        deepest = ZERO
        for i in range(count):
            deepest = min(deepest, correct(w, LIMITS + i * CONSTRAINT, IMPACT_BAUMGARTE))
        if deepest >= DEEP_AT_IMPACT:
            break
    w[b + X0], w[b + Y0], w[b + ANGLE0] = w[b + X], w[b + Y], w[b + ANGLE]
    for i in range(count):
        k = LIMITS + i * CONSTRAINT
        start(w, k, int(w[k + WHICH]))
    solve_velocities(w, count, False, rounds)
    travel(w, body, (ONE - time) * TIME_STEP)
    set_frame(w, body)


@kernel(nothing(singles, integer), **FAST)
def solve_impacts(w: Singles, rounds: int) -> None:
    """Find the first impact and solve it, until there are none."""
    contacts = int(w[N_CONTACTS])
    if contacts == 0:
        return
    w[MOON_TIME] = ZERO
    for body in range(3):
        w[BODIES + body * BODY + TIME] = ZERO
    for i in range(contacts):
        w[CONTACTS + i * CONTACT + IMPACT_KNOWN] = w[CONTACTS + i * CONTACT + IMPACTS] = ZERO
    c = first_impact(w)
    while c >= 0:
        body, time = int(w[c + OF_BODY]), w[c + IMPACT]
        b = BODIES + body * BODY
        if go_back(w, c, body, time):
            count = gather_impact(w, c, body)
            solve_impact(w, count, body, time, rounds)
            px, py, s, o = frame_at(body, w[b + X0], w[b + Y0], w[b + ANGLE0])
            moved = keep_box(w, body, px, py, s, o)
            for i in range(int(w[N_CONTACTS])):
                if w[CONTACTS + i * CONTACT + OF_BODY] == body:
                    w[CONTACTS + i * CONTACT + IMPACT_KNOWN] = ZERO
            find_new(w, 1 << body if moved else 0)
        c = first_impact(w)


@kernel(nothing(singles, integer), **FAST)
def step_world(w: Singles, rounds: int) -> None:
    """Advance the world by a step, with so many rounds of the velocity solver."""
    update_all(w)
    solve(w, rounds)
    solve_impacts(w, rounds)
