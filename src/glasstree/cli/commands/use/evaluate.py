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
    working: Working,
    seed: SeedOption = 0,
    trust: TrustOption = False,
    own: Own,
    as_json: JsonOption = False,
) -> None:
    """Score a policy or an oracle over unseen episodes of its task."""
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
    with showing_progress(quiet=as_json), computing:
        held = conditions(subject, known, vary=settings, episodes=episodes, seed=seed, **worse)
    figures = held[0].performance.figures()
    about = {"policy": name, "task": known.name, "seed": seed, **worse}
    if as_json and not settings:
        print_json({**about, **figures})
        return
    if as_json:
        rows = [{"setting": one.setting, **one.performance.figures()} for one in held]
        print_json({**about, "settings": rows})
        return
    under = "".join(f", {word} {value:g}" for word, value in worse.items())
    title = f"{name} on {known.name}, {episodes:,} unseen episodes{under}"
    if settings:
        show_settings(title, held)
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


def show_settings(title: str, held: "list[Held]") -> None:
    """Write one row a setting of the environment."""
    names = list(held[0].setting)
    rows = [
        [
            *(f"{one.setting[name]:g}" if _is_number(one.setting[name]) else str(one.setting[name])
              for name in names),
            figure(one.performance.mean_reward),
            figure(one.performance.ci95[1] - one.performance.mean_reward),
            percent(one.performance.success_rate),
        ]
        for one in held
    ]  # fmt: skip
    print_table(title, [*names, "mean reward", "± (95 %)", "success"], rows)


def _is_number(given: Any) -> bool:
    return isinstance(given, int | float) and not isinstance(given, bool)
