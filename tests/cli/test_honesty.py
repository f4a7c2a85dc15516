"""A result that is worse than its oracle says so, by how much, and what to try."""

from dataclasses import replace

import numpy as np
import pytest

from glasstree.cli.commands.learn.run import shortfall, show
from glasstree.episodes import Performance
from glasstree.pipeline import Result
from glasstree.policy.arrays import Floats
from glasstree.tasks.base import Outcomes
from toys import SLOW_LAMP_TASK, lamp_tree, little

NOISE = np.random.default_rng(0).normal(size=100)


def performance(rewards: Floats) -> Performance:
    steps = np.full(len(rewards), 3)
    return Performance.of(
        Outcomes(rewards, steps, np.zeros(len(rewards), dtype=bool), rewards), SLOW_LAMP_TASK
    )


def result(ours: Floats, theirs: Floats) -> Result:
    return Result(
        task=SLOW_LAMP_TASK,
        options=little(rules=3),
        policies={"open loop": lamp_tree()},
        performances={"oracle": performance(theirs), "open loop": performance(ours)},
        figures={"agreement": 0.5, "seconds": 1.0},
        curve={},
    )


def test_a_clear_loss_is_the_first_line(
    tmp_path: object, capsys: pytest.CaptureFixture[str]
) -> None:
    from pathlib import Path

    lost = result(20.0 + NOISE, 25.0 + NOISE)
    assert shortfall(lost) == (
        f"worse than its oracle by 5.00: mean reward {20 + NOISE.mean():.2f} instead of "
        f"{25 + NOISE.mean():.2f}; try --rules 6 or a longer run by --minutes"
    )
    show(lost, Path(str(tmp_path)))
    out = capsys.readouterr().out
    assert out.startswith("worse than its oracle by 5.00")
    assert "agreement with the oracle on held-back states: 50.0 %" in out


def test_chance_and_gains_are_no_loss() -> None:
    assert shortfall(result(25.0 + NOISE, 20.0 + NOISE)) is None
    assert shortfall(result(20.0 + NOISE, 20.0 + NOISE)) is None
    assert shortfall(result(20.0 + NOISE, 20.01 + NOISE[::-1])) is None


def test_levels_and_the_best_of_the_front_are_worth_a_try() -> None:
    bounded = replace(SLOW_LAMP_TASK, bounds=((-1.0,), (1.0,)))
    lost = replace(result(20.0 + NOISE, 25.0 + NOISE), task=bounded)
    assert "--rules 6 or --levels 4" in str(shortfall(lost))
