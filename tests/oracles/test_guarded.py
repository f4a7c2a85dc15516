"""Policies of users may do with their states as they like, and misbehave in one sentence."""

import sys
import threading
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from matplotlib.figure import Figure

from glasstree.closedloop import ReoptimisationOptions
from glasstree.data import AggregationOptions
from glasstree.episodes import Purpose, episode_seeds, play
from glasstree.episodes.recording import record
from glasstree.errors import OracleError
from glasstree.openloop import GrowthOptions
from glasstree.oracles import FunctionOracle, load_oracle
from glasstree.oracles.base import Oracle
from glasstree.oracles.guarded import GuardedOracle
from glasstree.pipeline import Result, run_stages
from glasstree.policy.arrays import Floats
from glasstree.report import maps
from glasstree.runs.store import open_store
from glasstree.tasks import get_task
from toys import LAMP_TASK, SLOW_LAMP_TASK, little, small_tree

MEAN, SPREAD = 0.25, 3.0
SETTINGS = {"task": "lamp", "oracle": "lamp", "options": {}}
OPTIONS = little(
    samples=200,
    episodes=20,
    growth=GrowthOptions(max_depth=1),
    aggregation=AggregationOptions(rounds=1, first=200, added=100, episodes=5),
    closed_loop=ReoptimisationOptions(
        generations=2, population=4, racing_episodes=5, choosing_episodes=10
    ),
)


def gentle(states: Floats) -> Any:
    """Normalise, then follow the last variable."""
    return ((states - MEAN) / SPREAD)[:, -1] > -MEAN / SPREAD


def rough(states: Floats) -> Any:
    """Do the same in place, as one may without thinking."""
    states -= MEAN
    states /= SPREAD
    return states[:, -1] > -MEAN / SPREAD


def rough_on_one(state: Floats) -> Any:
    """Do the same with one state."""
    state -= MEAN
    state /= SPREAD
    return int(state[-1] > -MEAN / SPREAD)


class Rough:
    """An oracle of a user's, complete and careless."""

    n_variables, n_actions, meaning, n_parameters = 1, 2, "values", 7

    def actions(self, states: Floats, /) -> Any:
        """Answer, and leave the states changed."""
        return rough(states).astype(np.int64)

    def preferences(self, states: Floats, /) -> Any:
        """Tell what actions are worth, and leave the states changed."""
        states *= -1.0
        return np.column_stack([states[:, 0], -2.0 * states[:, 0]])


class Gentle(Rough):
    """The same without a trace."""

    def actions(self, states: Floats, /) -> Any:
        """Answer."""
        return gentle(states).astype(np.int64)

    def preferences(self, states: Floats, /) -> Any:
        """Tell what actions are worth."""
        return np.column_stack([-states[:, 0], 2.0 * states[:, 0]])


CARELESS = [rough, rough_on_one, Rough()]
careless = pytest.mark.parametrize("oracle", CARELESS, ids=["batch", "one state", "object"])


@careless
@pytest.mark.parametrize("compiled", [True, False])
def test_recorded_states_are_those_of_a_gentle_twin(oracle: Any, compiled: bool) -> None:
    seeds, task = episode_seeds(Purpose.COLLECT, 0, 5), get_task("cartpole")
    for policy in (
        (load_oracle(oracle), oracle) if hasattr(oracle, "actions") else (load_oracle(oracle),)
    ):
        _, seen = play(policy, task, seeds, record=True, compiled=compiled)
        _, expected = play(FunctionOracle(gentle), task, seeds, record=True, compiled=compiled)
        assert seen is not None and expected is not None
        np.testing.assert_array_equal(seen.states, expected.states)
        np.testing.assert_array_equal(seen.actions, expected.actions)


