"""Tables have the paper's line above ours, in Markdown, CSV and HTML; checks are computed."""

import csv
import io

import pytest
from markupsafe import Markup

from glasstree.studies.checks import accuracies, compared, speeds, successes
from glasstree.studies.layout import csv_text, markdown
from glasstree.studies.reproduction import web_page
from small_table import table


def test_markdown_has_the_printed_line_above_ours() -> None:
    text = markdown(table())
    assert "## Table 8: Arms" in text
    assert "| arm |  | test % | time | r | c |" in text
    assert (
        "| 5-link SQP | printed | **69.3 ± 5.4** | **15.29 ± 4.95** | **-146.81 ± 8.53** | "
        "**96 ± 3** |\n"
        "|  | paper | 90.0 ± 1.0 | 0.50 ± 0.10 | - | 93 ± 1 |\n"
        "|  | glasstree | 99.0 ± 1.0 | - | -150.00 ± 2.00 | - |\n"
    ) in text
    assert "| 5-link <none> | oracle | - | - | 1,234.50 ± 0.25 | - |" in text
    assert "Printed: Table 8: Comparing performance" in text


def test_csv_has_mean_and_deviation_apart() -> None:
    lines = list(csv.DictReader(io.StringIO(csv_text(table()))))
    assert [line["whose"] for line in lines[:3]] == ["printed", "paper", "glasstree"]
    assert (lines[1]["seconds"], lines[1]["seconds_sd"]) == ("0.5", "0.1")
    assert lines[2]["completion"] == ""


def test_html_is_escaped() -> None:
    text = web_page([{**table(), "setting": "<i>", "notes": "<u>"}], Markup("<p>a figure</p>"))
    assert "5-link &lt;none&gt;" in text and "5-link <none>" not in text
    assert "<i>" not in text and "<u>" not in text
    assert "<p>a figure</p>" in text
    assert '<section id="table8"' in text


def test_worse_figures_are_found() -> None:
    found = {finding.key: finding for finding in compared([table()])}
    assert found["test_accuracy"].good
    assert not found["reward"].good
    words = "table 8, 5-link SQP: reward -150.00 against -146.81 (-3.19 ± 2.49)"
    assert str(found["reward"]) == words and found["reward"].sure


def test_accuracies_outside_three_deviations_are_found() -> None:
    assert [(found.row, found.good) for found in accuracies([table()])] == [
        ("5-link SQP", False),
        ("5-link RGA", True),
    ]


def test_success_may_be_three_points_below_bold() -> None:
    (found,) = successes([table()])
    assert (found.ours, found.printed, found.good) == (93.0, 96.0, True)


def test_speed_is_a_ratio_of_times() -> None:
    assert speeds([table()]) == {"5-link": pytest.approx(30.0)}
