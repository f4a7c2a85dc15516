"""One core, two, Dask and Ray give the same bytes, whoever dies on the way."""

import logging
import socket
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from commands import Command
from deadly import FAR_LAMP_TASK, deadly_task
from glasstree import progress
from glasstree.closedloop import ReoptimisationOptions
from glasstree.data import AggregationOptions
from glasstree.episodes import evaluate
from glasstree.errors import EngineError, OptionError
from glasstree.openloop import GrowthOptions
from glasstree.oracles.network import NetworkOracle
from glasstree.parallel import engine, ordered_map
from glasstree.pipeline import run_stages
from glasstree.policy.document import dumps
from glasstree.tasks import Task
from toys import draw, lamp_oracle, lamp_tree, little

OPTIONS = little(
    samples=200,
    episodes=60,
    growth=GrowthOptions(max_depth=1),
    aggregation=AggregationOptions(rounds=1, first=200, added=100, episodes=20),
    closed_loop=ReoptimisationOptions(
        generations=3, trial_generations=1, population=6, racing_episodes=20, choosing_episodes=40
    ),
)
TESTS = Path(__file__).parents[1]


@pytest.fixture(scope="module", autouse=True)
def workers_know_the_tests() -> Iterator[None]:
    """Let workers import the environments of the tests."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PYTHONPATH", str(TESTS))
        yield


@pytest.fixture(scope="module")
def expected() -> str:
    """The policy that one process finds."""
    return policy(FAR_LAMP_TASK)


def policy(task: Task) -> str:
    """Return the document of what a small run finds."""
    result = run_stages(task, lamp_oracle, OPTIONS)
    assert result.performances["re-engineered"].success_rate == 1.0
    return dumps(result.policy)


@pytest.fixture(scope="module")
def dask() -> Iterator[str]:
    """The address of a Dask cluster of two worker processes."""
    distributed = pytest.importorskip("distributed", reason="the extra dask is not installed")
    with distributed.LocalCluster(
        n_workers=2, threads_per_worker=1, dashboard_address=":0", silence_logs=logging.CRITICAL
    ) as cluster:
        yield cluster.scheduler_address


def test_two_processes_agree_with_one(expected: str) -> None:
    with engine("local", workers=2):
        assert policy(FAR_LAMP_TASK) == expected


def test_a_local_worker_that_dies_is_replaced(expected: str, tmp_path: Path) -> None:
    heard: list[progress.Event] = []
    with engine("local", workers=2), progress.listening(heard.append):
        assert policy(deadly_task(tmp_path / "flag")) == expected
    assert progress.Note("a worker died; its episodes are played again") in heard


def test_workers_that_always_die_are_told(tmp_path: Path) -> None:
    with engine("local", workers=2), pytest.raises(EngineError, match="died 4 times in a row"):
        ordered_map(die, [1, 2])


def die(item: int) -> None:
    """Take the worker along."""
    import os

    os.kill(os.getpid(), 9)


def test_dask_agrees(dask: str, expected: str) -> None:
    with engine("dask", dask):
        assert policy(FAR_LAMP_TASK) == expected


def test_a_dask_worker_that_dies_changes_nothing(dask: str, expected: str, tmp_path: Path) -> None:
    with engine("dask", dask):
        assert policy(deadly_task(tmp_path / "flag")) == expected
    assert (tmp_path / "flag").exists()


def test_ray_agrees_and_a_worker_that_dies_changes_nothing(expected: str, tmp_path: Path) -> None:
    pytest.importorskip("ray", reason="the extra ray is not installed")
    with engine("ray", workers=2):
        assert policy(FAR_LAMP_TASK) == expected
        assert policy(deadly_task(tmp_path / "flag")) == expected
    assert (tmp_path / "flag").exists()


@pytest.mark.parametrize("subject", ["network", "tree", "class"])
def test_evaluation_uses_workers_and_agrees(subject: str) -> None:
    network = NetworkOracle([[[-1.0], [1.0]]], [[0.0, 0.0]])
    policies: dict[str, Any] = {"network": network, "tree": lamp_tree(-0.9), "class": Blinking()}
    one = evaluate(policies[subject], FAR_LAMP_TASK, episodes=70)
    two = evaluate(policies[subject], FAR_LAMP_TASK, episodes=70, workers=2)
    assert one.rewards.tolist() == two.rewards.tolist()
    assert one == two


class Blinking:
    """A policy that knows this process only."""

    def actions(self, states: Any, /) -> Any:
        """Answer with the light that is seen."""
        return lamp_oracle(states)


@pytest.mark.parametrize("name", ["dask", "ray"])
def test_an_address_where_nobody_listens_is_one_sentence(
    glasstree: Command, tmp_path: Path, name: str
) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        address = f"127.0.0.1:{taken.getsockname()[1]}"
        words = ("run", "cartpole", "--engine", name, "--address", address)
        answer = glasstree(*words, "--out", tmp_path / "run")
    assert answer.code == 2
    assert f"no cluster answers at {address}" in answer.sentence
    assert "Traceback" not in answer.err
    assert not (tmp_path / "run").exists()


def test_an_address_of_something_else_is_one_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("glasstree.clusters.PATIENCE", 1.0)
    with socket.socket() as mute:
        mute.bind(("127.0.0.1", 0))
        mute.listen()
        address = f"127.0.0.1:{mute.getsockname()[1]}"
        with pytest.raises(EngineError, match="no cluster answers at"), engine("dask", address):
            pass


@pytest.mark.parametrize(
    "words, sentence",
    [
        (("--engine", "dusk"), "did you mean 'dask'?"),
        (("--address", "127.0.0.1:1"), "say which with --engine dask|ray"),
        (("--engine", "dask", "--address", "nowhere"), "is not HOST:PORT"),
        (("--engine", "dask", "--address", "h:99999999"), "is not HOST:PORT"),
    ],
)
def test_engines_that_make_no_sense(
    glasstree: Command, tmp_path: Path, words: tuple[str, ...], sentence: str
) -> None:
    answer = glasstree("run", "cartpole", *words, "--out", tmp_path / "run")
    assert answer.code == 2
    assert sentence in answer.sentence


def test_results_stand_in_order_on_a_cluster(dask: str) -> None:
    with engine("dask", dask):
        assert ordered_map(draw, range(30)) == [draw(item) for item in range(30)]
    with pytest.raises(OptionError), engine("none"):
        pass
