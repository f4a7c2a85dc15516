"""`conditions`: how policies hold up where things are not as they were."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np

from glasstree import progress
from glasstree.episodes import Performance, Purpose, episode_seeds, evaluate
from glasstree.episodes.play import play
from glasstree.oracles.library import load_oracle, oracle_in_file
from glasstree.policy import PolicyTree
from glasstree.policy.arrays import Policy
from glasstree.runs.measured import add_measured
from glasstree.runs.reading import config_of
from glasstree.tasks import Task, get_task
from glasstree.tasks.own.conditions import Conditions

SEEN_EPISODES = 10  # that tell the span of each variable where a policy does not
STAGE = "evaluate"
ORACLE = "oracle"


@dataclass(frozen=True)
class Held:
    """What a policy is worth under one setting of the environment's arguments."""

    setting: dict[str, Any]
    performance: Performance

    def figures(self) -> dict[str, Any]:
        """Return setting and figures as plain values."""
        return {"setting": self.setting, **self.performance.figures()}


def conditions(policy: Policy, task: str | Task, **words: Any) -> list[Held]:
    """Score a policy for every combination of arguments of the environment, made worse as told.

    Words are those of side_by_side.
    """
    return side_by_side({"": policy}, task, **words)[""]


def side_by_side(
    players: Mapping[str, Policy],
    task: str | Task,
    *,
    vary: Mapping[str, Sequence[Any]] | None = None,
    noise: float = 0.0,
    delay: int = 0,
    sticky: float = 0.0,
    episodes: int = 1000,
    seed: int = 0,
    keep: str | Path | None = None,
) -> dict[str, list[Held]]:
    """Score policies in the same episodes, for every combination of arguments, made worse as told.

    Noise is in shares of each variable's span, delay in steps, and sticky the probability that the
    last action is taken again. The folder of a run keeps what was found, for its page.
    """
    known, settings = get_task(task), dict(vary or {})
    if noise or delay or sticky:
        spans = _spans(players, known, seed) if noise else ()
        worse = Conditions(noise, delay, sticky, spans)
        environment = replace(known.environment, conditions=worse)
        known = replace(known, environment=environment, simulator=None)
    places = [dict(zip(settings, values, strict=True)) for values in product(*settings.values())]
    progress.emit(progress.Stage(STAGE, total=len(places) * len(players)))
    found: dict[str, list[Held]] = {name: [] for name in players}
    for number, place in enumerate(places):
        for order, (name, policy) in enumerate(players.items(), 1):
            played = _suited(_with_arguments(known, place), policy)
            score = evaluate(policy, played, episodes=episodes, seed=seed)
            found[name].append(Held(place, score))
            progress.emit(progress.Advance(STAGE, number * len(players) + order, {}))
    if keep is not None:
        words: dict[str, Any] = {"noise": noise, "delay": delay, "sticky": sticky}
        keep_found(keep, players, found, episodes=episodes, seed=seed, vary=settings, **words)
    return found


def keep_found(
    folder: str | Path,
    players: Mapping[str, Policy],
    found: Mapping[str, Sequence[Held]],
    *,
    vary: Mapping[str, Sequence[Any]] | None = None,
    noise: float = 0.0,
    delay: int = 0,
    sticky: float = 0.0,
    episodes: int = 1000,
    seed: int = 0,
) -> None:
    """Add what side_by_side found to what the run of a folder keeps for its page."""
    about = {"noise": float(noise), "delay": delay, "sticky": float(sticky)}
    about |= {"episodes": episodes, "seed": seed}
    rows: dict[str, Any] = {}
    for name, held in found.items():
        label = called(name, players[name])
        label = f"{label} ({name})" if label in rows else label
        plain = {argument: list(values) for argument, values in (vary or {}).items()}
        settings = [one.figures() for one in held]
        rows[label] = {"policy": label, "vary": plain, **about, "settings": settings}
    add_measured(Path(folder), list(rows.values()))


def called(name: str, policy: Policy) -> str:
    """Return what a page calls a policy: a tree by its symbols, as everywhere on the page."""
    if not isinstance(policy, PolicyTree):
        return name or ORACLE
    return f"{policy.complexity} symbol{'' if policy.complexity == 1 else 's'}"


def others_beside(
    names: Sequence[str], task: Task, trust: bool = False, run: Path | None = None
) -> dict[str, Policy]:
    """Return oracles and policies by name; "oracle" is the one that a run explains."""
    own = None if run is None else config_of(run).oracle
    found: dict[str, Policy] = {}
    for name in names:
        if own is not None and name in (ORACLE, own):
            load = oracle_in_file if name == ORACLE else load_oracle
            found[ORACLE] = load(own, task, trust)
        else:
            found[name] = load_oracle(name, task, trust)
    return found


def _with_arguments(task: Task, setting: Mapping[str, Any]) -> Task:
    if not setting:
        return task
    options = {**task.environment.options, **setting}
    environment = replace(task.environment, options=options)
    return replace(task, environment=environment, simulator=None)


def _suited(task: Task, policy: Policy) -> Task:
    """Return the task with continuous actions as they are, for a policy that tells vectors."""
    return task.free if task.bounds is not None and hasattr(policy, "vectors") else task


def _spans(players: Mapping[str, Policy], task: Task, seed: int) -> tuple[float, ...]:
    """Return the span of each variable: as a tree keeps it, else as a few episodes show it."""
    for policy in players.values():
        if isinstance(policy, PolicyTree):
            return tuple(policy.scaling.span.tolist())
    seeds = episode_seeds(Purpose.VISIT, seed, SEEN_EPISODES)
    policy = next(iter(players.values()))
    _, seen = play(policy, _suited(task, policy), seeds, record=True)
    assert seen is not None
    return tuple(np.ptp(seen.states, axis=0).tolist())
