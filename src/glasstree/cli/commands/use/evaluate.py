"""`glasstree evaluate`: what a policy is worth."""

from typing import Annotated, Any

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
    percent,
    print_json,
    print_table,
    showing_progress,
)
from glasstree.cli.groups import Own, Working, with_groups


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
    worse: dict[str, Any] = {
        word: value
        for word, value in {"noise": noise, "delay": delay, "sticky": sticky}.items()
        if value
    }
    run = None if policy is None else run_around(policy)
    others = others_beside(beside or [], known, trust, run)
    kept = run if settings or worse else None
    with showing_progress(quiet=as_json), computing:
        found = side_by_side(
            {name: subject, **others},
            known,
            vary=settings,
            episodes=episodes,
            seed=seed,
            keep=kept,
            **worse,
        )
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
        named = {called(who, subject) if who == name else who: held for who, held in found.items()}
        show_settings(title, named)
        show_maps(named)
    else:
        show_figures(title, figures)
    if kept is not None:
        tell_kept(kept, None if known.plant is None else known.plant.module)


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
