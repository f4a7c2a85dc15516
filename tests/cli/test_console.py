import io

import pytest
from rich.console import Console

from commands import Command
from glasstree import progress
from glasstree.cli import classes, console
from glasstree.tables.figures import Confusion

RULE = "v - 0.015831682715295108 x <= 0.00725579704458145"


def told(capsys: pytest.CaptureFixture[str], total: int | None) -> str:
    with console.showing_progress():
        progress.emit(progress.Stage("closed loop", total))
        progress.emit(progress.Advance("closed loop", 3, {"reward": 12.5}))
        return capsys.readouterr().err


@pytest.mark.parametrize("total, words", [(20, "3 of 20"), (None, "3")])
def test_a_log_file_hears_how_far_it_is(
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    total: int | None,
    words: str,
) -> None:
    monkeypatch.setattr(console, "LOG_SECONDS", 0.0)
    assert told(capsys, total) == f"closed loop: {words}  reward 12.5\n"


def test_a_log_file_is_not_filled(capsys: pytest.CaptureFixture[str]) -> None:
    assert told(capsys, 20) == ""


def test_no_figure_of_a_table_is_cut_off_at_80_columns(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(console, "console", Console(width=80, markup=False, highlight=False))
    columns = ["policy", "mean reward", "episode sd", "batch sd", "success", "rules", "symbols"]
    row = ["re-engineered", "179,724.85", "1,234.56", "123.45", "100.0 %", "1", "29"]
    console.print_table("of a narrow terminal", columns, [row])
    lines = capsys.readouterr().out.splitlines()
    assert any(line.split() == " ".join(row).split() for line in lines)
    assert max(map(len, lines)) <= 80


def test_the_oracles_are_told_whole_at_80_columns(
    monkeypatch: pytest.MonkeyPatch, glasstree: Command
) -> None:
    monkeypatch.setattr(console.console, "_width", 80)
    shown = glasstree("oracles").out.splitlines()
    (lander,) = [line.split() for line in shown if line.split()[:1] == ["lunarlander"]]
    assert lander[-2:] == ["98.7", "%"]
    assert any(line.split()[-1:] == ["success"] for line in shown)


def test_a_title_is_one_line_however_narrow_its_table(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(console, "console", Console(width=40, highlight=False))
    console.print_table("a file's name [of some length]: 3,000 rows", ["a", "b"], [["1", "2"]])
    assert "a file's name [of some length]: 3,000 rows" in capsys.readouterr().out.splitlines()


@pytest.mark.parametrize("names, told", [("ab", "as b"), ("abcdefghijkl", "taken for")])
def test_confusion_is_whole_or_told_in_words(
    names: str, told: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(console, "console", Console(width=80, markup=False, highlight=False))
    labels = [*names] * 4
    classes.show_classes(Confusion.of(labels, ["b", *labels[1:]]))
    out = capsys.readouterr().out
    assert told in out and max(map(len, out.splitlines())) <= 80
    if told == "taken for":
        assert ["a", "b", "1"] in [line.split() for line in out.splitlines()]


def test_a_terminal_shows_the_front_growing_and_no_time_cut_off(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    screen = Console(file=io.StringIO(), width=80, force_terminal=True, markup=False)
    monkeypatch.setattr(console, "messages", screen)
    figures = {"reward": -124.73, "best reward": -107.73, "states": 30000.0}
    with console.Bars() as bars:
        bars.hear(progress.Stage("aggregate", 9))
        bars.hear(progress.Advance("aggregate", 9, figures))
        bars.hear(progress.Found(((1, -200.0, "left"), (9, -105.5, RULE))))
        bars._progress.refresh()
        drawn = screen.file.getvalue()
    assert "v - 0.0158 x <= 0.00726" in drawn and "-105.50" in drawn and "symbols" in drawn
    assert "0:00:00" in drawn and "…" not in drawn
    last = screen.file.getvalue()[len(drawn) :]
    assert "first rule" not in last


def test_a_log_file_has_no_growing_front(capsys: pytest.CaptureFixture[str]) -> None:
    with console.showing_progress():
        progress.emit(progress.Found(((1, -200.0, "left"),)))
    assert "left" not in capsys.readouterr().err