@pytest.mark.parametrize(
    "pair", [(rough, gentle), (rough_on_one, gentle), (Rough(), Gentle())], ids=lambda _: ""
)
def test_a_run_is_that_of_a_gentle_twin(tmp_path: Path, pair: tuple[Any, Any]) -> None:
    def made(name: str, oracle: Any) -> Result:
        return run_stages(LAMP_TASK, oracle, OPTIONS, open_store(tmp_path / name, SETTINGS))

    ours, theirs = made("ours", pair[0]), made("theirs", pair[1])
    assert ours.policy == theirs.policy
    assert ours.figures["test_accuracy"] == theirs.figures["test_accuracy"] == 1.0
    files = sorted(path.relative_to(tmp_path / "ours") for path in tmp_path.glob("ours/**/*.npz"))
    assert len(files) >= 3
    for file in files:
        assert (tmp_path / "ours" / file).read_bytes() == (tmp_path / "theirs" / file).read_bytes()


@careless
def test_maps_and_films_are_those_of_a_gentle_twin(tmp_path: Path, oracle: Any) -> None:
    def painted(policy: Any) -> list[Any]:
        figure = Figure()
        cut = maps.Slice(0, 1, np.array([10.0, 20.0]), small_tree().scaling)
        maps.paint(figure, small_tree(), {"one": policy, "again": policy}, cut)
        return [axes.images[0].get_array().tolist() for axes in figure.axes]

    assert painted(load_oracle(oracle)) == painted(FunctionOracle(gentle))
    task, seeds = get_task("psm5"), np.arange(1)
    task = replace(task, environment=replace(task.environment, step_limit=8))
    rewards = record(load_oracle(oracle), task, seeds, tmp_path / "ours.gif")
    assert rewards == record(FunctionOracle(gentle), task, seeds, tmp_path / "theirs.gif")


def test_an_object_keeps_what_it_tells() -> None:
    oracle = load_oracle(Rough())
    assert isinstance(oracle, Oracle)
    assert (oracle.n_variables, oracle.n_actions, oracle.meaning) == (1, 2, "values")
    states = np.array([[1.0], [-2.0]])
    assert oracle.preferences(states).tolist() == [[-1.0, 2.0], [2.0, -4.0]]
    assert states.tolist() == [[1.0], [-2.0]]
    assert load_oracle(oracle) is oracle


class Bare:
    """Knows actions alone."""

    meaning = "values"

    def actions(self, states: Floats, /) -> Any:
        """Leave the program."""
        sys.exit(0)


def test_an_object_that_tells_actions_alone_has_no_preferences() -> None:
    oracle = GuardedOracle(Bare())
    assert oracle.meaning is None
    assert oracle.preferences(np.zeros((1, 1))) is None


def leave(states: Floats) -> None:
    """Leave the program."""
    sys.exit(0)


@pytest.mark.parametrize("oracle", [Bare(), leave])
def test_an_oracle_cannot_end_the_program(oracle: Any) -> None:
    with pytest.raises(OracleError, match=r"'(Bare|leave)' raised SystemExit: 0"):
        play(load_oracle(oracle), SLOW_LAMP_TASK, episode_seeds(Purpose.FINAL, 0, 2))


def test_an_oracle_in_a_thread_has_a_time_limit_too() -> None:
    never, caught = threading.Event(), []

    def hang(states: Floats) -> Any:
        never.wait(60.0)

    def work() -> None:
        with pytest.raises(
            OracleError, match=r"'hang' timed out: no answer within 0\.05 s"
        ) as error:
            FunctionOracle(hang, timeout=0.05).actions(np.ones((4, 2)))
        caught.append(error)

    thread = threading.Thread(target=work)
    thread.start()
    thread.join(30.0)
    never.set()
    assert len(caught) == 1


def test_a_slow_function_of_one_state_may_take_its_time_for_each() -> None:
    def slow(state: Floats) -> int:
        threading.Event().wait(0.05)
        return 1

    oracle = FunctionOracle(slow, batch=False, timeout=0.9)
    assert oracle.actions(np.zeros((20, 1))).tolist() == [1] * 20
