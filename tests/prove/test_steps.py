"""Single steps of the techniques, where a wrong one would prove too much."""

import numpy as np

from glasstree.policy import Leaf, PolicyTree, Rule, Scaling, Split
from glasstree.prove import decide_claim
from glasstree.prove.loops.cells import Grid, covered
from glasstree.prove.loops.gaps import CELL, HALF, SPEEDS, move
from glasstree.prove.loops.tubes import leave_goal

TEN = Grid(
    *(np.array([0]), np.array([-0.5]), np.array([0.1]), np.array([10])),
    *(np.zeros(1), np.zeros(1)),
)


def cells_of(low: float, high: float) -> list[int] | None:
    ends = np.empty(2, dtype=np.int64)
    inside = covered(np.array([low]), np.array([high]), TEN, ends)
    return ends.tolist() if inside else None


def test_a_box_covers_every_cell_that_it_touches():
    assert cells_of(-0.45, 0.25) == [0, 7]
    assert cells_of(-0.4, -0.3) == [0, 2]
    assert cells_of(-0.52, 0.0) is None and cells_of(0.0, 0.51) is None


def left_of(low: list[float], high: list[float]) -> tuple[int, list[float], list[float]]:
    """What is left of a box whose goal is x >= 0.5 and v >= 0."""
    ends = np.array(low), np.array(high)
    return leave_goal(*ends, np.array([0.5, 0.0])), *np.round([*ends], 9).tolist()


def test_the_goal_takes_only_what_surely_lies_in_it():
    assert left_of([0.5, 0.0], [0.6, 0.01])[0] == 0
    assert left_of([0.4, 0.01], [0.6, 0.02]) == (1, [0.4, 0.01], [0.5, 0.02])
    assert left_of([0.5, -0.01], [0.6, 0.02]) == (1, [0.5, -0.01], [0.6, 0.0])
    assert left_of([0.4, -0.01], [0.6, 0.02]) == (1, [0.4, -0.01], [0.6, 0.02])


def moved(low: float, high: float, cell: int, rear: int) -> int:
    shape = (2 * HALF, SPEEDS, 2)
    lows, highs = np.full(shape, np.inf), np.full(shape, -np.inf)
    return move(low, high, cell, rear, 0, 0.25, lows, highs, np.zeros(shape, dtype=np.int64))


def test_gaps_that_may_close_or_be_lost_are_told():
    closing = HALF - int(4.0 / CELL)  # 4 m/s, a metre in a step
    assert moved(1.0, 2.0, closing, 40) == -1
    assert moved(1.1, 2.0, closing, 40) > 0
    assert moved(100.0, 149.9, HALF + int(1.0 / CELL), 40) == -1


def test_boxes_that_are_too_small_to_halve_are_not_proved():
    rule = Rule([[1]], [1.0], -2.0, raw=True)
    tree = PolicyTree(Split(rule, Leaf(0), Leaf(1)), Scaling([0.0], [4.0]), ("x",), ("a", "b"))
    answer = decide_claim(tree, "x > 2 => b")
    assert answer.verdict == "unknown" and 0.0 < answer.share_left < 1e-9
