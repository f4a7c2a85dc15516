"""A run, its report and a pick write the same page for the same choice."""

import shutil
from pathlib import Path

import pytest

import glasstree as gt
from glasstree.closedloop import ReoptimisationOptions
from glasstree.closedloop.options import FrontOptions
from toys import little

FILES = ("report.html", "policy.json", "metrics.json")


@pytest.fixture(scope="module")
def finished(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A small run with a front of several policies."""
    folder = tmp_path_factory.mktemp("runs") / "hill"
    closed_loop = ReoptimisationOptions(
        generations=2, racing_episodes=20, choosing_episodes=20, trees=1, population=8
    )
    front = FrontOptions(
        steps=100_000, racing_episodes=20, choosing_episodes=20, rounding_episodes=20
    )
    options = little(
        data="regular", samples=200, episodes=20, closed_loop=closed_loop, front=front, pick="best"
    )
    gt.distill("mountaincar", options=options, out=folder)
    return folder


@pytest.fixture
def run(finished: Path, tmp_path: Path) -> gt.Run:
    """A copy of it to pick from."""
    return gt.open_run(shutil.copytree(finished, tmp_path / "hill"))


def contents(run: gt.Run) -> list[bytes]:
    """What a pick may change."""
    return [(run.folder / name).read_bytes() for name in FILES]


def test_a_run_ends_with_the_page_that_report_makes(run: gt.Run, tmp_path: Path) -> None:
    again = run.report(tmp_path / "again.html")
    assert again.read_bytes() == (run.folder / "report.html").read_bytes()


def test_a_pick_changes_one_number_of_the_page(run: gt.Run, tmp_path: Path) -> None:
    before = (run.folder / "report.html").read_text()
    best = run.policy.complexity
    simplest = run.pick("simplest").complexity
    assert simplest < best
    place = '<script type="application/json" id="chosen">{}</script>'
    assert before.count(place.format(best)) == 1
    picked = (run.folder / "report.html").read_text()
    assert picked == before.replace(place.format(best), place.format(simplest))
    assert picked == run.report(tmp_path / "again.html").read_text()


def test_picking_back_gives_the_same_bytes(run: gt.Run) -> None:
    before = contents(run)
    run.pick("simplest")
    assert all(old != new for old, new in zip(before, contents(run), strict=True))
    run.pick("best")
    assert contents(run) == before
