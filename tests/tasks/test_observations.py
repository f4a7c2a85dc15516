"""Observations of every kind become vectors with readable names, and back."""

from typing import ClassVar

import gymnasium
import numpy as np
import pytest
from gymnasium import spaces

from glasstree.episodes import play
from glasstree.errors import TaskError
from glasstree.oracles import load_oracle
from glasstree.tasks import Task, get_task
from glasstree.tasks.own.observations import layout_of
from glasstree.tasks.own.readings import NAMES, UNITS, layout_for

NESTED = spaces.Dict(
    agent=spaces.Dict(speed=spaces.Box(0.0, 9.0, ()), gear=spaces.Discrete(6, start=-1)),
    lidar=spaces.Box(0.0, 9.0, (2,)),
    lamps=spaces.MultiBinary(2),
    mission=spaces.Text(10),
    past=spaces.Tuple((spaces.Discrete(2), spaces.Box(0, 1, (1, 2), np.uint8))),
)


@pytest.mark.parametrize(
    ("space", "names"),
    [
        (spaces.Discrete(7), ["state"]),
        (spaces.Discrete(2), ["state"]),
        (spaces.MultiDiscrete([3, 4]), ["x0", "x1"]),
        (spaces.MultiBinary(3), ["x0", "x1", "x2"]),
        (spaces.Box(0, 1, (2, 2)), ["x[0,0]", "x[0,1]", "x[1,0]", "x[1,1]"]),
        (spaces.Tuple((spaces.Discrete(3), spaces.Box(0, 1, (2,)))), ["x0", "x1[0]", "x1[1]"]),
        (
            NESTED,
            [
                *("agent.speed", "agent.gear", "lidar[0]", "lidar[1]", "lamps[0]", "lamps[1]"),
                *("past.0", "past.1[0,0]", "past.1[0,1]"),
            ],
        ),
    ],
)
def test_every_kind_of_space_has_readable_names_and_a_way_back(space, names):
    layout = layout_of(space)
    assert list(layout.names) == names
    space.seed(0)
    seen = [space.sample() for _ in range(20)]
    states = np.array([layout.vector(one) for one in seen])
    assert states.shape == (20, len(names))
    again = layout.batch(states)
    for number, one in enumerate(seen):
        assert_same(one, again, number)


def assert_same(one, batch, number):
    if isinstance(one, dict):
        for key in one.keys() - {"mission"}:
            assert_same(one[key], batch[key], number)
    elif isinstance(one, tuple):
        for part, column in zip(one, batch, strict=True):
            assert_same(part, column, number)
    else:
        np.testing.assert_array_equal(batch[number], one)


def test_variables_of_two_values_are_marked():
    marked = dict(zip(layout_of(NESTED).names, layout_of(NESTED).units, strict=True))
    assert {name for name, unit in marked.items() if unit == "0/1"} == {
        *("lamps[0]", "lamps[1]", "past.0", "past.1[0,0]", "past.1[0,1]")
    }


@pytest.mark.parametrize(
    ("space", "words"),
    [
        (spaces.Sequence(spaces.Discrete(3)), "observed as Sequence"),
        (spaces.Dict(a=spaces.Graph(spaces.Discrete(2), None)), "a is observed as Graph"),
        (spaces.Box(0, 255, (64, 64, 3), np.uint8), "12,288 numbers"),
        (spaces.Dict(mission=spaces.Text(5)), "nothing but texts"),
        (spaces.Tuple([spaces.Box(0, 1, (3000,))] * 2), "6,000 numbers"),
    ],
)
def test_spaces_without_a_fixed_number_of_values_are_refused(space, words):
    with pytest.raises(TaskError, match=words):
        layout_of(space)


class Nested(gymnasium.Env):
    observation_space = NESTED
    action_space = spaces.Discrete(2)

    def __init__(self, wrong=False):
        self.wrong = wrong

    def reset(self, seed=None, options=None):
        self.observation_space.seed(seed)
        return self.observation_space.sample(), {}

    def step(self, action):
        seen = self.observation_space.sample()
        if self.wrong:
            del seen["lidar"]
        return seen, 1.0, False, False, {}


def nothing(states):
    return np.zeros(len(states), dtype=int)


def test_nested_observations_are_played_as_vectors():
    task = Task.of(Nested, step_limit=3)
    _, seen = play(load_oracle(nothing), task, np.arange(2), record=True)
    assert seen.states.shape == (6, 9)
    assert set(np.unique(seen.states[:, 4])) <= {0.0, 1.0}
    assert task.state_names[0] == "agent.speed"
    wrong = Task.of(Nested, step_limit=3, env_kwargs={"wrong": True})
    with pytest.raises(TaskError, match=r"'Nested' returned .* without all of .*lidar"):
        play(load_oracle(nothing), wrong, np.arange(2))


