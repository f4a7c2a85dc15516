"""Claims about loops: what is proved is what happens, and what fails is never proved."""

from dataclasses import replace

import gymnasium
import numpy as np
import pytest

from glasstree.errors import TaskError
from glasstree.policy import Leaf, PolicyTree, Rule, Scaling, Split, load
from glasstree.prove import prove, prove_loop
from glasstree.prove.loops import cartpole
from glasstree.prove.loops.cells import CLOSED, reach
from glasstree.prove.loops.drift import drift
from glasstree.prove.loops.gaps import gaps_of
from glasstree.prove.loops.playing import simulate
from glasstree.tasks import get_task
from proof_policies import balancing, following, line, rocking
from toys import constant_tree

EPISODES = 5000


def scaled_balancing():
    """theta' + omega' > 3, over values scaled to [1, 2]."""
    rule = Rule([[0, 0, 1, 0], [0, 0, 0, 1]], [1.0, 0.5], -2.25)
    tree = balancing()
    return PolicyTree(
        Split(rule, Leaf(0), Leaf(1)),
        Scaling([-2.4, -2.0, -0.1, -1.0], [2.4, 2.0, 0.1, 1.0]),
        tree.state_names,
        tree.action_names,
        task="cartpole",
    )


@pytest.fixture(scope="module")
def mountaincar_answer():
    (answer,) = prove_loop(rocking(), seconds=60.0)
    return answer


def test_mountaincar_reaches_its_goal_from_every_start(mountaincar_answer):
    answer = mountaincar_answer
    assert answer.verdict == "proved"
    most = max(answer.evidence["steps"])
    assert answer.claim == f"the goal is reached within {most} steps, from every start"
    starts = np.zeros((EPISODES, 2))
    starts[:, 0] = np.random.default_rng(0).uniform(-0.6, -0.4, EPISODES)
    steps, ended = simulate(get_task("mountaincar"), rocking(), starts, 200)
    parts = np.searchsorted(answer.evidence["edges"], starts[:, 0], side="right") - 1
    assert ended.all() and (steps <= np.array(answer.evidence["steps"])[parts]).all()
    assert steps.max() >= most - 5


def test_a_mountaincar_policy_that_fails_is_refuted_in_gymnasium():
    (answer,) = prove_loop(load("examples/policies/paper_mountaincar.json"), seconds=20.0)
    assert answer.verdict == "refuted"
    environment = gymnasium.make("MountainCar-v0")
    environment.reset(seed=0)
    tree = load("examples/policies/paper_mountaincar.json")
    environment.unwrapped.state = np.array(list(answer.state.values()))
    seen = environment.unwrapped.state.astype(np.float32)
    for _ in range(200):
        seen, _, ended, _, _ = environment.step(int(tree.actions(seen[np.newaxis])[0]))
        assert not ended


@pytest.mark.parametrize("tree", [balancing(0.04), balancing(0.3), scaled_balancing()])
def test_the_pole_never_falls_and_states_stay_in_the_cells(tree):
    answers = prove_loop(tree, seconds=20.0)
    assert answers[0].verdict == "proved" and "for ever" in answers[0].claim
    assert answers[1].claim.startswith("the cart stays on the track for 200 steps")
    twin, task = get_task("cartpole").enclosure, get_task("cartpole")
    evidence = answers[0].evidence
    inside = np.repeat(np.arange(len(evidence["runs"])) % 2 == 1, evidence["runs"])
    inside = inside.reshape(evidence["counts"])
    states = np.random.default_rng(0).uniform(twin.low, twin.high, (300, 4))
    seen = np.empty(4)
    for state in states:
        for _ in range(200):
            place = np.floor((state[2:] - evidence["low"]) / evidence["size"]).astype(int)
            assert inside[tuple(place)]
            task.simulator.observe(state, np.zeros(0), seen)
            action = int(tree.actions(seen[np.newaxis])[0])
            task.simulator.step(state, action, np.zeros(0), np.zeros(0))


def test_the_cart_is_never_farther_than_the_bound():
    task, tree = get_task("cartpole"), balancing(0.04)
    reached = reach(task.enclosure, tree, cartpole.grid_of((0.06, 1.3), (200, 300)))
    assert reached.escape == CLOSED
    far = drift(task.enclosure, tree, reached, 300)
    generator = np.random.default_rng(0)
    states = generator.uniform(-0.05, 0.05, (200, 4))
    states[:100] = np.sign(states[:100]) * 0.05
    farthest, seen = 0.0, np.empty(4)
    for state in states:
        for step in range(301):
            assert abs(state[0]) <= far[step]
            farthest = max(farthest, abs(state[0]) / far[step])
            task.simulator.observe(state, np.zeros(0), seen)
            action = int(tree.actions(seen[np.newaxis])[0])
            task.simulator.step(state, action, np.zeros(0), np.zeros(0))
    assert farthest > 0.4


