"""The front as a table, and which of its policies is taken."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, overload

import numpy as np

from glasstree.closedloop.options import Objective
from glasstree.episodes.evaluation import Performance
from glasstree.errors import OptionError
from glasstree.policy.tree import PolicyTree

STANDARD_ERRORS = 2.0
SHARE = 0.01  # of the spread between random actions and the best
PICKS = ("default", "best", "simplest")


@dataclass(frozen=True)
class Row:
    """A policy of the front, over choosing episodes and over unseen ones."""

    policy: PolicyTree
    choosing: Performance
    unseen: Performance

    @property
    def complexity(self) -> int:
        """Number of printed symbols."""
        return self.policy.complexity

    def figures(self) -> dict[str, Any]:
        """Return the columns of the table as plain values."""
        return {
            "complexity": self.complexity,
            **self.unseen.figures(),
            "rules": self.policy.n_rules,
            "choosing": self.choosing.figures(),
        }


@dataclass(frozen=True)
class Front(Sequence[Row]):
    """The best policy of each complexity, the least complex first, and the bar for a choice.

    bar is what a policy must be worth over choosing episodes to be taken by default.
    """

    rows: tuple[Row, ...]
    bar: float
    objective: Objective = "reward"

    def __len__(self) -> int:
        return len(self.rows)

    @overload
    def __getitem__(self, place: int) -> Row: ...
    @overload
    def __getitem__(self, place: slice) -> Sequence[Row]: ...
    def __getitem__(self, place: int | slice) -> Row | Sequence[Row]:
        return self.rows[place]

    def __iter__(self) -> Iterator[Row]:
        return iter(self.rows)

    def pick(self, which: str | int = "default") -> Row:
        """Return the best row, the simplest, the best that is at most so complex, or the default.

        The default is the least complex policy that reaches the bar, or the best if none does.
        """
        if which in ("default", "simplest"):
            bar = self.bar if which == "default" else -np.inf
            enough = [row for row in self.rows if worth(row.choosing, self.objective) >= bar]
            return enough[0] if enough else self.rows[-1]
        if which == "best":
            return self.rows[-1]
        if not str(which).isdecimal():
            raise OptionError(
                f"cannot pick {which!r}; pick {', '.join(PICKS)}, or give the most symbols, like 15"
            )
        within = [row for row in self.rows if row.complexity <= int(which)]
        if not within:
            raise OptionError(
                f"no policy has at most {which} symbols; the simplest has {self.rows[0].complexity}"
            )
        return within[-1]


def worth(performance: Performance, objective: Objective) -> float:
    """Return what the objective counts: reward, or success where it is known."""
    if objective == "success" and performance.success_rate is not None:
        return performance.success_rate
    return performance.mean_reward


def bar(
    best: Performance, oracle: Performance, random: Performance, objective: Objective = "reward"
) -> float:
    """Return what a policy must be worth: as much as the oracle and the best, but for a margin.

    The margin is two standard errors, or a hundredth of the spread between random actions and the
    best, whichever is more.
    """
    top = worth(best, objective)
    if objective == "success" and best.success_rate is not None:
        deviation = float(np.sqrt(top * (1.0 - top)))
    else:
        deviation = best.episode_sd
    error = STANDARD_ERRORS * deviation / np.sqrt(best.episodes)
    margin = max(error, SHARE * (top - worth(random, objective)))
    return max(top, worth(oracle, objective)) - float(margin)


class RandomActions:
    """The policy that every other one must beat."""

    def __init__(self, n_actions: int, seed: int) -> None:
        self.n_actions, self.generator = n_actions, np.random.default_rng(seed)

    def actions(self, states: Any) -> Any:
        """Return random actions."""
        return self.generator.integers(self.n_actions, size=len(states))
