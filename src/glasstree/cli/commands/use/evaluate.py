"""`glasstree evaluate`: what a policy is worth."""

from typing import TYPE_CHECKING, Annotated, Any

import typer

from glasstree.cli import app
from glasstree.cli.arguments import (
    OracleOption,
    PolicyArgument,
    TaskOption,
    TrustOption,
    policy_and_task,
)
from glasstree.cli.console import (
    JsonOption,
    SeedOption,
    figure,
    percent,
    print_json,
    print_table,
    showing_progress,
)
from glasstree.cli.groups import Own, Working, value, with_groups

if TYPE_CHECKING:
    from glasstree.workflows.conditions import Held

MOST_VALUES = 100  # of an argument that is varied


@app.command()
@with_groups
def evaluate(
    *,
    policy: PolicyArgument = None,
    oracle: OracleOption = None,
    task: TaskOption = None,
    episodes: Annotated[int, typer.Option(help="Number of unseen episodes.")] = 1000,
    vary: Annotated[
        list[str] | None,
        typer.Option(
            help="Argument of the environment and its values: pump=0.5:1.5:5 or pump=1,2."
        ),
    ] = None,
    noise: Annotated[
        float, typer.Option(help="Noise on observations, in shares of each range.")
    ] = 0.0,
    delay: Annotated[int, typer.Option(help="Steps by which observations are late.")] = 0,
    sticky: Annotated[
        float, typer.Option(help="Probability that the last action is taken again.")
    ] = 0.0,
    beside: Annotated[
        list[str] | None,
        typer.Option(help="Oracle or policy file to score in the same episodes; may be repeated."),
    ] = None,
    working: Working,
    seed: SeedOption = 0,
    trust: TrustOption = False,
    own: Own,
    as_json: JsonOption = False,
) -> None:
    """Score a policy or an oracle over unseen episodes of its task."""
    from glasstree.oracles import load_oracle
    from glasstree.parallel import engine
    from glasstree.workflows.conditions import conditions

    settings = read_variations(vary or [])

    subject, known, name = policy_and_task(policy, oracle, task, trust, **own.words())
    computing = engine(working.engine, working.address, working.workers)
    worse: dict[str, Any] = {
        word: value
        for word, value in {"noise": noise, "delay": delay, "sticky": sticky}.items()
        if value
    }
    others = {other: load_oracle(other, known, trust) for other in beside or []}
    players = {name: subject, **others}
    with showing_progress(quiet=as_json), computing:
        found = {
            who: conditions(one, known, vary=settings, episodes=episodes, seed=seed, **worse)
            for who, one in players.items()
        }
    held = found[name]
    figures = held[0].performance.figures()
    about = {"policy": name, "task": known.name, "seed": seed, **worse}
    if as_json and others:
        rows = {who: [one.figures() for one in those] for who, those in found.items()}
        print_json({**about, "beside": rows})
        return
    if as_json and not settings:
        print_json({**about, **figures})
        return
    if as_json:
        print_json({**about, "settings": [one.figures() for one in held]})
        return
    under = "".join(f", {word} {value:g}" for word, value in worse.items())
    title = f"{name} on {known.name}, {episodes:,} unseen episodes{under}"
    if settings or others:
        show_settings(title, found)
        return
    low, high = figures["ci95"]
    print_table(
        title,
        ["", "figure"],
        [
            ["mean reward", figure(figures["mean_reward"])],
            ["95 % interval", f"{figure(low)} to {figure(high)}"],
            ["deviation of an episode", figure(figures["episode_sd"])],
            ["deviation of 100-episode means", figure(figures["batch_sd"])],
            ["success", percent(figures["success_rate"])],
            ["mean steps", figure(figures["mean_steps"], 1)],
        ],
    )


def read_variations(texts: list[str]) -> dict[str, list[Any]]:
    """Read arguments and their values: first:last:count, or values with commas between them.

    >>> read_variations(["pump=0.5:1.5:3", "size=2,3"])
    {'pump': [0.5, 1.0, 1.5], 'size': [2, 3]}
    """
    from glasstree.errors import OptionError

    found = {}
    for text in texts:
        name, sign, values = text.partition("=")
        if not name.isidentifier() or not sign or not values:
            raise OptionError(f"--vary needs name=first:last:count or name=a,b,c, got {text!r}")
        found[name] = (
            _evenly(text, values) if ":" in values else list(map(value, values.split(",")))
        )
    return found


def _evenly(text: str, values: str) -> list[Any]:
    """Return numbers at even distances."""
    from glasstree.errors import OptionError

    try:
        first, last, count = values.split(":")
        low, high, steps = float(first), float(last), int(count)
    except ValueError:
        raise OptionError(f"--vary needs first:last:count as numbers, got {text!r}") from None
    if not 2 <= steps <= MOST_VALUES:
        raise OptionError(f"--vary takes 2 to {MOST_VALUES} values, got {steps}")
    return [low + (high - low) * number / (steps - 1) for number in range(steps)]


def show_settings(title: str, found: "dict[str, list[Held]]") -> None:
    """Write one row a setting of the environment, policies beside each other."""
    first = next(iter(found.values()))
    names = list(first[0].setting)
    heads = ["mean reward", "± (95 %)", "success"]
    if len(found) > 1:
        heads = [f"{who}: {head}" for who in found for head in heads]
    rows = []
    for place, one in enumerate(first):
        row = [_shown(one.setting[name]) for name in names]
        for held in found.values():
            scored = held[place].performance
            row += [figure(scored.mean_reward), figure(scored.ci95[1] - scored.mean_reward)]
            row.append(percent(scored.success_rate))
        rows.append(row)
    print_table(title, [*names, *heads], rows)


def _shown(given: Any) -> str:
    return f"{given:g}" if _is_number(given) else str(given)


def _is_number(given: Any) -> bool:
    return isinstance(given, int | float) and not isinstance(given, bool)
