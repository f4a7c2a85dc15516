"""glasstree in the benchmark of peers: its front is read, its diary changes nothing."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from peers import ours
from peers.cells import Contest
from peers.measure import control
from peers.notes import note_of
from peers.origins import run_code

from glasstree.closedloop import FrontOptions, ReengineeringOptions
from glasstree.data import AggregationOptions
from glasstree.openloop import GrowthOptions
from glasstree.options import Options
from glasstree.parallel import using_workers
from glasstree.pipeline import run_stages
from glasstree.policy.document import dumps
from glasstree.runs.store import RunStore
from glasstree.studies.measures import QUICK_CLOSED_LOOP, QUICK_GROWTH
from glasstree.tasks import get_task
from glasstree.workflows.distillation import distill

CELL = Contest("cartpole", "glasstree", 0, "own", 0)


def tiny() -> Options:
    """Return the smallest run that has a front."""
    growth: GrowthOptions = QUICK_GROWTH
    options = Options.for_task("cartpole", growth=growth, samples=300, episodes=20)
    return replace(
        options,
        aggregation=AggregationOptions(rounds=1, first=300, added=200, episodes=4),
        closed_loop=replace(options.closed_loop, **QUICK_CLOSED_LOOP),
        reengineering=ReengineeringOptions(episodes=0),
        front=FrontOptions(
            steps=200_000,
            lines=0,
            soft=0,
            generations=3,
            longest=3,
            population=4,
            episodes=2,
            longest_episodes=2,
            racing_episodes=3,
            choosing_episodes=20,
            rounding_episodes=4,
        ),
    )


@pytest.fixture(scope="module")
def given(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder of runs with one that is finished."""
    folder = tmp_path_factory.mktemp("runs")
    distill("cartpole", options=tiny(), out=folder / "cartpole-default-0", progress=False)
    return folder


def test_a_finished_run_is_read_and_every_policy_of_its_front_is_a_mark(
    given: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ours, "distill", forbidden)
    note_of(given / "cartpole-default-0").unlink(missing_ok=True)
    found = control(CELL, [given, tmp_path])
    assert found["code"] is None, "nobody knows which code made it"
    sizes = [mark["complexity"] for mark in found["front"]]
    assert sizes == sorted(set(sizes)) and found["chosen"] in sizes
    assert all(
        {"reward", "occurrences", "text", "choosing"} <= set(mark) for mark in found["front"]
    )
    assert found["steps"] >= 200_000 and found["clock"]
    with pytest.raises(AssertionError, match="no run"):
        control(CELL, [given, tmp_path], anew=True)
    note_of(given / "cartpole-default-0").write_text(run_code("cartpole"))
    assert "code" not in control(CELL, [given, tmp_path], anew=True)


def forbidden(**_: Any) -> None:
    """Make nothing."""
    raise AssertionError("no run may be made")


def test_a_diary_changes_no_result_and_counts_all_steps() -> None:
    task, options = get_task("cartpole"), tiny()
    diary = ours.Diary()
    with using_workers(1), ours.counting_trees(diary, lambda: 0):
        noted = run_stages(task, None, options, diary)
    with using_workers(1):
        usual = run_stages(task, None, options, RunStore())
    assert dumps(noted.policy) == dumps(usual.policy)
    assert noted.front is not None and usual.front is not None
    assert [row.complexity for row in noted.front] == [row.complexity for row in usual.front]
    assert diary.steps > 200_000
    seconds = [page[0] for page in diary.pages]
    assert seconds == sorted(seconds) and isinstance(ours.last_of(diary.pages)[0][2][0], str)


def test_a_diary_ends_the_run_after_its_last_moment() -> None:
    diary = ours.Diary(last=0.0)
    with pytest.raises(ours.Enough):
        diary.note([])


def test_a_tenth_of_the_steps_where_gymnasium_plays() -> None:
    assert "effort" not in ours.said("cartpole", 0)
    assert ours.said("Pendulum-v1", 3) == {"task": "Pendulum-v1", "seed": 3, "effort": "quick"}
