"""A run within minutes: budgets are planned once, by the cost of a step, and kept."""

from dataclasses import replace
from pathlib import Path

import pytest

import glasstree as gt
from glasstree import progress
from glasstree.episodes.scoring import play_all
from glasstree.errors import OptionError
from glasstree.options import Options
from glasstree.oracles import load_oracle
from glasstree.policy import PolicyTree
from glasstree.policy.arrays import Ints
from glasstree.runs.store import RunStore
from glasstree.tasks import Task
from glasstree.tasks.base import Outcomes
from glasstree.workflows.settings import effort
from glasstree.workflows.settings import short as short_episodes
from glasstree.workflows.settings.effort import (
    Lengths,
    expected_steps,
    fitted,
    measured,
    with_effort,
)
from toys import SLOW_LAMP_TASK, lamp_oracle

OPTIONS = Options.for_task(SLOW_LAMP_TASK)
MINUTES = (5.0, 10.0, 20.0)


@pytest.fixture(autouse=True)
def known_cost(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let a step cost 100 microseconds and an episode have 200 of them."""
    monkeypatch.setattr(effort, "measured", lambda *_: (1e-4, Lengths(200.0, 200.0)))


def plan(minutes: float) -> Options:
    return fitted(OPTIONS, SLOW_LAMP_TASK, load_oracle(lamp_oracle), minutes)


def test_fewer_minutes_mean_fewer_steps_and_the_plan_keeps_to_them() -> None:
    found = [expected_steps(plan(minutes), Lengths(200.0, 200.0)) for minutes in MINUTES]
    assert found == sorted(found)
    for minutes, steps in zip(MINUTES, found, strict=True):
        assert 0.8 < steps / (60.0 * minutes * effort.PLAYING / 1e-4) <= 1.0


def test_time_enough_leaves_the_options_as_they_are() -> None:
    assert plan(10_000.0) == OPTIONS


def test_short_episodes_are_many_at_the_front_s_cost(monkeypatch: pytest.MonkeyPatch) -> None:
    usual = plan(10_000.0)
    monkeypatch.setattr(effort, "measured", lambda *_: (1e-4, Lengths(2.0, 2.0)))
    short = plan(10_000.0)
    assert usual.front is not None and short.front is not None
    assert 8 < short.front.choosing_episodes / usual.front.choosing_episodes <= 30
    assert 8 < short.episodes / usual.episodes <= 30
    assert usual.front.episodes < short.front.episodes < 6 * usual.front.episodes
    assert usual.front.steps / 2 <= short.front.steps < usual.front.steps
    assert expected_steps(short, Lengths(2.0, 2.0)) == pytest.approx(
        expected_steps(usual, Lengths(2.0, 2.0)), abs=1
    )


def test_short_episodes_of_good_policies_are_many_though_random_ones_are_long(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(effort, "measured", lambda *_: (1e-4, Lengths(200.0, 10.0)))
    short = plan(10.0)
    monkeypatch.setattr(effort, "measured", lambda *_: (1e-4, Lengths(200.0, 200.0)))
    usual = plan(10.0)
    assert short.front is not None and usual.front is not None
    assert short.front.choosing_episodes > 2 * usual.front.choosing_episodes
    assert expected_steps(short, Lengths(200.0, 10.0)) <= 600.0 * effort.PLAYING / 1e-4


def test_short_episodes_take_no_more_than_half_of_the_front(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(effort, "measured", lambda *_: (1e-4, Lengths(90.0, 90.0)))
    short = plan(10_000.0)
    monkeypatch.setattr(short_episodes, "SHARE", 0.01)
    less = plan(10_000.0)
    assert short.front is not None and less.front is not None and OPTIONS.front is not None
    assert 1.0 < short.episodes / OPTIONS.episodes < 1.12
    assert less.episodes < short.episodes
    assert 0.99 * OPTIONS.front.steps <= less.front.steps


def test_however_little_time_there_is_something_is_left_to_do() -> None:
    least = plan(1e-6)
    assert (least.aggregation.rounds, least.closed_loop.generations) == (1, 2)
    assert least.front is not None and least.front.steps == 100
    assert least.growth == OPTIONS.growth
    with pytest.raises(OptionError, match="more than 0 minutes"):
        plan(0.0)


def test_slow_steps_get_less_than_the_least_rather_than_more_time(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(effort, "measured", lambda *_: (5e-3, Lengths(20.0, 20.0)))
    slow = plan(5.0)
    assert 0.7 < expected_steps(slow, Lengths(20.0, 20.0)) / (300.0 * effort.PLAYING / 5e-3) <= 1.0
    assert slow.closed_loop.trees < OPTIONS.closed_loop.trees
    assert plan(60.0).closed_loop.trees == OPTIONS.closed_loop.trees


def test_the_plan_is_told() -> None:
    heard: list[object] = []
    with progress.listening(heard.append):
        plan(5.0)
    (note,) = heard
    assert isinstance(note, progress.Note)
    assert note.text.startswith("about 5 minutes at 100 microseconds a step: ")


def test_minutes_that_are_too_few_are_not_promised() -> None:
    heard: list[progress.Note] = []
    with progress.listening(heard.append):  # type: ignore[arg-type]
        least = plan(0.01)
    minutes = expected_steps(least, Lengths(200.0, 200.0)) * 1e-4 / effort.PLAYING / 60.0
    assert minutes > 0.02
    assert heard[0].text.startswith(f"about {minutes:.1f} minutes, not 0.01: less cannot be done")


def test_a_step_has_a_cost(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(effort, "PROBE_SECONDS", 0.0001)
    cost, lengths = measured(SLOW_LAMP_TASK, load_oracle(lamp_oracle), 0)
    assert cost > 0 and lengths.good == 20.0
    assert 10.0 < lengths.tried < 20.0  # between the oracle's and those of random actions


def test_slow_steps_are_measured_on_few_episodes(monkeypatch: pytest.MonkeyPatch) -> None:
    played: list[int] = []

    def counted(tree: PolicyTree, task: Task, seeds: Ints) -> Outcomes:
        played.append(len(seeds))
        return play_all(tree, task, seeds)

    monkeypatch.setattr(effort, "play_all", counted)
    monkeypatch.setattr(effort, "PROBE_SECONDS", 0.0)
    measured(SLOW_LAMP_TASK, load_oracle(lamp_oracle), 0)
    assert played == [1, effort.PROBE_EPISODES]


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
    assert expected_steps(compiled, Lengths(200.0, 200.0)) < expected_steps(
        with_effort(compiled, "thorough"), Lengths(200.0, 200.0)
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
