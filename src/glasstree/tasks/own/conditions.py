"""Conditions that a policy was not made for: noisy or late observations, actions that stick."""

from collections import deque
from dataclasses import dataclass
from typing import Any

import numpy as np

from glasstree.errors import OptionError
from glasstree.policy.arrays import Floats

PURPOSE = 7  # apart from the seed alone, with which the environment draws


@dataclass(frozen=True)
class Conditions:
    """What is made worse in every episode.

    Each variable gets normal noise, in shares of its span; observations are delay steps old, the
    first one as long as there is none; with a probability the last action is taken again.
    """

    noise: float = 0.0
    delay: int = 0
    sticky: float = 0.0
    spans: tuple[float, ...] = ()

    def __post_init__(self) -> None:
        if self.noise < 0 or self.delay < 0 or not 0 <= self.sticky < 1:
            raise OptionError(
                "noise and delay may not be negative, and sticky is a share from 0 to less than 1; "
                f"got {self.noise:g}, {self.delay} and {self.sticky:g}"
            )

    def begin(self, seed: int | None) -> "Disturbance":
        """Return what happens in one episode."""
        return Disturbance(self, np.random.default_rng([seed or 0, PURPOSE]))


class Disturbance:
    """The conditions of one episode; the seed decides them."""

    def __init__(self, conditions: Conditions, generator: np.random.Generator) -> None:
        self.conditions, self.generator = conditions, generator
        self.last: Any = None
        self.waiting: deque[Floats] = deque(maxlen=conditions.delay + 1)

    def seen(self, state: Floats) -> Floats:
        """Return what the policy sees instead of a state."""
        if self.conditions.noise:
            spread = self.conditions.noise * np.asarray(self.conditions.spans)
            state = state + spread * self.generator.normal(size=len(state))
        self.waiting.append(state)
        return self.waiting[0]

    def taken(self, action: Any) -> Any:
        """Return what is done instead of an action."""
        stuck = self.last is not None and self.generator.uniform() < self.conditions.sticky
        self.last = self.last if stuck else action
        return self.last
