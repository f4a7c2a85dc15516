"""Heat maps of reward and success over what varies, the same colours for all policies."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Any

from glasstree.formats.shared.names import visible
from glasstree.formats.shared.palette import ink
from glasstree.report.content import Held
from glasstree.report.sections import scores
from glasstree.report.templating import counted, percent

LEAST, MOST = (0xF1, 0xF5, 0xF9), (0x00, 0x56, 0x8A)  # colours of the worst and the best
AS_IT_IS = "as it is"
Figures = Mapping[str, Any]


@dataclass(frozen=True)
class Cell:
    """A figure on a colour."""

    text: str
    tint: str
    ink: str


@dataclass(frozen=True)
class HeatMap:
    """Figures over one thing across and one down; corner names what is across."""

    caption: str
    corner: str
    across: tuple[str, ...]
    rows: tuple[tuple[str, tuple[Cell, ...]], ...]


@dataclass(frozen=True)
class Comparison:
    """Policies in the same episodes: heat maps, and all figures as a table."""

    title: str
    maps: tuple[HeatMap, ...]
    heads: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


def comparisons(held: Sequence[Held]) -> list[Comparison]:
    """Return one comparison for all that was measured in the same way."""
    groups: dict[str, list[Held]] = {}
    for one in held:
        worse = one.worse if one.vary else ""
        groups.setdefault(repr([one.vary, worse, one.episodes, one.seed]), []).append(one)
    return [_comparison(those) for those in groups.values()]


def _comparison(held: list[Held]) -> Comparison:
    first = held[0]
    episodes = f"{counted(first.episodes, 'unseen episode')} each, seed {first.seed}"
    vary = "varies" if len(first.vary) == 1 else "vary"
    what = f"{_list(first.vary)} {vary}" if first.vary else "Made worse"
    worse = f", with {first.worse}" if first.vary and first.worse else ""
    if not first.vary:
        held, names = _merged(held)
    else:
        names = [_setting(first.vary, values) for values in product(*first.vary.values())]
    policies = [one.policy for one in held]
    heads = ["reward", "95 % interval", "success"]
    rows = [
        (name, *(text for one in held for text in scores(one.figures[place])))
        for place, name in enumerate(names)
    ]
    return Comparison(
        f"{what}{worse}: {episodes}",
        tuple(_maps(held, names)),
        (", ".join(map(visible, first.vary)), *(f"{p}: {h}" for p in policies for h in heads)),
        tuple(rows),
    )


def _merged(held: list[Held]) -> tuple[list[Held], list[str]]:
    """Return one entry a policy, over all that was made worse; what was not measured is empty."""
    names = list(dict.fromkeys(one.worse or AS_IT_IS for one in held))
    found: dict[str, dict[str, Figures]] = {}
    for one in held:
        found.setdefault(one.policy, {})[one.worse or AS_IT_IS] = one.figures[0]
    first = held[0]
    return [
        Held(policy, "", {}, first.episodes, first.seed, tuple(by.get(name, {}) for name in names))
        for policy, by in found.items()
    ], names


def _maps(held: Sequence[Held], names: Sequence[str]) -> Iterator[HeatMap]:
    """Yield maps of reward, then of success where it is known."""
    every = [figures for one in held for figures in one.figures]
    rewards = [found["mean_reward"] for found in every if found]
    low, high = min(rewards), max(rewards)
    digits = 0 if max(abs(low), abs(high)) >= 1000 else 2

    def reward(found: Figures) -> Cell:
        share = (found["mean_reward"] - low) / (high - low) if high > low else 1.0
        return _cell(f"{found['mean_reward']:,.{digits}f}", share)

    def success(found: Figures) -> Cell:
        if found["success_rate"] is None:
            return _cell("", 0.0)
        return _cell(percent(found["success_rate"]), found["success_rate"])

    yield from _measured("Mean reward", held, names, reward)
    if any(found and found["success_rate"] is not None for found in every):
        yield from _measured("Success", held, names, success)


def _measured(
    word: str, held: Sequence[Held], names: Sequence[str], cell: Callable[[Figures], Cell]
) -> Iterator[HeatMap]:
    """Yield one map of all policies where one argument varies at most, else one a policy."""

    def cells(figures: Sequence[Figures]) -> tuple[Cell, ...]:
        return tuple(cell(found) if found else _cell("", 0.0) for found in figures)

    vary = held[0].vary
    if len(vary) < 2:
        rows = tuple((one.policy, cells(one.figures)) for one in held)
        across = tuple(map(shown, next(iter(vary.values())))) if vary else tuple(names)
        yield HeatMap(word, visible(next(iter(vary), "")), across, rows)
        return
    first, *others = vary
    count = len(list(product(*(vary[name] for name in others))))
    rest = {name: vary[name] for name in others}
    down = [_setting(rest, values) for values in product(*rest.values())]
    across = tuple(map(shown, vary[first]))
    for one in held:
        rows = tuple((name, cells(one.figures[row::count])) for row, name in enumerate(down))
        corner = f"{visible(first)} across"
        yield HeatMap(f"{word}: {one.policy}", corner, across, rows)


def _cell(text: str, share: float) -> Cell:
    channels = [round(low + share * (high - low)) for low, high in zip(LEAST, MOST, strict=True)]
    tint = "#" + "".join(f"{channel:02x}" for channel in channels)
    return Cell(text, tint, ink(tint))


def shown(value: Any) -> str:
    """Format the value of an argument.

    >>> shown(0.5), shown(True), shown("8x8")
    ('0.5', 'True', '8x8')
    """
    number = isinstance(value, int | float) and not isinstance(value, bool)
    return f"{value:g}" if number else visible(str(value))


def _setting(vary: Mapping[str, Any], values: Sequence[Any]) -> str:
    if len(vary) == 1:
        return f"{visible(next(iter(vary)))} {shown(values[0])}"
    return ", ".join(f"{visible(n)} {shown(v)}" for n, v in zip(vary, values, strict=True))


def _list(names: Mapping[str, Any]) -> str:
    return " and ".join(map(visible, names))
