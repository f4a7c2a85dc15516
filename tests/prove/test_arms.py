"""Acrobot: sets of states hold what is simulated, and proved boxes of starts swing up."""

import numpy as np

from glasstree.policy import Leaf, PolicyTree, Rule, Scaling, Split
from glasstree.prove import prove_loop
from glasstree.prove.loops import acrobot
from glasstree.prove.loops.acrobot import Sets, advance, lost, seen, stands, swings_up
from glasstree.prove.loops.playing import simulate
from glasstree.tasks import get_task

TASK = get_task("acrobot")
SCALING = Scaling([-1.0, -1.0, -1.0, -1.0, -12.0, -28.0], [1.0, 1.0, 1.0, 1.0, 12.0, 28.0])


def swinging(root=None) -> PolicyTree:
    """Push against the motion of the first link, or the tree that is given."""
    rule = Rule([[0, 0, 0, 0, 1, 0]], [1.0], 0.0, raw=True)
    tree = root or Split(rule, Leaf(2), Leaf(0))
    return PolicyTree(tree, SCALING, TASK.state_names, TASK.action_names, task="acrobot")


def states_of(angles_and_speeds):
    waves = [f(angles_and_speeds[:, i]) for i in range(2) for f in (np.cos, np.sin)]
    return np.column_stack([angles_and_speeds, *waves])


def test_successors_and_observations_lie_inside():
    generator, count = np.random.default_rng(0), 1000
    simulator, observed = TASK.simulator, np.empty(6)
    middle = generator.uniform([-3.0, -3.0, -6.0, -10.0], [3.0, 3.0, 6.0, 10.0], (count, 4))
    half = 10.0 ** generator.uniform(-9, -1.5, (count, 1)) * generator.random((count, 4))
    sets = Sets.of_boxes(middle - half, middle + half)
    corners = np.where(generator.random((count, 4)) < 0.5, -1.0, 1.0)
    states, fine = states_of(middle + half * corners), np.ones(count, dtype=bool)
    for torque in (-1.0, 1.0, 0.0):
        observations = seen(sets, 0.0)
        sets = advance(sets, torque)
        boxes, fine = sets.boxes, fine & ~lost(sets)
        for row in np.flatnonzero(fine):
            simulator.observe(states[row], simulator.parameters, observed)
            assert (observations.low[row] <= observed).all()
            assert (observed <= observations.high[row]).all()
            _, up = simulator.step(states[row], int(torque + 1), np.zeros(0), simulator.parameters)
            assert up or not stands(sets.take(np.array([row])))[0]
        turns = 2 * np.pi * np.round((sets.middles[:, :2] - states[:, :2]) / (2 * np.pi))
        after = states[:, :4] + np.pad(turns, ((0, 0), (0, 2)))
        for variable in range(4):
            assert (boxes[variable].low <= after[:, variable])[fine].all()
            assert (after[:, variable] <= boxes[variable].high)[fine].all()
    assert fine.sum() > count / 2


def test_sets_are_hardly_wider_than_need_be():
    middle, half = np.array([[0.5, -0.5, 1.0, 1.0]]), 1e-5
    sets = Sets.of_boxes(middle - half, middle + half)
    points = states_of(middle + half * np.random.default_rng(0).choice([-1.0, 1.0], (200, 4)))
    for _ in range(10):
        sets = advance(sets, 1.0)
        for state in points:
            TASK.simulator.step(state, 2, np.zeros(0), TASK.simulator.parameters)
    true = np.ptp(points[:, :4], axis=0) / 2
    assert (sets.widths[0] < 1.05 * true).all() and (sets.widths[0] >= 0.95 * true).all()


def test_starts_near_rest_swing_up_within_the_steps_that_are_proved(monkeypatch):
    monkeypatch.setattr(acrobot, "FEWEST_PARTS", 1)
    tree, size = swinging(), 0.0002
    steps, parts, _ = swings_up(tree, size, 100, np.inf)
    starts = np.random.default_rng(0).uniform(-size, size, (2000, 4)).astype(np.float32)
    taken, ended = simulate(TASK, tree, states_of(starts.astype(np.float64)), 200)
    assert ended.all() and taken.max() <= steps <= taken.max() + 3 and parts >= 1


def test_an_arm_that_hangs_is_refuted_in_gymnasium():
    (answer,) = prove_loop(swinging(Leaf(1)))
    assert answer.verdict == "refuted" and "it does not in Gymnasium" in answer.sentence


def test_what_cannot_be_shown_is_told(monkeypatch):
    monkeypatch.setattr(acrobot, "PATIENCE", -400)
    monkeypatch.setattr(acrobot, "MOST_PARTS", 20)
    (answer,) = prove_loop(swinging(), seconds=30.0)
    assert answer.verdict == "unknown" and "too wide, or too many" in answer.sentence


def test_no_time_is_no_proof():
    assert swings_up(swinging(), 0.0005, 100, 0.0)[0] == -1
