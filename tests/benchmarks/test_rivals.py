"""Rivals of the peers' benchmark: how they are counted and printed, and that they learn."""

from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest
from peers import aggregate
from peers.aggregate import follow, gaps, worths
from peers.cells import Contest
from peers.measure import AtRandom, control, counting, held_back
from peers.readable import Readable
from peers.rivals import RIVALS
from peers.rivals.cart import fit
from peers.rivals.forest import Forest, axis
from peers.rivals.reward import evolved, gradient, linear, written
from peers.rivals.soft import fit as fit_soft
from peers.rivals.symbolic import Formulas
from sklearn.tree import DecisionTreeClassifier

from glasstree.data import Dataset, collect
from glasstree.episodes import Purpose, evaluate
from glasstree.oracles import load_oracle
from glasstree.policy import Leaf, PolicyTree, Rule, Scaling, Split
from glasstree.tasks import get_task


def test_plain_arrays_decide_as_the_package_does() -> None:
    generator = np.random.default_rng(0)
    states = generator.normal(size=(2000, 3)).astype(np.float32).astype(np.float64)
    actions = np.where(states[:, 0] > states[:, 1], 3, np.where(states[:, 2] > 0, 1, 0))
    policy = fit(Dataset.of(states, actions, 5), 12, 0)
    theirs = DecisionTreeClassifier(max_leaf_nodes=12, random_state=0).fit(states, actions)
    assert (policy.actions(states) == theirs.predict(states)).all()
    assert policy.splits == policy.occurrences == 11
    assert policy.complexity == 11 * 3 + 12, "variable, comparison, number; and an action a leaf"


def test_splits_that_change_nothing_are_not_counted() -> None:
    forest = Forest()
    zero, surer, one = (forest.leaf(np.array(v), 2) for v in ([0.6, 0.4], [0.9, 0.1], [0.2, 0.8]))
    alike = forest.split(axis(1, 2), 0.0, zero, surer, 2)
    forest.roots.append(forest.split(axis(0, 2), 0.5, alike, one, 2))
    policy = forest.policy()
    assert policy.splits == policy.occurrences == 1 and policy.complexity == 3 + 2
    assert policy.actions(np.array([[0.0, 5.0], [1.0, 5.0]])).tolist() == [0, 1]
    forest.roots.append(one)
    assert forest.policy().splits == 2, "a sum of trees is left as it is"


def test_oblique_splits_are_counted_as_lines_of_ours() -> None:
    forest = Forest()
    ends = [forest.leaf(np.eye(2)[action], 3) for action in (0, 1)]
    forest.roots.append(forest.split(np.array([0.5, 0.0, -2.0]), 1.0, *ends, 2))
    rule = Rule([[1, 0, 0], [0, 0, 1]], [0.25, -1.0], -0.5, raw=True)
    ours = PolicyTree(
        Split(rule, Leaf(0), Leaf(1)), Scaling([0.0] * 3, [1.0] * 3), ("x", "y", "z"), ("a", "b")
    )
    # z - 0.25 * x >= -0.5, and two actions
    assert forest.policy().complexity == Readable(ours).complexity == 7 + 2


def test_formulas_are_counted_by_nodes_comparisons_and_actions() -> None:
    programs = [SimpleNamespace(program=["add", 0, "mul", 0.5, 1])]  # x + 0.5 * y >= 0
    one = Formulas(programs, np.arange(2), np.zeros(2), np.ones(2))
    assert (one.occurrences, one.complexity) == (2, 5 + 2 + 2)
    three = Formulas(3 * programs, np.arange(3), np.zeros(2), np.ones(2))
    assert (three.occurrences, three.complexity) == (6, 15 + 2 + 3)


def test_a_tree_is_printed_as_it_is_counted() -> None:
    forest, task = Forest(), get_task("mountaincar")
    ends = [forest.leaf(np.eye(3)[action], 2) for action in (0, 1, 2)]
    low = forest.split(axis(1, 2), 0.5, *ends[:2], 3)
    forest.roots.append(forest.split(np.array([0.5, -2.0]), 1.0, low, ends[2], 3))
    assert forest.policy().text(task).splitlines() == [
        "if 0.25 x - v <= 0.5:",
        "    if v <= 0.5:",
        "        left",
        "    else:",
        "        none",
        "else:",
        "    right",
    ]
    assert forest.policy().complexity == 7 + 3 + 3


@pytest.mark.parametrize("name", ["cartpole", "mountaincar", "carfollowing", "acrobot"])
def test_what_people_wrote_controls(name: str) -> None:
    task, least = get_task(name), {"cartpole": 190, "mountaincar": -125, "acrobot": -95}
    policy = RIVALS["written"].learn(task, 0, 0).policy  # type: ignore[misc]
    found = evaluate(policy, task, episodes=40, purpose=Purpose.TRAIN)
    assert found.mean_reward > least.get(name, 179_000)
    assert policy.complexity == {"cartpole": 7, "carfollowing": 9}.get(name, 5)
    assert policy.occurrences == (2 if policy.complexity > 5 else 1)


def test_the_printed_heuristic_is_the_one_that_gymnasium_ships() -> None:
    lander = pytest.importorskip("gymnasium.envs.box2d.lunar_lander")
    states = np.random.default_rng(0).normal(scale=0.5, size=(500, 8))
    states[:, 6:] = states[:, 6:] > 0.6
    for name, continuous in (("lunarlander", False), ("LunarLanderContinuous-v3", True)):
        environment = SimpleNamespace(unwrapped=SimpleNamespace(continuous=continuous))
        theirs = np.array([lander.heuristic(environment, state) for state in states])
        assert np.allclose(theirs, written.POLICIES[name].decide(states))


