"""What is better than the paper: more accuracy and reward, shorter rules."""

from typing import Any

import pytest

from glasstree.studies.checks import compared
from glasstree.studies.layout import PRINTED


@pytest.mark.parametrize(
    "key, ours, good",
    [
        *(("rule_length", 3.0, True), ("rule_length", 5.0, True), ("rule_length", 7.0, False)),
        *(("test_accuracy", 7.0, True), ("test_accuracy", 3.0, False)),
        *(("reward", 7.0, True), ("reward", 3.0, False)),
    ],
)
def test_a_figure_is_as_good_as_printed_or_better(key: str, ours: float, good: bool) -> None:
    row: dict[str, Any] = {"name": "arm", PRINTED: {key: [5.0, 1.0]}, "bold": []}
    table: Any = {"study": "table8", "rows": [{**row, "ours": {"glasstree": {key: [ours]}}}]}
    assert [finding.good for finding in compared([table])] == [good]
