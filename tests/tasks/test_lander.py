"""The compiled lander against Box2D, to the last bit."""

import platform

import numpy as np
import pytest

from glasstree.data.levels import levelled
from glasstree.episodes.play import play
from glasstree.oracles import load_oracle
from glasstree.tasks import get_task
from glasstree.tasks.lander import layout, rounds, shapes, world

pytest.importorskip("Box2D")
# other processors fuse multiplication and addition, each compiler in its own way
ROUNDS_ALIKE = platform.machine() in ("x86_64", "AMD64")
TASK = get_task("lunarlander")
LANDINGS = 12


@pytest.fixture(scope="module")
def environment():
    made = TASK.environment()
    yield made
    made.close()


def test_bodies_are_box2ds(environment):
    environment.reset(seed=0)
    bodies = [environment.unwrapped.lander, *environment.unwrapped.legs]
    for number, body in enumerate(bodies):
        mass, centre, inertia = shapes.MASSES[number]
        shape = body.fixtures[0].shape
        count = len(shape.vertices)
        np.testing.assert_array_equal(shape.vertices, shapes.VERTICES[number, :count])
        np.testing.assert_array_equal(shape.normals, shapes.NORMALS[number, :count])
        np.testing.assert_array_equal(shape.centroid, shapes.CENTROIDS[number])
        np.testing.assert_array_equal(body.localCenter, centre)
        assert body.mass == mass
        assert body.inertia == pytest.approx(inertia + mass * (centre @ centre), rel=1e-6)


@pytest.mark.skipif(not ROUNDS_ALIKE, reason="Box2D rounds otherwise on this processor")
def test_landings_are_gymnasiums(environment):
    oracle, simulator, seen = load_oracle("lunarlander"), TASK.simulator, np.empty(8)
    at_rest = 0
    for seed in range(LANDINGS):
        starts, noise = simulator.draw(np.array([seed]), TASK.step_limit)
        state, done, time = starts[0], False, 0
        expected, _ = environment.reset(seed=seed)
        while not done:
            action = int(oracle.actions(expected[np.newaxis].astype(np.float64))[0])
            given = simulator.step(state, action, noise[0, time], simulator.parameters)
            simulator.observe(state, simulator.parameters, seen)
            expected, reward, done, cut, _ = environment.step(action)
            np.testing.assert_array_equal(seen, expected)
            assert given == (reward, done)
            done, time = done or cut, time + 1
        at_rest += reward == 100
        assert np.isfinite(state).all()
    assert at_rest > LANDINGS // 2


def plain_rounds(w: np.ndarray) -> None:
    """Solve the joints without looking for repetitions."""
    for _ in range(180):
        pulls = np.zeros(len(w) + 4, dtype=np.float32)
        pulls[: len(w)] = w
        rounds.set_speeds(pulls, rounds.one_round(pulls, 0, True, len(w), rounds.speeds(pulls)))
        w[:] = pulls[: len(w)]


def test_rounds_that_repeat_are_left_out_without_a_trace():
    simulator = TASK.simulator
    starts, noise = simulator.draw(np.array([3]), 200)
    state, repeated = starts[0], 0
    for time in range(70):
        w = state[layout.WORLD :].view(np.float32).copy()
        world.fall(w)
        world.prepare_joint(w, 1)
        world.prepare_joint(w, 0)
        plain = w.copy()
        plain_rounds(plain)
        rounds.solve_velocities(w, 0, True, 180)
        before = rounds.speeds(w)
        again = rounds.one_round(w.copy(), 0, True, layout.PULLS, before)
        repeated += again == before
        np.testing.assert_array_equal(w[: layout.EDGES], plain[: layout.EDGES])
        simulator.step(state, time % 4, noise[0, time], simulator.parameters)
    assert repeated > 10


@pytest.mark.skipif(not ROUNDS_ALIKE, reason="other processors round otherwise")
def test_throttles_equal_gymnasium_to_the_last_bit():
    generator = np.random.default_rng(0)
    levels = np.vstack([[[0.0, 0.0], [1.0, -0.5], [0.3, 0.501]], generator.uniform(-1, 1, (5, 2))])
    task = levelled(get_task("LunarLanderContinuous-v3"), levels)

    class AnyLevel:
        def actions(self, states):
            return np.abs(1e4 * states).sum(axis=1).astype(np.int64) % len(levels)

    ours, seen = play(AnyLevel(), task, np.arange(8), record=True)
    theirs, expected = play(AnyLevel(), task, np.arange(8), record=True, compiled=False)
    assert np.array_equal(ours.rewards, theirs.rewards)
    assert np.array_equal(seen.states, expected.states)
