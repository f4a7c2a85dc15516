"""The one door to tasks: ours, arms of any make, any Gymnasium id, and what it refuses."""

import pickle
import sys

import gymnasium
import numpy as np
import pytest

from glasstree.episodes import evaluate, play
from glasstree.errors import MissingExtraError, TaskError
from glasstree.oracles import load_oracle
from glasstree.tasks import Outcomes, Task, get_task, task_names

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
    other = {"sutton_barto_reward": True}
    task = get_task("CartPole-v1", state_names=["x", "v", "theta", "omega"], env_kwargs=other)
    assert task.step_limit == 500
    assert task.simulator is None
    assert task.state_names == ("x", "v", "theta", "omega")
    assert task.action_names == ("0", "1")
    assert get_task("CartPole-v1", env_kwargs=other).state_names == ("x0", "x1", "x2", "x3")


@pytest.mark.parametrize(
    ("name", "ours"),
    [("MountainCar-v0", "mountaincar"), ("Acrobot-v1", "acrobot"), ("CartPole-v0", "cartpole")],
)
def test_known_ids_are_the_shipped_tasks(name, ours):
    assert get_task(name) is get_task(ours)


def test_a_known_id_keeps_its_own_step_limit():
    task = get_task("CartPole-v1")
    assert (task.name, task.step_limit, task.for_training.step_limit) == ("CartPole-v1", 500, 1000)
    assert task.action_names == ("left", "right")
    seeds = np.arange(20)
    policy = load_oracle(lambda states: (states[:, 2] + states[:, 3] > 0).astype(int))
    compiled, plain = (play(policy, task, seeds, compiled=choice)[0] for choice in (True, False))
    assert compiled.rewards.tolist() == plain.rewards.tolist()
    assert compiled.rewards.max() > 200
    assert get_task("CartPole-v1", step_limit=300).step_limit == 300


def test_an_id_that_a_user_registered_anew_is_the_users(monkeypatch):
    mine = gymnasium.envs.registration.EnvSpec("CartPole-v1", entry_point=Shifted)
    monkeypatch.setitem(gymnasium.registry, "CartPole-v1", mine)
    assert get_task("CartPole-v1").simulator is None


class Still(gymnasium.Env):
    observation_space = gymnasium.spaces.Box(-1.0, 1.0, (2,))
    action_space = gymnasium.spaces.Discrete(2)

    def __init__(self, reward=1.0):
        self.reward = reward

    def reset(self, seed=None, options=None):
        return np.zeros(2), {}

    def step(self, action):
        return np.zeros(2), self.reward, False, False, {}


def test_a_class_or_a_function_that_makes_an_environment_is_a_task():
    policy = load_oracle(lambda states: np.zeros(len(states), dtype=int))
    for made in (Still, lambda **words: Still(**words)):
        task = Task.of(made, step_limit=4, env_kwargs={"reward": 2.0}, actions=["no", "yes"])
        found = evaluate(policy, task, episodes=3)
        assert (found.mean_reward, found.mean_steps) == (8.0, 4.0)
        assert task.action_names == ("no", "yes")
    assert task.name.isidentifier() or task.name == "_lambda_"


def test_an_environment_that_needs_another_module_says_which():
    def made():
        import there_is_no_such_module  # noqa: F401

    with pytest.raises(TaskError, match="needs the module 'there_is_no_such_module'"):
        Task.of(made, step_limit=4)


def test_an_environment_that_gymnasium_made_is_made_again():
    task = Task.of(gymnasium.make("CartPole-v1", max_episode_steps=7))
    assert (task.name, task.step_limit) == ("CartPole-v1", 7)
    with pytest.raises(TaskError, match="give its class"):
        Task.of(Still(), step_limit=4)
    with pytest.raises(TaskError, match="got int"):
        Task.of(3)


