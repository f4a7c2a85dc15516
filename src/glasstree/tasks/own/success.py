"""When an episode of a user's environment succeeds: one word, or a bound on what it earned."""

import operator
import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from glasstree.errors import TaskError
from glasstree.policy.arrays import Bools
from glasstree.tasks.base import Outcomes, reached, survived

WORDS = {"survived": survived, "reached": reached}
MEASURES = {"reward": "rewards", "steps": "steps", "last reward": "last_rewards"}
SIGNS: dict[str, Callable[[Any, float], Any]] = {
    ">=": operator.ge,
    "<=": operator.le,
    ">": operator.gt,
    "<": operator.lt,
}
BOUND = re.compile(r"\s*(reward|steps|last reward)\s*(>=|<=|>|<)\s*(\S+)\s*")


@dataclass(frozen=True)
class Bound:
    """An episode succeeds where a measure of it keeps a bound."""

    measure: str
    sign: str
    bound: float

    def __call__(self, ends: Outcomes) -> Bools:
        """Tell which episodes succeed."""
        kept = SIGNS[self.sign](getattr(ends, MEASURES[self.measure]), self.bound)
        return np.asarray(kept, dtype=np.bool_)


def success_of(text: str) -> Callable[[Outcomes], Bools]:
    """Return the test that a text means.

    >>> success_of("reward >= 195")
    Bound(measure='reward', sign='>=', bound=195.0)
    """
    if text in WORDS:
        return WORDS[text]
    found = BOUND.fullmatch(text)
    try:
        if found:
            return Bound(found[1], found[2], float(found[3]))
    except ValueError:
        pass
    raise TaskError(
        f"cannot read {text!r} as success; say survived (no end before the step limit), reached "
        "(an end before it), or a bound on reward, steps or last reward such as 'reward >= 195'"
    )
