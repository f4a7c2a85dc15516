"""Levels of continuous actions are tuned with the weights, rounded, and dropped where not taken."""

from dataclasses import replace

import gymnasium
import numpy as np
import pytest

import glasstree as gt
from glasstree.closedloop import FrontOptions, ReoptimisationOptions
from glasstree.closedloop.front.rounding import rounded_levels, used_levels
from glasstree.closedloop.front.tuning import Games, Trial
from glasstree.closedloop.parameters import free_parameters
from glasstree.data.levels import levelled
from glasstree.episodes import evaluate
from glasstree.episodes.play import play
from glasstree.policy import Leaf, PolicyTree, Rule, Scaling, Split
from glasstree.tasks import Task


class Valve(gymnasium.Env):
    """A flow of 0.62 is wanted whatever is seen, so that the level alone decides the reward."""

    observation_space = gymnasium.spaces.Box(-1.0, 1.0, (1,))
    action_space = gymnasium.spaces.Box(0.0, 1.0, (1,))

    def reset(self, seed=None, options=None):
        super().reset(seed=seed)
        return self.np_random.uniform(-1.0, 1.0, 1), {}

    def step(self, action):
        assert self.action_space.contains(action), action
        return self.np_random.uniform(-1.0, 1.0, 1), -abs(float(action[0]) - 0.62), False, False, {}


def task(levels=((0.2,), (0.9,))):
    return levelled(Task.of(Valve, step_limit=2, controls=["flow [l/s]"]), np.array(levels))


def tree(root=None, levels=((0.2,), (0.9,))):
    known = task(levels)
    names = (known.state_names, known.action_names, known.units)
    return PolicyTree(
        root or Leaf(0), Scaling([-1.0], [1.0]), *names, known.name, None, known.plant
    )


def split(left, right):
    return Split(Rule([[1]], [1.0], 0.0, raw=True), Leaf(left, (3.0, 1.0)), Leaf(right, (0.0, 4.0)))


def test_a_level_is_tuned_on_episodes_and_called_by_what_it_has_become():
    search = ReoptimisationOptions(episodes=4)
    games = Games(task(), FrontOptions(population=8, racing_episodes=10), search, seed=0)
    trial = Trial(tree(), 0, 20, 4, 1.0, np.zeros((5, 1)), None)
    found, _ = games.tune(trial)
    level = found.tree.levels[0, 0]
    assert level == pytest.approx(0.62, abs=0.02)
    assert found.tree.action_names == (f"flow = {level:.6g} l/s", "flow = 0.9 l/s")
    assert found.mean == pytest.approx(-2 * abs(level - 0.62), abs=1e-5)


def test_only_levels_that_a_leaf_takes_are_free():
    assert free_parameters(tree(Leaf(1))).tolist() == [False, True]
    assert free_parameters(tree(split(0, 1))).tolist() == [True, True, False, True, True]


def test_levels_stay_within_bounds_and_equal_ones_are_one_action():
    pushed = tree(split(0, 1)).with_levels([1.7, 1.2])
    assert pushed.levels.tolist() == [[1.0], [1.0]]
    assert [leaf.action for leaf in pushed.leaves()] == [0, 0]
    assert used_levels(pushed).action_names == ("flow = 1 l/s",)
    assert used_levels(pushed).root.counts == ()
    assert [leaf.counts for leaf in used_levels(pushed).leaves()] == [(3.0,), (0.0,)]


def test_a_tree_plays_with_its_own_levels_not_with_the_task_s():
    own = tree(Leaf(1)).with_levels([0.2, 0.5])
    assert evaluate(own, task(), episodes=3).mean_reward == pytest.approx(-0.24)
    assert evaluate(used_levels(own), task(), episodes=3).mean_reward == pytest.approx(-0.24)
    ends, seen = play(own, task(), np.arange(3), record=True)
    assert ends.rewards.mean() == pytest.approx(-0.24)
    assert set(seen.actions) == {1}


def test_levels_are_rounded():
    assert rounded_levels(tree(levels=((0.2345,), (0.871,))), 2).levels.tolist() == [[0.23], [0.87]]
    assert rounded_levels(replace(tree(), plant=None), 1) == replace(tree(), plant=None)


@pytest.mark.parametrize("format", ["python", "c", "javascript", "onnx", "json", "sql"])
def test_exports_return_the_vector(format):
    exported = gt.export(tree(split(0, 1)), format, states=500)
    assert exported.sentence.startswith(("Checked", "Not checked here"))
    if format == "python":
        space: dict = {}
        exec(str(exported.content), space)
        assert space["policy"]([0.5]) == (0.9,)
    if format == "c":
        assert "return policy_levels[0]; /* flow = 0.2 l/s */" in str(exported.content)


def test_a_policy_file_keeps_its_levels(tmp_path):
    gt.save(tree(split(0, 1)), tmp_path / "policy.json")
    again = gt.load(tmp_path / "policy.json")
    assert again == tree(split(0, 1))
    assert again.plant.bounds == [[0.0], [1.0]]
    assert again.complexity == tree(split(0, 1)).complexity == 5


def test_as_many_levels_as_actions():
    with pytest.raises(ValueError, match="need as many levels"):
        replace(tree(), action_names=("one", "two", "three"))
