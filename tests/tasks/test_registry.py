"""The one door to tasks: ours, arms of any make, any Gymnasium id, and what it refuses."""

import pickle
import sys

import gymnasium
import numpy as np
import pytest

from glasstree.errors import MissingExtraError, TaskError
from glasstree.tasks import get_task, task_names

OURS = ["cartpole", "carfollowing", "mountaincar", "lunarlander", "psm5", "psm10", "acrobot"]


def test_all_problems_are_known():
    assert task_names() == OURS
    assert [get_task(name).name for name in OURS] == OURS


@pytest.mark.parametrize("name", OURS)
def test_tasks_travel_between_processes(name):
    task = pickle.loads(pickle.dumps(get_task(name)))
    task.environment().close()
    assert task.name == name


def test_gymnasium_id_becomes_a_task():
    task = get_task("CartPole-v1", state_names=["x", "v", "theta", "omega"])
    assert task.step_limit == 500
    assert task.state_names == ("x", "v", "theta", "omega")
    assert task.action_names == ("0", "1")
    assert get_task("CartPole-v1").state_names == ("x0", "x1", "x2", "x3")


class Dictionary(gymnasium.Env):
    observation_space = gymnasium.spaces.Dict({"a": gymnasium.spaces.Box(0, 1, (1,))})
    action_space = gymnasium.spaces.Discrete(2)


class Image(gymnasium.Env):
    observation_space = gymnasium.spaces.Box(0, 255, (8, 8, 3), np.uint8)
    action_space = gymnasium.spaces.Discrete(2)


class Shifted(gymnasium.Env):
    observation_space = gymnasium.spaces.Box(0, 1, (2,))
    action_space = gymnasium.spaces.Discrete(2, start=1)


class Broken(gymnasium.Env):
    def __init__(self):
        raise RuntimeError("no licence")


@pytest.fixture
def registered():
    entries = {"Dictionary": Dictionary, "Image": Image, "Shifted": Shifted, "Broken": Broken}
    for name, entry in entries.items():
        gymnasium.register(f"bad/{name}-v0", entry_point=entry, max_episode_steps=10)
    yield
    for name in entries:
        del gymnasium.registry[f"bad/{name}-v0"]


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("cartpol", "did you mean 'cartpole'"),
        ("Pendulum-v1", "continuous actions"),
        ("FrozenLake-v1", "observed as Discrete"),
        ("Nothing-v0", "--import"),
        ("Blackjack-v1", "no step limit"),
        ("bad/Dictionary-v0", "observed as Dict"),
        ("bad/Image-v0", "image"),
        ("bad/Shifted-v0", "counted from 0"),
        ("bad/Broken-v0", "no licence"),
        ("psm:link=3", "did you mean 'links'"),
        ("psm:links=many", "not a value for links"),
        ("psm:links=3,height=9", "reaches between"),
        ("psm:links=0", "from 1 to 100 links"),
        ("psm:links=3,height=1,motors=7", "joints from 0 to 2"),
        ("psm:links=3,engine=steam", "not a value for engine"),
    ],
)
def test_unsuitable_environments_are_refused_in_one_sentence(registered, name, words):
    with pytest.raises(TaskError, match=words) as caught:
        get_task(name)
    assert "\n" not in str(caught.value)


def test_names_must_fit():
    with pytest.raises(TaskError, match="4 variables"):
        get_task("CartPole-v1", state_names=["a", "b"])


def test_step_limit_can_be_given():
    with pytest.raises(TaskError, match="observed as Tuple"):
        get_task("Blackjack-v1", step_limit=50)


def test_module_is_imported_for_its_environments(tmp_path, monkeypatch):
    source = (
        "import gymnasium\n"
        "from gymnasium.envs.classic_control import CartPoleEnv\n"
        "gymnasium.register('mine/Pole-v0', entry_point=CartPoleEnv, max_episode_steps=7)\n"
    )
    (tmp_path / "my_pole.py").write_text(source)
    monkeypatch.chdir(tmp_path)
    assert get_task("mine/Pole-v0", module="my_pole").step_limit == 7
    del gymnasium.registry["mine/Pole-v0"], sys.modules["my_pole"]
    with pytest.raises(TaskError, match="cannot import 'no_such_module'"):
        get_task("mine/Other-v0", module="no_such_module")


def test_an_arm_names_itself_so_that_it_can_be_found_again():
    task = get_task("psm:links=3,height=1,motors=1+2")
    assert task.n_actions == 9
    assert get_task(task.name).environment == task.environment


def test_missing_engine_names_the_install_command(monkeypatch):
    monkeypatch.setitem(sys.modules, "pybullet", None)
    with pytest.raises(MissingExtraError, match=r"pip install 'glasstree\[bullet\]'"):
        get_task("psm:links=2,height=1,engine=bullet").environment()


def test_missing_box2d_names_the_install_command(monkeypatch):
    monkeypatch.setitem(sys.modules, "Box2D", None)
    for name in [name for name in sys.modules if name.startswith("gymnasium.envs.box2d")]:
        monkeypatch.delitem(sys.modules, name)
    with pytest.raises(MissingExtraError, match=r"pip install 'glasstree\[box2d\]'"):
        get_task("lunarlander").environment()
