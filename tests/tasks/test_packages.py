"""Packages of environments that are known by the beginning of their ids."""

import gymnasium
import pytest

from glasstree.errors import TaskError
from glasstree.tasks import get_task
from glasstree.tasks.own.packages import own_limit, package_actions, register_package


class Bare:
    def __init__(self, **words):
        self.unwrapped = self
        for name, value in words.items():
            setattr(self, name, value)


def test_an_environment_may_tell_when_it_ends():
    assert own_limit(Bare(max_steps=250)) == 250
    assert own_limit(Bare(config={"duration": 40, "policy_frequency": 2})) == 80
    assert own_limit(Bare()) is None
    assert own_limit(Bare(max_steps=0)) is None


def test_a_package_that_is_not_there_is_named(monkeypatch):
    monkeypatch.setitem(__import__("sys").modules, "minigrid", None)
    for name in [name for name in gymnasium.registry if name.startswith("MiniGrid-")]:
        monkeypatch.delitem(gymnasium.registry, name)
    with pytest.raises(TaskError, match="pip install minigrid"):
        register_package("MiniGrid-Empty-8x8-v0")
    with pytest.raises(TaskError, match="pip install minigrid"):
        get_task("MiniGrid-Empty-8x8-v0")


def test_actions_are_called_as_the_package_does():
    told = {0: "LANE_LEFT", 1: "IDLE"}
    assert package_actions(Bare(action_type=Bare(actions=told))) == ("lane left", "idle")
    assert package_actions(Bare()) is None


def test_minigrid_is_run_by_its_id_alone():
    pytest.importorskip("minigrid")
    task = get_task("MiniGrid-DoorKey-5x5-v0")
    assert task.step_limit == 250
    assert task.action_names[:3] == ("left", "right", "forward")
    assert {"direction", "object ahead 1", "state ahead 1", "colour left 3"} <= set(
        task.state_names
    )
    assert task.plant.module is None


def test_highway_cars_have_names():
    pytest.importorskip("highway_env")
    task = get_task("highway-fast-v0")
    assert task.step_limit == 30
    assert task.action_names[0] == "lane left"
    assert task.state_names[5:8] == ("car1.presence", "car1.x", "car1.y")