def test_success_is_a_word_a_bound_or_a_function():
    ends = Outcomes(
        np.array([1.0, 3.0]), np.array([5, 2]), np.array([False, True]), np.array([0.0, 2.0])
    )
    for text, expected in {
        "survived": [True, False],
        "reached": [False, True],
        "reward >= 3": [False, True],
        "steps<5": [False, True],
        "last reward <= 0": [True, False],
    }.items():
        task = get_task("CartPole-v1", success=text, env_kwargs={"sutton_barto_reward": True})
        assert task.success(ends).tolist() == expected
    assert get_task("cartpole", success=lambda ends: ends.steps > 4).success(ends).tolist() == [
        *(True, False)
    ]
    with pytest.raises(TaskError, match="cannot read"):
        get_task("cartpole", success="reward >= much")


def test_arguments_that_no_file_can_hold_are_refused():
    with pytest.raises(TaskError, match="a run keeps them"):
        get_task("CartPole-v1", env_kwargs={"render_mode": None})


class Endless(gymnasium.Env):
    observation_space = gymnasium.spaces.Dict(
        a=gymnasium.spaces.Sequence(gymnasium.spaces.Box(0, 1))
    )
    action_space = gymnasium.spaces.Discrete(2)


class Image(gymnasium.Env):
    observation_space = gymnasium.spaces.Box(0, 255, (64, 64, 3), np.uint8)
    action_space = gymnasium.spaces.Discrete(2)


class Unlimited(gymnasium.Env):
    observation_space = gymnasium.spaces.Box(0, 1, (2,))
    action_space = gymnasium.spaces.Box(-np.inf, np.inf, (2,))


class Worded(gymnasium.Env):
    observation_space = gymnasium.spaces.Box(0, 1, (2,))
    action_space = gymnasium.spaces.Text(5)


class Rich(gymnasium.Env):
    observation_space = gymnasium.spaces.Box(0, 1, (2,))
    action_space = gymnasium.spaces.MultiDiscrete([10] * 4)


class Shifted(gymnasium.Env):
    observation_space = gymnasium.spaces.Box(0, 9, (1,))
    action_space = gymnasium.spaces.Discrete(2, start=1)

    def reset(self, seed=None, options=None):
        return np.zeros(1), {}

    def step(self, action):
        assert self.action_space.contains(action), action
        return np.zeros(1), float(np.sum(action)), False, False, {}


class Several(Shifted):
    action_space = gymnasium.spaces.MultiDiscrete([2, 3])


class Switches(Shifted):
    action_space = gymnasium.spaces.MultiBinary(2)


@pytest.mark.parametrize(
    ("environment", "names", "rewards"),
    [
        (Shifted, ("1", "2"), [1, 2]),
        (Several, ("(0, 0)", "(0, 1)", "(0, 2)", "(1, 0)", "(1, 1)", "(1, 2)"), [0, 1, 2, 1, 2, 3]),
        (Switches, ("(0, 0)", "(0, 1)", "(1, 0)", "(1, 1)"), [0, 1, 1, 2]),
    ],
)
def test_actions_of_several_parts_are_choices(environment, names, rewards):
    task = Task.of(environment, step_limit=1)
    assert task.action_names == names
    for action, reward in enumerate(rewards):
        policy = load_oracle(lambda states, action=action: np.full(len(states), action))
        assert evaluate(policy, task, episodes=2).mean_reward == reward


class Broken(gymnasium.Env):
    def __init__(self):
        raise RuntimeError("no licence")


@pytest.fixture
def registered():
    entries = (Endless, Image, Unlimited, Worded, Rich, Broken)
    for entry in entries:
        gymnasium.register(f"bad/{entry.__name__}-v0", entry_point=entry, max_episode_steps=10)
    yield
    for entry in entries:
        del gymnasium.registry[f"bad/{entry.__name__}-v0"]


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("cartpol", "did you mean 'cartpole'"),
        ("Nothing-v0", "--import"),
        ("bad/Endless-v0", "a is observed as Sequence"),
        ("bad/Image-v0", "12,288 numbers"),
        ("bad/Unlimited-v0", "without limits"),
        ("bad/Worded-v0", "a tree chooses between"),
        ("bad/Rich-v0", "10,000 actions"),
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
    assert get_task("Blackjack-v1", step_limit=50).step_limit == 50


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
