"""What can be computed about tables: where ours are worse, outside, as fast, as successful."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import hypot, sqrt
from typing import Any

from glasstree.studies.layout import PRINTED, Table

# whether more is better
BETTER = {"test_accuracy": 1, "rule_length": -1, "reward": 1}
IMITATED = ("train_accuracy", "test_accuracy")
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
# behind a deviation, the paper's and ours: open loops, or batches of episodes
RUNS, BATCHES = 10, 50
SURE = 0.95


@dataclass(frozen=True)
class Finding:
    """One figure of ours beside the paper's; good says whether it passes.

    half: of the 95 % interval of the difference, where that is known.
    """

    table: str
    row: str
    key: str
    ours: float
    printed: float
    good: bool
    half: float | None = None

    @property
    def sure(self) -> bool:
        """Whether the difference is outside its interval."""
        return self.half is None or abs(self.ours - self.printed) > self.half

    def __str__(self) -> str:
        number = self.table.removeprefix("table")
        what = f"{WORDS[self.key]} {self.ours:,.2f} against {self.printed:,.2f}"
        if self.half is not None:
            what += f" ({self.ours - self.printed:+,.2f} ± {self.half:,.2f})"
        return f"table {number}, {self.row}: {what}"


def compared(tables: Sequence[Table]) -> list[Finding]:
    """Compare `glasstree` with the paper: accuracy on test states, rule length, reward."""
    return [
        Finding(
            name,
            row,
            key,
            ours[0],
            printed[0],
            BETTER[key] * (ours[0] - printed[0]) >= 0,
            half_interval(key, ours, printed, table.get("runs", RUNS)),
        )
        for table in tables
        for name, row, key, ours, printed, _ in _figures([table], "glasstree", BETTER)
    ]


def half_interval(
    key: str, ours: Sequence[float], printed: Sequence[float], runs: int = RUNS
) -> float:
    """Return half the 95 % interval of a difference of means, by the deviations that are known.

    >>> round(half_interval("reward", [5.0, 3.0], [1.0, 4.0]), 2)
    1.42
    """
    from scipy.stats import t as student

    counts = (BATCHES, BATCHES) if key == "reward" else (runs, RUNS)
    pairs = zip((ours, printed), counts, strict=True)
    errors = [deviation / sqrt(count) for figures, count in pairs for deviation in figures[1:]]
    return float(student.ppf((1 + SURE) / 2, max(1, min(counts) - 1))) * hypot(*errors)


def accuracies(tables: Sequence[Table]) -> list[Finding]:
    """Tell which `paper` accuracies lie within three deviations of the paper's mean."""
    return [
        Finding(table, row, key, ours, printed, abs(ours - printed) <= DEVIATIONS * deviation)
        for table, row, key, (ours, *_), (printed, deviation), _ in _figures(
            tables, "paper", IMITATED
        )
    ]


def successes(tables: Sequence[Table]) -> list[Finding]:
    """Compare `paper` completion with the paper's minus three points where that is bold."""
    return [
        Finding(table, row, key, ours, printed, ours >= printed - POINTS)
        for table, row, key, (ours, *_), (printed, *_), bold in _figures(
            tables, "paper", ["completion"]
        )
        if key in bold
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


def _figures(
    tables: Sequence[Table], recipe: str, keys: Collection[str]
) -> Iterator[tuple[Any, ...]]:
    """Yield table, row, key, our figures, the printed ones, and the keys in bold."""
    for table in tables:
        for row in table["rows"]:
            ours: Mapping[str, list[float]] = row["ours"].get(recipe, {})
            for key in (key for key in row[PRINTED] if key in keys and key in ours):
                value = [round(ours[key][0], PRECISION), *ours[key][1:]]
                yield table["study"], row["name"], key, value, row[PRINTED][key], row["bold"]
