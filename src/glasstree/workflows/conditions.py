"""`conditions`: how a policy holds up where things are not as they were."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import product
from typing import Any

import numpy as np

from glasstree.episodes import Performance, Purpose, episode_seeds, evaluate
from glasstree.episodes.play import play
from glasstree.policy import PolicyTree
from glasstree.policy.arrays import Policy
from glasstree.tasks import Task, get_task
from glasstree.tasks.own.conditions import Conditions

SEEN_EPISODES = 10  # that tell the span of each variable where a policy does not


@dataclass(frozen=True)
class Held:
    """What a policy is worth under one setting of the environment's arguments."""

    setting: dict[str, Any]
    performance: Performance

    def figures(self) -> dict[str, Any]:
        """Return setting and figures as plain values."""
        return {"setting": self.setting, **self.performance.figures()}


def conditions(
    policy: Policy,
    task: str | Task,
    *,
    vary: Mapping[str, Sequence[Any]] | None = None,
    noise: float = 0.0,
    delay: int = 0,
    sticky: float = 0.0,
    episodes: int = 1000,
    seed: int = 0,
) -> list[Held]:
    """Score a policy for every combination of arguments of the environment, made worse as told.

    Noise is in shares of each variable's span, delay in steps, and sticky the probability that the
    last action is taken again.
    """
    known = get_task(task)
    if noise or delay or sticky:
        worse = Conditions(noise, delay, sticky, _spans(policy, known, seed) if noise else ())
        environment = replace(known.environment, conditions=worse)
        known = replace(known, environment=environment, simulator=None)
    if not vary:
        return [Held({}, evaluate(policy, known, episodes=episodes, seed=seed))]
    held = []
    for values in product(*vary.values()):
        setting = dict(zip(vary, values, strict=True))
        options = {**known.environment.options, **setting}
        environment = replace(known.environment, options=options)
        other = replace(known, environment=environment, simulator=None)
        held.append(Held(setting, evaluate(policy, other, episodes=episodes, seed=seed)))
    return held


def _spans(policy: Policy, task: Task, seed: int) -> tuple[float, ...]:
    """Return the span of each variable: as a tree keeps it, else as a few episodes show it."""
    if isinstance(policy, PolicyTree):
        return tuple(policy.scaling.span.tolist())
    seeds = episode_seeds(Purpose.VISIT, seed, SEEN_EPISODES)
    _, seen = play(policy, task, seeds, record=True)
    assert seen is not None
    return tuple(np.ptp(seen.states, axis=0).tolist())
