"""The front as a table, and which of its policies is taken.

docs/algorithm.md, section 11.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from glasstree.closedloop.options import Objective, ReoptimisationOptions
from glasstree.episodes.evaluation import Performance
from glasstree.formats.text import first_rule
from glasstree.policy.front import Rows
from glasstree.policy.tree import PolicyTree
from glasstree.runs.picking import picked

STANDARD_ERRORS = 2.0  # that a policy may be worse than the best and still reach the bar
SHARE = 0.01  # of the spread between random actions and the best


@dataclass(frozen=True)
class Row:
    """A policy of the front, over choosing episodes and over unseen ones.

    worth is what the objective counts over the choosing ones.
    """

    policy: PolicyTree
    choosing: Performance
    unseen: Performance
    worth: float

    @property
    def complexity(self) -> int:
        """Number of printed symbols."""
        return self.policy.complexity

    @property
    def first_rule(self) -> str:
        """The rule at the root in original units, or the action where there is none."""
        return first_rule(self.policy)

    def figures(self) -> dict[str, Any]:
        """Return the columns of the table as plain values."""
        return {
            "complexity": self.complexity,
            **self.unseen.figures(),
            "rules": self.policy.n_rules,
            "rule_length": self.policy.rule_length,
            "depth": self.policy.depth,
            "choosing": self.choosing.figures(),
            "worth": self.worth,
        }


@dataclass(frozen=True)
class Front(Rows[Row]):
    """The best policy of each complexity, the least complex first, and the bar for a choice.

    bar is what a policy must be worth over choosing episodes to be taken by default.
    """

    bar: float
    objective: Objective = "reward"

    def figures(self) -> dict[str, Any]:
        """Return the table as plain values."""
        rows = [row.figures() for row in self.rows]
        return {"bar": self.bar, "objective": self.objective, "policies": rows}

    def pick(self, which: str | int = "default") -> Row:
        """Return the best row, the simplest, the best that is at most so complex, or the default.

        The default is the least complex policy that reaches the bar, or the best if none does.
        """
        sizes = [row.complexity for row in self.rows]
        worths = [row.worth for row in self.rows]
        return self.rows[picked(sizes, worths, self.bar, which)]


def front_from(figures: Mapping[str, Any], policies: Sequence[PolicyTree]) -> Front:
    """Return the front of plain values and of the policies that they belong to."""

    def performance(values: Mapping[str, Any]) -> Performance:
        kept = {name: values[name] for name in Performance.FIGURES}
        return Performance(**{**kept, "ci95": tuple(kept["ci95"])}, rewards=np.zeros(0))

    rows = (
        Row(policy, performance(values["choosing"]), performance(values), values["worth"])
        for policy, values in zip(policies, figures["policies"], strict=True)
    )
    return Front(tuple(rows), figures["bar"], figures["objective"])


def worth(performance: Performance, search: ReoptimisationOptions) -> float:
    """Return what the objective counts: reward less failures, or success where it is known."""
    successes = performance.success_rate
    if successes is None:
        return performance.mean_reward
    if search.objective == "success":
        return successes
    return performance.mean_reward - search.failure_cost * (1.0 - successes)


def bar(
    best: Performance, oracle: Performance, random: Performance, search: ReoptimisationOptions
) -> float:
    """Return what a policy must be worth: as much as the oracle and the best, but for a margin.

    The margin is two standard errors, or a hundredth of the spread between random actions and the
    best, whichever is more; in rewards as they are, so that what a failure costs does not widen it.
    """
    top = worth(best, search)
    if search.objective == "success" and best.success_rate is not None:
        deviation, spread = float(np.sqrt(top * (1.0 - top))), top - worth(random, search)
    else:
        deviation, spread = best.episode_sd, best.mean_reward - random.mean_reward
    margin = max(STANDARD_ERRORS * deviation / np.sqrt(best.episodes), SHARE * spread)
    return max(top, worth(oracle, search)) - float(margin)


class RandomActions:
    """The policy that every other one must beat."""

    def __init__(self, n_actions: int, seed: int) -> None:
        self.n_actions, self.generator = n_actions, np.random.default_rng(seed)

    def actions(self, states: Any) -> Any:
        """Return random actions."""
        return self.generator.integers(self.n_actions, size=len(states))
