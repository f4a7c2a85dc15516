"""What can be computed about tables: where ours are worse, outside, as fast, as successful."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from glasstree.studies.layout import PRINTED, Table

# whether more is better
BETTER = {"test_accuracy": 1, "rule_length": -1, "reward": 1}
WORDS = {
    "train_accuracy": "train accuracy",
    "test_accuracy": "test accuracy",
    "rule_length": "rule length",
    "reward": "reward",
    "completion": "completion",
}
DEVIATIONS = 3.0  # of the paper's runs, within which its method must come out
POINTS = 3.0  # of success, in percent, that its method may be behind the paper
SPEED = 20.0  # times as fast as RGA that SQP should be
PRECISION = 2  # digits after the point, as the paper prints


@dataclass(frozen=True)
class Finding:
    """One figure of ours beside the paper's; good says whether it passes."""

    table: str
    row: str
    key: str
    ours: float
    printed: float
    good: bool

    def __str__(self) -> str:
        number = self.table.removeprefix("table")
        what = f"{WORDS[self.key]} {self.ours:,.2f} against {self.printed:,.2f}"
        return f"table {number}, {self.row}: {what}"


def compared(tables: Sequence[Table]) -> list[Finding]:
    """Compare `glasstree` with the paper: accuracy on test states, rule length, reward."""
    return [
        Finding(table, row, key, ours, printed[0], BETTER[key] * (ours - printed[0]) >= 0)
        for table, row, key, ours, printed, _ in _figures(tables, "glasstree")
        if key in BETTER
    ]


def accuracies(tables: Sequence[Table]) -> list[Finding]:
    """Tell which `paper` accuracies lie within three deviations of the paper's mean."""
    return [
        Finding(
            table, row, key, ours, printed[0], abs(ours - printed[0]) <= DEVIATIONS * printed[1]
        )
        for table, row, key, ours, printed, _ in _figures(tables, "paper")
        if key in ("train_accuracy", "test_accuracy")
    ]


def successes(tables: Sequence[Table]) -> list[Finding]:
    """Compare `paper` completion with the paper's minus three points where that is bold."""
    return [
        Finding(table, row, key, ours, printed[0], ours >= printed[0] - POINTS)
        for table, row, key, ours, printed, bold in _figures(tables, "paper")
        if key == "completion" and key in bold
    ]


def speeds(tables: Sequence[Table]) -> dict[str, float]:
    """Return how many times as fast as RGA the SQP open loop is, arm by arm."""
    rows = {
        row["name"]: row["ours"]["paper"]["seconds"][0]
        for table in tables
        for row in table["rows"]
        if "seconds" in row["ours"].get("paper", {})
    }
    arms = [name.removesuffix(" SQP") for name in rows if name.endswith(" SQP")]
    return {arm: rows[f"{arm} RGA"] / rows[f"{arm} SQP"] for arm in arms}


def _figures(tables: Sequence[Table], recipe: str) -> Iterator[tuple[Any, ...]]:
    for table in tables:
        for row in table["rows"]:
            ours: Mapping[str, list[float]] = row["ours"].get(recipe, {})
            for key in (key for key in row[PRINTED] if key in ours):
                value = round(ours[key][0], PRECISION)
                printed, bold = row[PRINTED][key], row["bold"]
                yield table["study"], row["name"], key, value, printed, bold