def test_a_falling_pole_is_refuted_with_a_start_that_falls_in_gymnasium():
    tree = balancing(-0.1)
    (answer,) = prove_loop(tree, seconds=5.0)
    assert answer.verdict == "refuted" and "falls in Gymnasium" in answer.sentence
    environment = gymnasium.make("CartPole-v1").unwrapped
    environment.reset(seed=0)
    environment.state = tuple(answer.state.values())
    seen = np.array(environment.state, dtype=np.float32)
    for _ in range(200):
        seen, _, ended, _, _ = environment.step(int(tree.actions(seen[np.newaxis])[0]))
        if ended:
            return
    pytest.fail("the pole did not fall")


def test_a_hostile_car_ahead_refutes_and_a_mild_one_is_proved():
    answers = prove_loop(following())
    assert [answer.verdict for answer in answers] == ["refuted", "proved", "proved"]
    assert "they crash at step" in answers[0].sentence
    assert answers[2].claim.endswith("by at most 0.75 m/s2")


def test_gaps_of_simulated_cars_are_those_that_are_proved():
    tree, task = following(), get_task("carfollowing")
    gaps = gaps_of(tree, 0.5, 10_000)
    assert gaps.ended == 0
    generator = np.random.default_rng(0)
    seen = np.empty(3)
    for _ in range(40):
        state = task.simulator.start(generator)
        push = generator.choice([-0.5, 0.5])
        for _ in range(800):
            cell = int(np.floor((state[2] - state[3]) * 16)) + 512
            place = (cell, int(state[3] * 4), int(state[4] > 0))
            gap = state[0] - state[1]
            held = [gaps.low[place] - 1e-3 <= gap <= gaps.high[place] + 1e-3]
            held += [gaps.low[cell - 1, *place[1:]] <= gap <= gaps.high[cell - 1, *place[1:]]]
            assert any(held)
            task.simulator.observe(state, np.zeros(0), seen)
            action = int(tree.actions(seen[np.newaxis])[0])
            if generator.random() < 0.05:
                push = generator.choice([-0.5, 0.5, generator.uniform(-0.5, 0.5)])
            task.simulator.step(state, action, np.array([push]), np.zeros(0))


BROKEN = [
    balancing(-0.04),
    line("cartpole", [0.0, 0.0, -1.0, -0.1], 0.0, 0, 1),
    line("cartpole", [0.0, 0.0, 1.0, 0.0], 0.0, 0, 1),
    rocking(bias=0.06),
    line("mountaincar", [0.0082, 1.0], 0.0039, 2, 0),
    following(0.0, 30.0),
    following(-8.0, 36.0),
]


@pytest.mark.parametrize("tree", BROKEN)
def test_what_fails_in_simulation_is_never_proved(tree):
    first, *_ = prove_loop(tree, seconds=3.0)
    assert first.verdict == "refuted"


def test_wrong_dynamics_are_not_proved():
    task = get_task("cartpole")
    for parameters in ([9.8, -10.0, 0.02], [9.8, 10.0, 0.2], [400.0, 10.0, 0.02]):
        wrong = replace(task.enclosure, parameters=np.array(parameters))
        grid = cartpole.grid_of((0.2, 3.0), (200, 300))
        assert not reach(wrong, balancing(), grid).closed


@pytest.mark.parametrize(
    ("tree", "task", "words"),
    [
        (balancing(), "lunarlander", "are not known as intervals; loops are proved for"),
        (balancing(), "mountaincar", "the policy has 4 variables and 2 actions"),
        (constant_tree(), None, "does not name its task; say which with --task"),
        (balancing(), "cartpol", "did you mean 'cartpole'?"),
    ],
)
def test_a_loop_that_cannot_be_proved_gets_one_sentence(tree, task, words):
    with pytest.raises(TaskError) as error:
        prove_loop(tree, task)
    assert words in str(error.value)


def test_a_policy_without_a_task_still_has_facts():
    assert prove(constant_tree()).answers == ()
