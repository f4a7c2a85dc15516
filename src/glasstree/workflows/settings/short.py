"""More episodes where they are short: what decides then is noise, and an episode costs little."""

from collections.abc import Callable
from dataclasses import fields, replace
from typing import Any

from glasstree.options import Options

USUAL_LENGTH = 100.0  # steps of an episode for which the usual numbers are meant
MOST_TIMES = 30.0  # so many times as many episodes as planned, at the most
SHARE = 0.5  # of the front's steps that may be spent on these instead
LAST = ("choosing_episodes", "rounding_episodes")  # that decide what is left of all that was found
PARTS = ("aggregation", "closed_loop", "reengineering", "front")


def with_enough_episodes(
    options: Options, length: float, expected: Callable[[Options], float]
) -> Options:
    """Return options with as many steps as expected, where episodes of so many steps are short.

    Those that decide last grow by as much as episodes are shorter than usual, as far as the front
    has steps to spare, and those on which candidates of a search are compared by the root of that.
    """
    if options.front is None or length >= USUAL_LENGTH:
        return options
    usual, low, high = expected(options), 1.0, min(MOST_TIMES, USUAL_LENGTH / length)
    spare = SHARE * options.front.steps
    for _ in range(20):
        times = (low + high) / 2
        within = expected(_more(options, times)) - usual <= spare
        low, high = (times, high) if within else (low, times)
    found = _more(options, low)
    assert found.front is not None
    steps = max(1, round(found.front.steps - expected(found) + usual))
    return replace(found, front=replace(found.front, steps=steps))


def _more(options: Options, times: float) -> Options:
    changes: dict[str, Any] = {"episodes": round(times * options.episodes)}
    for part in PARTS:
        found = getattr(options, part)
        names = [field.name for field in fields(found) if field.name.endswith("episodes")]
        factors = {name: times if name in LAST else times**0.5 for name in names}
        grown = {name: round(getattr(found, name) * factors[name]) for name in names}
        changes[part] = replace(found, **grown)
    return replace(options, **changes)
