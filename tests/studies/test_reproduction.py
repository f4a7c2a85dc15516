"""A whole reproduction: quick, the same on any number of workers, and resumed after SIGKILL."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from glasstree.studies.reproduction import reproduce

LONGEST = 180


def start(folder: Path) -> "subprocess.Popen[bytes]":
    """Start a study of twelve cells in a process group of its own."""
    words = ["reproduce", "table4", "--quick", "--workers", "2", "--out", str(folder)]
    return subprocess.Popen(
        [sys.executable, "-m", "glasstree", *words],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )


def cells(folder: Path) -> dict[str, int]:
    """Return the finished cells, each with the time when it was written."""
    return {path.name: path.stat().st_mtime_ns for path in folder.glob("cells/[!.]*.json")}


def test_a_killed_study_repeats_no_finished_cell(tmp_path: Path) -> None:
    process = start(tmp_path)
    deadline = time.monotonic() + LONGEST
    while len(cells(tmp_path)) < 3 and process.poll() is None and time.monotonic() < deadline:
        time.sleep(0.02)
    os.killpg(process.pid, signal.SIGKILL)
    process.wait()
    before = cells(tmp_path)
    assert len(before) >= 3
    assert not (tmp_path / "table4.md").exists()
    assert start(tmp_path).wait(LONGEST) == 0
    after = cells(tmp_path)
    assert {name: after[name] for name in before} == before
    assert len(after) == 16
    assert (tmp_path / "table4.md").exists()


def test_the_number_of_workers_changes_nothing(tmp_path: Path) -> None:
    one, two = (reproduce("table2", tmp_path / str(n), quick=True, workers=n) for n in (1, 2))
    assert one.tables == two.tables
    for name in ("table2.md", "table2.csv", "index.html"):
        assert (tmp_path / "1" / name).read_bytes() == (tmp_path / "2" / name).read_bytes()


def test_all_tables_and_figures_are_quick(tmp_path: Path) -> None:
    pytest.importorskip("Box2D")
    found = reproduce("all", tmp_path, runs=1, quick=True)
    assert [table["study"] for table in found.tables] == [f"table{n}" for n in range(1, 9)]
    for table in found.tables:
        keys = {key for key, _, _ in table["columns"]}
        for row in table["rows"]:
            for figures in row["ours"].values():
                assert set(figures) <= keys
                assert set(row["printed"]) <= set(figures)
    assert {path.stem for path in (tmp_path / "figures").glob("*.svg")} == {
        drawing.name for drawing in found.drawings
    }
    page = (tmp_path / "index.html").read_text()
    assert page.count("<svg") == len(found.drawings) == 12
    assert "http" not in page.replace("http://www.w3.org", "").replace("http-equiv", "")
    assert str(tmp_path) not in page