def test_evolved_trees_learn_to_balance(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(evolved, "STEPS", 0.04)  # of two depths
    task = get_task("cartpole")
    for name in ("evolved", "qevolved"):
        found = RIVALS[name].learn(task, 1, 0)  # type: ignore[misc]
        again = RIVALS[name].learn(task, 1, 0)  # type: ignore[misc]
        assert found.policy.text(task) == again.policy.text(task)
        assert found.steps >= 0.02 * task.search_steps
        assert evaluate(found.policy, task, episodes=40, purpose=Purpose.TRAIN).mean_reward > 60
        assert found.policy.splits == 1


def test_dtpo_improves_a_tree_along_the_gradient(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(gradient, "ITERATIONS", 4)
    task = get_task("cartpole")
    found = RIVALS["dtpo"].learn(task, 4, 0)  # type: ignore[misc]
    random = evaluate(AtRandom(task, 0), task, episodes=40, purpose=Purpose.TRAIN)
    better = evaluate(found.policy, task, episodes=40, purpose=Purpose.TRAIN)
    assert better.mean_reward > 1.5 * random.mean_reward
    assert found.policy.splits <= 3 and found.steps > 4 * gradient.BATCH


def test_advantages_stop_at_the_ends_of_episodes() -> None:
    class Nothing:
        def __call__(self, states: np.ndarray) -> np.ndarray:
            return np.zeros(len(states))

    states = np.zeros((3, 1))
    found = (
        np.array([0, 0, 1]),
        states,
        None,
        np.array([1.0, 2.0, 4.0]),
        np.zeros(3, bool),
        states,
    )
    gains, _ = gradient.advantages(found, Nothing())  # type: ignore[arg-type]
    assert gains.tolist() == [1.0 + gradient.DISCOUNT * gradient.TRACE * 2.0, 2.0, 4.0]


def test_random_search_finds_a_linear_policy(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(linear, "STEPS", 30_000)
    task = get_task("MountainCarContinuous-v0")
    found = RIVALS["ars"].learn(task, 0, 0)  # type: ignore[misc]
    policy = found.policy
    assert found.steps >= 30_000
    assert policy.complexity == 4 * 2 + 1 + 1 and policy.occurrences == 2
    assert policy.text(task).startswith("u1 = ")
    vectors = policy.vectors(np.array([[0.0, 100.0], [0.0, -100.0]]))  # type: ignore[attr-defined]
    assert np.abs(vectors).max() <= 1.0


def test_soft_trees_are_hardened_to_lines_or_single_variables() -> None:
    pytest.importorskip("torch")
    states = np.random.default_rng(0).normal(size=(600, 3))
    data = Dataset.of(states, (states[:, 0] + 0.5 * states[:, 1] > 0).astype(int), 2)
    policy = fit_soft(data, 1, 0)
    assert (policy.actions(states) == data.actions).mean() > 0.95
    assert (policy.splits, policy.occurrences) == (1, 3)
    alone = fit_soft(data, 1, 0, alone=True)
    assert (alone.splits, alone.occurrences, alone.complexity) == (1, 1, 5)


def test_aggregation_works_and_its_steps_are_counted() -> None:
    task = get_task("cartpole")
    counted, steps = counting(task)
    oracle = load_oracle("cartpole", task)
    collect(oracle, counted, 100, seed=0)
    assert steps() == 16 * 200, "sixteen episodes of a pole that does not fall"
    policy = follow(RIVALS["cart"], 4, oracle, counted, 0)
    assert policy.splits <= 3
    assert steps() > 16 * 200 + 9 * 100 * 50, "each round plays 100 episodes to be compared"


def test_viper_draws_by_the_gaps_of_all_states_so_far(monkeypatch: pytest.MonkeyPatch) -> None:
    task, met = get_task("cartpole"), list[tuple[np.ndarray, np.ndarray]]()
    oracle = load_oracle("cartpole", task)

    def note(data: Dataset, weights: np.ndarray, seed: int) -> Dataset:
        met.append((data.states, weights))
        return data

    monkeypatch.setattr(aggregate, "resampled", note)
    follow(replace(RIVALS["viper"], rounds=2), 4, oracle, task, 0)
    assert [len(weights) for _, weights in met] == [6000, 18_000, 30_000]
    assert all(np.allclose(weights, gaps(oracle, states)) for states, weights in met)


def test_all_contenders_of_a_seed_meet_the_same_test_states() -> None:
    assert held_back("cartpole", 0) is held_back("cartpole", 0)
    assert not np.array_equal(held_back("cartpole", 0).states, held_back("cartpole", 1).states)


def test_probabilities_are_worth_their_logarithms() -> None:
    oracle = SimpleNamespace(
        preferences=lambda states: np.array([[0.5, 0.0]]), meaning="probabilities"
    )
    assert worths(oracle, np.zeros((1, 1))).tolist() == [[np.log(0.5), np.log(1e-12)]]  # type: ignore[arg-type]


def test_packages_are_imported_before_seconds_count(monkeypatch: pytest.MonkeyPatch) -> None:
    lacking = replace(RIVALS["written"], packages=("no_such_package",))
    monkeypatch.setitem(RIVALS, "written", lacking)
    with pytest.raises(ModuleNotFoundError, match="no_such_package"):
        control(Contest("cartpole", "written", 0, "none", 0))
    assert RIVALS["soft"].packages == RIVALS["dtpo"].packages == ("torch",)


def test_a_cell_has_symbols_steps_and_text() -> None:
    found = control(Contest("cartpole", "written", 0, "none", 0))
    assert (found["complexity"], found["occurrences"], found["steps"]) == (7, 2, 0)
    assert found["text"].startswith("if theta + omega >= 0:")
    floor = control(Contest("cartpole", "random", 0, "own", 0))
    assert 15 < floor["reward"] < 30 and "complexity" not in floor
