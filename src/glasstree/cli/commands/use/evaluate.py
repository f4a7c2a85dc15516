"""`glasstree evaluate`: what a policy is worth."""

from typing import Annotated

import typer

from glasstree.cli import app
from glasstree.cli.arguments import (
    ImportOption,
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
from glasstree.cli.groups import Working, with_groups


@app.command()
@with_groups
def evaluate(
    *,
    policy: PolicyArgument = None,
    oracle: OracleOption = None,
    task: TaskOption = None,
    episodes: Annotated[int, typer.Option(help="Number of unseen episodes.")] = 1000,
    working: Working,
    seed: SeedOption = 0,
    trust: TrustOption = False,
    module: ImportOption = None,
    as_json: JsonOption = False,
) -> None:
    """Score a policy or an oracle over unseen episodes of its task."""
    from glasstree.episodes import evaluate as score
    from glasstree.parallel import engine

    subject, known, name = policy_and_task(policy, oracle, task, trust, module)
    computing = engine(working.engine, working.address, working.workers)
    with showing_progress(quiet=as_json), computing:
        figures = score(subject, known, episodes=episodes, seed=seed).figures()
    if as_json:
        print_json({"policy": name, "task": known.name, "seed": seed, **figures})
        return
    low, high = figures["ci95"]
    print_table(
        f"{name} on {known.name}, {episodes:,} unseen episodes",
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
