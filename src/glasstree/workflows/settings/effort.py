"""`--minutes` and `--effort`: budgets that fit a time, or a share of the usual ones.

A plan is made once, before a run begins, and kept with it as options: what comes out of it does not
hang on the clock any more.
"""

from collections.abc import Collection, Mapping
from dataclasses import fields, replace
from functools import partial
from itertools import cycle
from math import log
from time import perf_counter
from typing import Any, NamedTuple

import numpy as np

from glasstree import progress
from glasstree.closedloop.front.choice import RandomActions
from glasstree.episodes import Purpose, episode_seeds
from glasstree.episodes.play import play
from glasstree.episodes.scoring import play_all
from glasstree.errors import OptionError, unknown
from glasstree.options import Options
from glasstree.parallel import n_workers
from glasstree.policy import Leaf, PolicyTree, Scaling
from glasstree.policy.arrays import Policy
from glasstree.tasks import Task
from glasstree.workflows.settings.short import with_enough_episodes

EFFORTS = {"quick": 0.1, "default": 1.0, "thorough": 4.0}  # shares of the usual steps, about
PROBE_SECONDS = 1.0  # of episodes, at least, to see what a step costs
PROBE_EPISODES = 8  # of each kind, to see how long they are
PLAYING = 0.6  # share of the time for episodes; structures and the page take the rest
TOLERATED = 0.05  # of the minutes: more than that is told
FRONT_ROWS = 20  # policies of a front that are scored, about
# the least of each number that a plan may come to
LEAST: Mapping[str, Mapping[str, int]] = {
    "": {"samples": 1000, "episodes": 50},
    "aggregation": {"rounds": 2, "first": 1000, "added": 500, "episodes": 10},
    "closed_loop": {
        "generations": 8,
        "trial_generations": 3,
        "episodes": 5,
        "racing_episodes": 15,
        "choosing_episodes": 30,
    },
    "reengineering": {"trials": 2, "episodes": 30, "choosing_episodes": 60, "states": 500},
    "front": {
        "steps": 1000,
        "episodes": 4,
        "racing_episodes": 12,
        "choosing_episodes": 20,
        "rounding_episodes": 10,
    },
}
# where even that takes too long: little more than imitation
BARE: Mapping[str, Mapping[str, int]] = {
    "": {"samples": 500, "episodes": 20},
    "aggregation": {"rounds": 1, "first": 500, "added": 250, "episodes": 4},
    "closed_loop": {
        "generations": 2,
        "trial_generations": 1,
        "trees": 1,
        "population": 6,
        "episodes": 3,
        "racing_episodes": 6,
        "choosing_episodes": 10,
        "finalists": 1,
    },
    "reengineering": {"trials": 0, "episodes": 6, "choosing_episodes": 10, "states": 200},
    "front": {
        "steps": 100,
        "episodes": 2,
        "racing_episodes": 6,
        "choosing_episodes": 10,
        "rounding_episodes": 4,
    },
}
# numbers whose products count grow as the root of the whole, and those of states, which are cheap
TOGETHER = ("generations", "trial_generations", "episodes", "rounds", "trials")
STATES = ("samples", "first", "added", "racing_episodes", "choosing_episodes")


def fitted(options: Options, task: Task, oracle: Policy, minutes: float) -> Options:
    """Return options that take about so many minutes, and say what they come to."""
    if not minutes > 0:
        raise OptionError(f"a run takes more than 0 minutes, got {minutes:g}")
    cost, lengths = measured(task, oracle, options.seed)
    steps = 60.0 * minutes * PLAYING * n_workers() / cost
    fit = _largest_fit(options, lengths, steps)
    if task.simulator is None:
        fit = with_enough_episodes(fit, lengths.good, partial(expected_steps, lengths=lengths))
    times = expected_steps(fit, lengths) / steps
    few = f", not {minutes:g}: less cannot be done" if times > 1.0 + TOLERATED else ""
    taken = round(minutes * times, 1) if few else minutes
    time = f"about {taken:g} minute{'' if taken == 1 else 's'}{few}"
    _tell(f"{time} at {1e6 * cost:,.0f} microseconds a step", fit)
    return fit


def with_effort(options: Options, effort: str, said: Collection[str] = ()) -> Options:
    """Return options with a share of each budget, but for those that were said, and tell them."""
    if effort not in EFFORTS:
        raise OptionError(unknown("effort", effort, EFFORTS))
    if effort == "default":
        return options
    scaled = _scaled(options, EFFORTS[effort], LEAST)
    names = [field.name for field in fields(Options) if field.name in said]
    if EFFORTS[effort] > 1.0:
        names += ["samples", "episodes"]  # figures and first states are plenty already
    found = replace(scaled, **{name: getattr(options, name) for name in names})
    _tell(f"{effort} effort", found)
    return found


