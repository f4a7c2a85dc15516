"""What is told about a claim: proved, refuted or unknown, and why."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

Verdict = Literal["proved", "refuted", "unknown"]


@dataclass(frozen=True)
class Answer:
    """The verdict on one claim, a sentence that says why, and what it rests on.

    state breaks a refuted claim; left is the part of the range that is not decided, an interval a
    variable; evidence is what a certificate keeps.
    """

    claim: str
    verdict: Verdict
    sentence: str
    seconds: float
    state: Mapping[str, float] | None = None
    action: str | None = None
    left: Mapping[str, tuple[float, float]] | None = None
    share_left: float = 0.0
    evidence: Mapping[str, Any] = field(default_factory=dict, repr=False)

    def __str__(self) -> str:
        return f"{self.verdict}: {self.claim}" + (f" ({self.sentence})" if self.sentence else "")

    def figures(self) -> dict[str, Any]:
        """Return the answer as plain data."""
        found: dict[str, Any] = {"claim": self.claim, "verdict": self.verdict}
        found |= {"sentence": self.sentence, "seconds": round(self.seconds, 3)}
        if self.state is not None:
            found |= {"state": dict(self.state), "action": self.action}
        if self.left is not None:
            left = {name: list(ends) for name, ends in self.left.items()}
            found |= {"left": left, "share_left": self.share_left}
        return found


def exit_code(answers: list[Answer]) -> int:
    """Return 0 if all is proved, 1 if something is refuted, else 2."""
    verdicts = {answer.verdict for answer in answers}
    return 1 if "refuted" in verdicts else 2 if "unknown" in verdicts else 0
