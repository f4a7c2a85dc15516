"""A run within minutes: budgets are planned once, by the cost of a step, and kept."""

from dataclasses import replace
from pathlib import Path

import pytest

import glasstree as gt
from glasstree import progress
from glasstree.errors import OptionError
from glasstree.options import Options
from glasstree.oracles import load_oracle
from glasstree.runs.store import RunStore
from glasstree.workflows.settings import effort
from glasstree.workflows.settings.effort import expected_steps, fitted, measured, with_effort
from toys import SLOW_LAMP_TASK, lamp_oracle

OPTIONS = Options.for_task(SLOW_LAMP_TASK)
MINUTES = (5.0, 10.0, 20.0)


@pytest.fixture(autouse=True)
def known_cost(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let a step cost 100 microseconds and an episode have 200 of them."""
    monkeypatch.setattr(effort, "measured", lambda *_: (1e-4, 200.0))


def plan(minutes: float) -> Options:
    return fitted(OPTIONS, SLOW_LAMP_TASK, load_oracle(lamp_oracle), minutes)


def test_fewer_minutes_mean_fewer_steps_and_the_plan_keeps_to_them() -> None:
    found = [expected_steps(plan(minutes), 200.0) for minutes in MINUTES]
    assert found == sorted(found)
    for minutes, steps in zip(MINUTES, found, strict=True):
        assert 0.8 < steps / (60.0 * minutes * effort.PLAYING / 1e-4) <= 1.0


def test_time_enough_leaves_the_options_as_they_are() -> None:
    assert plan(10_000.0) == OPTIONS


def test_however_little_time_there_is_something_is_left_to_do() -> None:
    least = plan(1e-6)
    assert (least.aggregation.rounds, least.closed_loop.generations) == (2, 8)
    assert least.front is not None and least.front.steps == 1000
    assert least.growth == OPTIONS.growth
    with pytest.raises(OptionError, match="more than 0 minutes"):
        plan(0.0)


def test_the_plan_is_told() -> None:
    heard: list[object] = []
    with progress.listening(heard.append):
        plan(5.0)
    (note,) = heard
    assert isinstance(note, progress.Note)
    assert note.text.startswith("about 5 minutes at 100 microseconds a step: ")


def test_a_step_has_a_cost(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(effort, "PROBE_SECONDS", 0.0001)
    cost, length = measured(SLOW_LAMP_TASK, load_oracle(lamp_oracle), 0)
    assert cost > 0
    assert 10.0 < length < 20.0  # between the oracle's 20 and those of random actions


def test_a_run_keeps_its_plan(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    class Stop(Exception):
        pass

    seen: list[Options] = []

    def stop(task: object, oracle: object, options: Options, store: object) -> None:
        seen.append(options)
        raise Stop

    monkeypatch.setattr("glasstree.workflows.distillation.run_stages", stop)
    quick = {"seed": 3, "minutes": 2.0}
    with pytest.raises(Stop):
        gt.distill(SLOW_LAMP_TASK, lamp_oracle, out=tmp_path / "run", **quick)
    assert seen == [replace(plan(2.0), seed=3)]


def test_effort_is_a_share_of_the_budgets_whatever_the_clock_says() -> None:
    quick, thorough = (with_effort(OPTIONS, effort) for effort in ("quick", "thorough"))
    assert with_effort(OPTIONS, "default") == OPTIONS
    assert quick.front is not None and OPTIONS.front is not None and thorough.front is not None
    assert (10 * quick.front.steps, thorough.front.steps) == (
        OPTIONS.front.steps,
        4 * OPTIONS.front.steps,
    )
    assert quick.closed_loop.generations < OPTIONS.closed_loop.generations
    assert thorough.closed_loop.generations == 2 * OPTIONS.closed_loop.generations
    assert (thorough.samples, thorough.episodes) == (OPTIONS.samples, OPTIONS.episodes)
    assert quick.growth == OPTIONS.growth == thorough.growth
    compiled = Options.for_task("lunarlander")
    assert expected_steps(compiled, 200.0) < expected_steps(
        with_effort(compiled, "thorough"), 200.0
    )


def test_what_was_said_is_no_matter_of_effort() -> None:
    said = replace(OPTIONS, episodes=500)
    assert with_effort(said, "quick", {"episodes": 500}).episodes == 500
    assert with_effort(said, "quick").episodes < 500


def test_an_effort_that_nobody_knows_and_two_words_for_one_thing_are_refused() -> None:
    with pytest.raises(OptionError, match=r"unknown effort 'quik'.*quick"):
        with_effort(OPTIONS, "quik")
    with pytest.raises(OptionError, match="--minutes and --effort both"):
        gt.distill(SLOW_LAMP_TASK, lamp_oracle, minutes=2.0, effort="quick")


def test_a_run_keeps_its_effort_and_tells_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Stop(Exception):
        pass

    seen: list[Options] = []

    def stop(task: object, oracle: object, options: Options, store: RunStore) -> None:
        seen.append(options)
        store.document("part.json", 1)
        raise Stop

    monkeypatch.setattr("glasstree.workflows.distillation.run_stages", stop)
    heard: list[object] = []
    with pytest.raises(Stop), progress.listening(heard.append):
        gt.distill(SLOW_LAMP_TASK, lamp_oracle, out=tmp_path / "run", effort="quick", episodes=70)
    assert seen == [with_effort(replace(OPTIONS, episodes=70), "quick", ["episodes"])]
    assert any("quick effort: " in getattr(event, "text", "") for event in heard)
    with pytest.raises(Stop):
        gt.distill(SLOW_LAMP_TASK, lamp_oracle, out=tmp_path / "run", resume=True)
    assert seen[1] == seen[0]