def _tell(what: str, options: Options) -> None:
    loop, front = options.closed_loop, options.front
    count = options.aggregation.rounds
    rounds = f"{count} round{'' if count == 1 else 's'}, " if options.data == "dagger" else ""
    progress.emit(
        progress.Note(
            f"{what}: {rounds}{loop.generations} generations of {loop.episodes} episodes, "
            f"{0 if front is None else front.steps:,} steps for the front"
        )
    )


class Lengths(NamedTuple):
    """Steps of an episode: by candidates of a search, and by the good ones that are left."""

    tried: float
    good: float


def measured(task: Task, oracle: Policy, seed: int) -> tuple[float, Lengths]:
    """Return the seconds of a step, as trees play, and the steps of episodes.

    Those of candidates are between those of the oracle and those of random actions.
    """
    seeds = episode_seeds(Purpose.COLLECT, seed, PROBE_EPISODES)
    players = (oracle, RandomActions(task.n_actions, seed))
    lengths = [play(policy, task, seeds)[0].steps.mean() for policy in players]
    trees = [_constant(task, action) for action in range(task.n_actions)]
    play_all(trees[0], task, seeds[:1])  # an environment is made once
    started, steps = perf_counter(), 0
    for tree in cycle(trees):
        steps += int(play_all(tree, task, seeds).steps.sum())
        if perf_counter() - started >= PROBE_SECONDS:
            break
    found = Lengths(float(sum(lengths)) / len(lengths), float(lengths[0]))
    return (perf_counter() - started) / steps, found


def _constant(task: Task, action: int) -> PolicyTree:
    scaling = Scaling(np.zeros(task.n_variables), np.ones(task.n_variables))
    names = (task.state_names, task.action_names, task.units)
    return PolicyTree(Leaf(action), scaling, *names, plant=task.plant)


def expected_steps(options: Options, lengths: Lengths) -> float:
    """Return about how many steps of the environment a run takes, episodes being so long."""
    rounds, loop, front = options.aggregation, options.closed_loop, options.front
    data = 2.0 * options.samples
    if options.data == "dagger":
        data = options.samples + rounds.first + rounds.rounds * rounds.added
        data += (rounds.rounds + 1) * rounds.episodes * lengths.tried
    searches = loop.trees * (2 if loop.wide else 1)
    halvings = 1.0 + log(max(1.0, loop.generations / loop.trial_generations), 3.0)
    generation = loop.population * loop.episodes + loop.racing_episodes
    tried = searches * loop.trial_generations * halvings * generation
    tried += options.reengineering.trials * options.reengineering.episodes
    good = searches * loop.finalists * loop.choosing_episodes
    good += 2 * options.reengineering.choosing_episodes + 5 * options.episodes
    if front is not None:
        data += front.steps
        good += FRONT_ROWS * (
            2 * front.choosing_episodes + 4 * front.rounding_episodes + options.episodes
        )
    return data + tried * lengths.tried + good * lengths.good


def _largest_fit(options: Options, lengths: Lengths, steps: float) -> Options:
    """Return the options as they are, or the largest share of them that takes no more steps."""
    low, high, bounds = 0.0, 1.0, LEAST
    if expected_steps(options, lengths) <= steps:
        return options
    least = _scaled(options, 0.0, LEAST)
    if expected_steps(least, lengths) > steps:
        options, bounds = least, BARE
    for _ in range(30):
        share = (low + high) / 2
        within = expected_steps(_scaled(options, share, bounds), lengths) <= steps
        low, high = (share, high) if within else (low, share)
    return _scaled(options, low, bounds)


def _scaled(options: Options, share: float, bounds: Mapping[str, Mapping[str, int]]) -> Options:
    """Return options with a share of each budget, and no less than the least of it."""
    changes: dict[str, Any] = _smaller(options, bounds[""], share)
    for part in ("aggregation", "closed_loop", "reengineering", "front"):
        found = getattr(options, part)
        if found is not None:
            numbers = _smaller(found, bounds[part], share)
            if part == "front":
                numbers["longest_episodes"] = max(numbers["episodes"], found.longest_episodes)
            changes[part] = replace(found, **numbers)
    return replace(options, **changes)


def _smaller(part: Any, least: Mapping[str, int], share: float) -> dict[str, int]:
    known = {field.name for field in fields(part)}
    found = {}
    for name, bound in least.items():
        if name in known:
            usual = getattr(part, name)
            factor = share**0.5 if name in (*TOGETHER, *STATES) else share
            least = min(usual, bound)
            found[name] = max(least, round(usual * factor))
    return found
