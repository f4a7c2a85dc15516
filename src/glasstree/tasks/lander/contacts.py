"""Contacts: which bodies are near which edges, what touches, and who is told."""

from glasstree.compiled import integer, kernel, nothing, singles, truth
from glasstree.tasks.lander.collision.manifold import collide
from glasstree.tasks.lander.layout import (
    AWAKE,
    BODIES,
    BODY,
    BOX,
    CONTACT,
    CONTACTS,
    COUNT,
    EDGE,
    EDGES,
    ENABLED,
    FAST,
    GAME_OVER,
    IMPACT_KNOWN,
    IMPACTS,
    KEY,
    LEG_CONTACT,
    N_CONTACTS,
    N_EDGES,
    OF_BODY,
    ON_EDGE,
    ONE,
    POINT,
    POINTS,
    PUSH,
    RUB,
    STILL,
    TOP,
    TOUCHING,
    ZERO,
    Singles,
)


@kernel(nothing(singles, integer), **FAST)
def wake(w: Singles, b: int) -> None:
    """Wake a body up."""
    if w[b + AWAKE] == ZERO:
        w[b + AWAKE], w[b + STILL] = ONE, ZERO


@kernel(nothing(singles, integer), **FAST)
def update(w: Singles, c: int) -> None:
    """Find a contact's points anew, keep the impulses of those that stay, and raise the flags."""
    p, q, before = c + POINTS, c + POINTS + POINT, w[c + COUNT]
    key0, push0, rub0 = w[p + KEY], w[p + PUSH], w[p + RUB]
    key1, push1, rub1 = w[q + KEY], w[q + PUSH], w[q + RUB]
    w[c + ENABLED] = ONE
    collide(w, c)
    count = w[c + COUNT]
    for i in range(int(count)):
        at = p + i * POINT
        w[at + PUSH], w[at + RUB] = ZERO, ZERO
        if before > 0 and w[at + KEY] == key0:
            w[at + PUSH], w[at + RUB] = push0, rub0
        elif before > 1 and w[at + KEY] == key1:
            w[at + PUSH], w[at + RUB] = push1, rub1
    was, touching = w[c + TOUCHING] != ZERO, count > ZERO
    if was == touching:
        return
    body = int(w[c + OF_BODY])
    wake(w, BODIES + body * BODY)
    w[c + TOUCHING] = ONE if touching else ZERO
    if touching:
        w[LEG_CONTACT + body] = ONE
    elif body != GAME_OVER:
        w[LEG_CONTACT + body] = ZERO


@kernel(truth(singles, integer, integer), **FAST)
def near(w: Singles, e: int, b: int) -> bool:
    """Tell whether the boxes of an edge and a body overlap."""
    p, q = e + 4, b + BOX
    apart = w[q] > w[p + 2] or w[q + 1] > w[p + 3] or w[p] > w[q + 2] or w[p + 1] > w[q + 3]
    return not apart


@kernel(nothing(singles, integer), **FAST)
def remove(w: Singles, c: int) -> None:
    """Take a contact out of the list."""
    body = int(w[c + OF_BODY])
    if w[c + TOUCHING] != ZERO and body != GAME_OVER:
        w[LEG_CONTACT + body] = ZERO
    if w[c + COUNT] > ZERO:
        wake(w, BODIES + body * BODY)
    w[N_CONTACTS] -= ONE
    for i in range(c, CONTACTS + int(w[N_CONTACTS]) * CONTACT):
        w[i] = w[i + CONTACT]


@kernel(nothing(singles), **FAST)
def update_all(w: Singles) -> None:
    """Update the contacts of bodies that are awake, and drop those whose boxes came apart."""
    c = CONTACTS
    while c < CONTACTS + int(w[N_CONTACTS]) * CONTACT:
        b = BODIES + int(w[c + OF_BODY]) * BODY
        if w[b + AWAKE] != ZERO:
            if not near(w, EDGES + int(w[c + ON_EDGE]) * EDGE, b):
                remove(w, c)
                continue
            update(w, c)
        c += CONTACT


@kernel(truth(singles, integer, integer), **FAST)
def known(w: Singles, edge: int, body: int) -> bool:
    """Tell whether a body has a contact with an edge."""
    for i in range(int(w[N_CONTACTS])):
        c = CONTACTS + i * CONTACT
        if w[c + ON_EDGE] == edge and w[c + OF_BODY] == body:
            return True
    return False


@kernel(nothing(singles, integer, integer), **FAST)
def add(w: Singles, edge: int, body: int) -> None:
    """Put a new contact at the head of the list."""
    for i in range(CONTACTS + int(w[N_CONTACTS]) * CONTACT - 1, CONTACTS - 1, -1):
        w[i + CONTACT] = w[i]
    w[N_CONTACTS] += ONE
    c = CONTACTS
    w[c + ON_EDGE], w[c + OF_BODY], w[c + ENABLED] = edge, body, ONE
    w[c + TOUCHING] = w[c + COUNT] = w[c + IMPACT_KNOWN] = w[c + IMPACTS] = ZERO
    wake(w, BODIES + body * BODY)


@kernel(nothing(singles, integer), **FAST)
def find_new(w: Singles, moved: int) -> None:
    """Make the contacts that bodies may have come into; moved has a bit for each that moved."""
    if moved == 0:
        return
    for edge in range(N_EDGES):
        for body in range(3):
            b = BODIES + body * BODY
            if moved & (1 << body) == 0 or w[b + BOX + 1] > w[TOP]:
                continue
            if near(w, EDGES + edge * EDGE, b) and not known(w, edge, body):
                add(w, edge, body)
