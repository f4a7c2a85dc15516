"""Arguments of an environment that vary: how they are said, and tables of what came of it."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rich.box import SIMPLE_HEAD
from rich.table import Table
from rich.text import Text

from glasstree.cli.console import console, figure, percent, print_table, program
from glasstree.cli.groups import value

if TYPE_CHECKING:
    from glasstree.workflows.conditions import Held

MOST_VALUES = 100  # of an argument that is varied
SHADES = ("#f1f5f9", "#c1d5e3", "#91b6cd", "#6096b8", "#3076a1", "#00568a")  # the worst first
VARY = "Argument of the environment and its values: pump=0.5:1.5:5 or pump=1,2."


def read_variations(texts: Sequence[str], option: str = "--vary") -> dict[str, list[Any]]:
    """Read arguments and their values: first:last:count, or values with commas between them.

    >>> read_variations(["pump=0.5:1.5:3", "size=2,3"])
    {'pump': [0.5, 1.0, 1.5], 'size': [2, 3]}
    """
    from glasstree.errors import OptionError

    found: dict[str, list[Any]] = {}
    for text in texts:
        name, sign, values = text.partition("=")
        if not name.isidentifier() or not sign or not values:
            raise OptionError(f"{option} needs name=first:last:count or name=a,b,c, got {text!r}")
        if name in found:
            raise OptionError(f"{option} names {name} twice; give all of its values at once")
        evenly = ":" in values
        found[name] = (
            _evenly(text, values, option) if evenly else list(map(value, values.split(",")))
        )
    return found


def _evenly(text: str, values: str, option: str) -> list[Any]:
    """Return numbers at even distances."""
    from glasstree.errors import OptionError

    try:
        first, last, count = values.split(":")
        low, high, steps = float(first), float(last), int(count)
    except ValueError:
        raise OptionError(f"{option} needs first:last:count as numbers, got {text!r}") from None
    if not 2 <= steps <= MOST_VALUES:
        raise OptionError(f"{option} takes 2 to {MOST_VALUES} values, got {steps}")
    return [low + (high - low) * number / (steps - 1) for number in range(steps)]


def as_words(vary: Mapping[str, Sequence[Any]], option: str = "--vary") -> str:
    """Return the words that say variations again on a command line.

    >>> as_words({"pump": [0.5, 1.0]})
    ' --vary pump=0.5,1'
    """
    return "".join(
        f" {option} {name}={','.join(map(_shown, values))}" for name, values in vary.items()
    )


def show_settings(title: str, found: "Mapping[str, Sequence[Held]]") -> None:
    """Write one row a setting of the environment, and one a policy where there are several."""
    several = ["policy"] if len(found) > 1 else []
    names = list(next(iter(found.values()))[0].setting)
    rows = []
    for settings in zip(*found.values(), strict=True):
        for who, held in zip(found, settings, strict=True):
            scored = held.performance
            row = [_shown(held.setting[name]) for name in names] + ([who] if several else [])
            row += [figure(scored.mean_reward), figure(scored.ci95[1] - scored.mean_reward)]
            rows.append([*row, percent(scored.success_rate)])
    heads = [*names, *several, "mean reward", "± (95 %)", "success"]
    print_table(title, heads, rows, text="policy")


def show_maps(found: "Mapping[str, Sequence[Held]]") -> None:
    """Paint reward and success over two arguments, one map a policy, where just two vary."""
    first = next(iter(found.values()))
    if len(first[0].setting) != 2:
        return
    scores = [one.performance for held in found.values() for one in held]
    rewards = [score.mean_reward for score in scores]
    low, high = min(rewards), max(rewards)
    for who, held in found.items():
        cells = [(one.setting, one.performance) for one in held]
        shares = [(s.mean_reward - low) / (high - low) if high > low else 1.0 for _, s in cells]
        texts = [figure(score.mean_reward) for _, score in cells]
        _paint(f"{who}: mean reward", [setting for setting, _ in cells], texts, shares)
        if cells[0][1].success_rate is not None:
            successes = [float(score.success_rate or 0.0) for _, score in cells]
            named = [percent(share) for share in successes]
            _paint(f"{who}: success", [setting for setting, _ in cells], named, successes)


def _paint(
    title: str, settings: Sequence[Mapping[str, Any]], texts: Sequence[str], shares: Sequence[float]
) -> None:
    """Write one heat map: the first argument across, the second down; darker is better."""
    across, down = settings[0]
    console.print(f"{title}, {across} across, {down} down", style="bold", soft_wrap=True)
    table = Table(box=SIMPLE_HEAD)
    table.add_column(down, no_wrap=True)
    columns = list(dict.fromkeys(_shown(setting[across]) for setting in settings))
    rows = list(dict.fromkeys(_shown(setting[down]) for setting in settings))
    for column in columns:
        table.add_column(column, justify="right", no_wrap=True)
    for number, row in enumerate(rows):
        places = range(number, len(settings), len(rows))
        table.add_row(row, *(_tinted(texts[place], shares[place]) for place in places))
    console.print(table)


def _tinted(text: str, share: float) -> Text:
    shade = min(len(SHADES) - 1, int(share * len(SHADES)))
    ink = "#000000" if shade < 4 else "#ffffff"
    return Text(f" {text} ", style=f"{ink} on {SHADES[shade]}")


def tell_kept(folder: Path, module: str | None) -> None:
    """Say where a run keeps what was measured, and how its page comes to show it."""
    again = f" --import {module}" if module else ""
    console.print(f"kept: {folder / 'conditions.json'}", soft_wrap=True)
    console.print(f"next: {program()} report {folder}{again}", soft_wrap=True)


def _shown(given: Any) -> str:
    return f"{given:g}" if _is_number(given) else str(given)


def _is_number(given: Any) -> bool:
    return isinstance(given, int | float) and not isinstance(given, bool)
