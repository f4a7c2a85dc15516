"""The page of a run opens without a network and shows the rules and the figures."""

import re
from html import unescape
from pathlib import Path
from xml.etree import ElementTree

import pytest

from glasstree.closedloop import ReoptimisationOptions
from glasstree.export import to_text
from glasstree.pipeline import Options, Result, distill
from glasstree.report import write_report
from glasstree.report.figures import reward_histogram, training_curve
from toys import LAMP_TASK, lamp_oracle

OPTIONS = Options(
    data="regular",
    samples=200,
    episodes=100,
    closed_loop=ReoptimisationOptions(generations=3, racing_episodes=20, choosing_episodes=50),
)


@pytest.fixture(scope="module")
def result() -> Result:
    """A distilled lamp."""
    return distill(LAMP_TASK, lamp_oracle, OPTIONS)


def page_of(result: Result, folder: Path) -> str:
    """Write the page and read it."""
    write_report(result, folder / "report.html")
    return (folder / "report.html").read_text()


def test_the_page_shows_rules_stages_and_outcome(result: Result, tmp_path: Path) -> None:
    page = page_of(result, tmp_path)
    assert to_text(result.policy) in unescape(page)
    for name in ("oracle", "open loop", "closed loop", "re-engineered"):
        assert f"<td>{name}</td>" in page
    assert "mean reward 20.00, 100.0 % success over 100 unseen episodes" in page
    assert page.count("<svg") == 2


def test_the_page_needs_nothing_from_elsewhere(result: Result, tmp_path: Path) -> None:
    page = page_of(result, tmp_path)
    assert not re.search(r"(src|href)=[\"']?https?:", page)
    assert "<script" not in page
    assert "@import" not in page


def test_the_same_result_gives_the_same_page(result: Result, tmp_path: Path) -> None:
    assert page_of(result, tmp_path) == page_of(result, tmp_path)


def test_names_cannot_break_the_page(result: Result, tmp_path: Path) -> None:
    from dataclasses import replace

    hostile = "</pre><script>alert(1)</script>"
    task = replace(LAMP_TASK, name=hostile, state_names=(hostile,))
    page = page_of(distill(task, lamp_oracle, OPTIONS), tmp_path)
    assert "<script" not in page


@pytest.mark.parametrize("best, mean", [([], []), ([1.0], [0.5]), ([1.0, 2.0], [0.0, 1.0])])
def test_figures_are_well_formed(best: list[float], mean: list[float]) -> None:
    assert ElementTree.fromstring(training_curve(best, mean)).tag.endswith("svg")
    histogram = reward_histogram({"flat": [1.0] * 5, "one": best or [0.0]})
    assert ElementTree.fromstring(histogram).tag.endswith("svg")
