"""`glasstree evaluate`: what a policy is worth."""

from collections.abc import Mapping, Sequence
from pathlib import Path
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
from glasstree.cli.conditions import VARY, read_variations, show_maps, show_settings, tell_kept
from glasstree.cli.console import (
    JsonOption,
    SeedOption,
    figure,
    messages,
    percent,
    print_json,
    print_table,
    showing_progress,
)
from glasstree.cli.groups import Own, Working, with_groups

if TYPE_CHECKING:
    from glasstree.policy.arrays import Policy
    from glasstree.workflows.conditions import Held


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
        typer.Option(help=VARY),
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
    """Score a policy or an oracle over unseen episodes of its task.

    Where arguments vary or things are made worse, the run of a policy file keeps what was found.
    """
    from glasstree.parallel import engine
    from glasstree.runs.measured import run_around
    from glasstree.workflows.conditions import called, others_beside, side_by_side

    settings = read_variations(vary or [])
    subject, known, name = policy_and_task(policy, oracle, task, trust, **own.words())
    computing = engine(working.engine, working.address, working.workers)
    given = {"noise": noise, "delay": delay, "sticky": sticky}
    worse: dict[str, Any] = {word: value for word, value in given.items() if value}
    run = None if policy is None else run_around(policy)
    players = {name: subject, **others_beside(beside or [], known, trust, run)}
    words: dict[str, Any] = {"vary": settings, "episodes": episodes, "seed": seed, **worse}
    with showing_progress(quiet=as_json), computing:
        found = side_by_side(players, known, **words)
    kept = (settings or worse) and run is not None and keeps(run, players, found, words)
    if as_json:
        about = {"policy": name, "task": known.name, "seed": seed, **worse}
        print_json(about | plain(found, bool(settings)))
        return
    under = "".join(f", {word} {value:g}" for word, value in worse.items())
    title = f"{name} on {known.name}, {episodes:,} unseen episodes{under}"
    if settings or len(found) > 1:
        named = {called(who, subject) if who == name else who: held for who, held in found.items()}
        show_settings(title, named)
        show_maps(named)
    else:
        show_figures(title, found[name][0].performance.figures())
    if kept and run is not None:
        tell_kept(run, None if known.plant is None else known.plant.module)


def plain(found: "Mapping[str, Sequence[Held]]", varied: bool) -> dict[str, Any]:
    """Return figures as plain values: of one policy, of its settings, or of several policies."""
    rows = {who: [one.figures() for one in held] for who, held in found.items()}
    if len(rows) > 1:
        return {"beside": rows}
    (held,) = rows.values()
    if varied:
        return {"settings": held}
    return {name: value for name, value in held[0].items() if name != "setting"}


def keeps(run: Path, players: "Mapping[str, Policy]", found: Any, words: Mapping[str, Any]) -> bool:
    """Let the run keep what was found, or say why it cannot; that is no reason to lose it."""
    from glasstree.errors import RunError
    from glasstree.workflows.conditions import keep_found

    try:
        keep_found(run, players, found, **words)
    except RunError as error:
        messages.print(f"not kept for the page of the run: {error}", soft_wrap=True)
        return False
    return True


def show_figures(title: str, figures: dict[str, Any]) -> None:
    """Write all figures of one policy."""
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