@pytest.mark.parametrize(
    ("name", "names", "actions"),
    [
        ("FrozenLake-v1", ["row", "column"], ("left", "down", "right", "up")),
        ("CliffWalking-v1", ["row", "column"], ("up", "right", "down", "left")),
        ("Taxi-v4", ["row", "column", "passenger at red"], ("south", "north", "east")),
        ("Blackjack-v1", ["player", "dealer", "usable ace"], ("stick", "hit")),
    ],
)
def test_toy_text_is_read_in_its_own_words(name, names, actions):
    if name not in gymnasium.registry:
        name = {"Taxi-v4": "Taxi-v3", "CliffWalking-v1": "CliffWalking-v0"}[name]
    limit = None if gymnasium.spec(name).max_episode_steps else 20
    task = get_task(name, step_limit=limit)
    assert list(task.state_names[: len(names)]) == names
    assert task.action_names[: len(actions)] == actions
    ends, seen = play(load_oracle(nothing), task, np.arange(3), record=True)
    assert seen.states.shape[1] == task.n_variables
    assert len(ends.rewards) == 3


def test_a_taxi_is_where_gymnasium_says():
    name = "Taxi-v4" if "Taxi-v4" in gymnasium.registry else "Taxi-v3"
    environment = gymnasium.make(name)
    from glasstree.tasks.own.readings import taxi

    states = np.array([taxi().vector(number) for number in range(500)])
    for number, state in enumerate(states):
        row, column, passenger, to = environment.unwrapped.decode(number)
        assert state[:2].tolist() == [row, column]
        assert (state[2:7].argmax(), state[7:].argmax()) == (passenger, to)
    assert taxi().batch(states).tolist() == list(range(500))


class Coloured(gymnasium.Env):
    """A lamp that shows a colour; action 1 is right where it is red."""

    observation_space = spaces.Dict(row=spaces.Discrete(5), colour=spaces.Discrete(3))
    action_space = spaces.Discrete(2)
    metadata: ClassVar = {"render_modes": [], "values": {"colour": ["green", "red", "blue"]}}

    def __init__(self, shown=3):
        self.shown = shown

    def reset(self, seed=None, options=None):
        super().reset(seed=seed)
        return self._seen(), {}

    def step(self, action):
        reward = float(action == (self.colour == 1))
        return self._seen(), reward, False, False, {}

    def _seen(self):
        self.colour = int(self.np_random.integers(self.shown))
        return {"row": 2, "colour": self.colour}


def test_values_that_have_names_are_variables_of_their_own():
    task = Task.of(Coloured, step_limit=20)
    assert task.state_names == ("row", "colour is green", "colour is red", "colour is blue")
    assert task.units == ("", "0/1", "0/1", "0/1")
    ends, seen = play(load_oracle(lambda s: int(s[2]), task), task, np.arange(5), record=True)
    assert ends.rewards.tolist() == [20.0] * 5
    assert (seen.states[:, 1:].sum(axis=1) == 1).all() and seen.states[:, 1:].any(axis=0).all()
    layout = layout_for(Coloured())
    again = layout.batch(seen.states)
    assert set(again["row"].tolist()) == {2}
    assert again["colour"].tolist() == seen.states[:, 1:].argmax(axis=1).tolist()


def test_values_without_a_name_and_names_without_a_variable_are_one_sentence(monkeypatch):
    task = Task.of(Coloured, step_limit=20, env_kwargs={"shown": 9})
    with pytest.raises(TaskError, match=r"colour = [3-8], which metadata"):
        play(load_oracle(lambda s: 0, task), task, np.arange(5))
    monkeypatch.setattr(Coloured, "metadata", {"render_modes": [], "values": {"color": ["red"]}})
    with pytest.raises(TaskError, match="'color' are called, but observed are row, colour"):
        Task.of(Coloured, step_limit=20)


@pytest.mark.filterwarnings("ignore")
def test_an_arm_of_mujoco_is_read_in_words():
    pytest.importorskip("mujoco")
    task = get_task("Reacher-v5")
    environment = task.environment()
    seen = dict(zip(task.state_names, environment.reset(seed=3)[0].tolist(), strict=True))
    finger = environment.unwrapped.get_body_com("fingertip")
    for axis, place in zip("xy", finger, strict=False):
        assert seen[f"miss {axis}"] == pytest.approx(place - seen[f"target {axis}"])
    assert seen["cos1"] ** 2 + seen["sin1"] ** 2 == pytest.approx(1.0)
    assert dict(zip(task.state_names, task.units, strict=True))["omega2"] == "rad/s"


def test_names_and_units_of_an_environment_are_as_many():
    assert {name: len(units) for name, units in UNITS.items()} == {
        name: len(NAMES[name]) for name in UNITS
    }
