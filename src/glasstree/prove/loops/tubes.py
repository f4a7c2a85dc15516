"""Tubes: boxes of starts, followed step by step until all that is in them has reached the goal.

A box in which the policy may take several actions goes every way. Boxes that reach the goal late,
or not at all, are halved at their start.
"""

from typing import Any

import numpy as np

from glasstree.compiled import function, integer, integers, kernel, reals, tuple_of
from glasstree.policy.arrays import Floats, Ints
from glasstree.prove.boxes import actions_in
from glasstree.tasks.twins import ENCLOSE, OBSERVE_BOX, PIECES

FAILED = -1
MARGIN = 2.0**-44  # boxes are that much wider than need be, so that others can check them


@kernel(integer(reals, reals, reals))
def leave_goal(low: Floats, high: Floats, goal: Floats) -> int:
    """Return 0 if a box lies in the goal; else widen it by the margin, without what surely does."""
    inside, outside = 0, -1
    for variable in range(len(goal)):
        if low[variable] >= goal[variable]:
            inside += 1
        else:
            outside = variable
    if inside == len(goal):
        return 0
    if inside == len(goal) - 1:
        high[outside] = min(high[outside], goal[outside])
    for variable in range(len(low)):
        if low[variable] < high[variable]:
            low[variable] -= MARGIN * (abs(low[variable]) + 1.0)
            high[variable] += MARGIN * (abs(high[variable]) + 1.0)
    return 1


@kernel(
    tuple_of((integer, integer, reals, reals))(
        *(function(ENCLOSE), function(OBSERVE_BOX), reals, integers, reals),
        *(reals, reals, reals, integer, integer, integer),
    )
)
def follow(
    enclose: Any,
    observe: Any,
    parameters: Floats,
    program: Ints,
    numbers: Floats,
    low: Floats,
    high: Floats,
    goal: Floats,
    n_variables: int,
    step_limit: int,
    most_boxes: int,
) -> tuple[int, int, Floats, Floats]:
    """Follow a box until every part has all of its first variables at goal or beyond.

    Returns the steps taken, or FAILED; the largest number of boxes; and a box where it failed.
    """
    size = len(low)
    lows, highs = np.empty((most_boxes, size)), np.empty((most_boxes, size))
    next_lows, next_highs = np.empty((most_boxes, size)), np.empty((most_boxes, size))
    seen_low, seen_high = np.empty(n_variables), np.empty(n_variables)
    lows[0], highs[0] = low, high
    count, most = 1, 1
    for step in range(1, step_limit + 1):
        following = 0
        for box in range(count):
            observe(lows[box], highs[box], seen_low, seen_high)
            actions = actions_in(program, numbers, seen_low, seen_high)
            action = 0
            while actions >> action:
                if (actions >> action) & 1:
                    if following + PIECES > most_boxes:
                        return FAILED, most, lows[box].copy(), highs[box].copy()
                    after_low, after_high = next_lows[following:], next_highs[following:]
                    pieces = enclose(
                        lows[box], highs[box], action, parameters, after_low, after_high
                    )
                    kept = 0
                    for piece in range(pieces):
                        after_low[kept], after_high[kept] = after_low[piece], after_high[piece]
                        kept += leave_goal(after_low[kept], after_high[kept], goal)
                    following += kept
                action += 1
        if following == 0:
            return step, most, low.copy(), high.copy()
        lows, next_lows = next_lows, lows
        highs, next_highs = next_highs, highs
        count, most = following, max(most, following)
    return FAILED, most, lows[0].copy(), highs[0].copy()
