"""`glasstree evaluate`: what a policy is worth."""

from os import cpu_count as count_cpus
from typing import Annotated

import typer

from glasstree.cli import app
from glasstree.cli.console import (
    AddressOption,
    EngineOption,
    JsonOption,
    SeedOption,
    WorkersOption,
    figure,
    percent,
    print_json,
    print_table,
    showing_progress,
)
from glasstree.cli.subject import (
    ImportOption,
    OracleOption,
    PolicyArgument,
    TaskOption,
    TrustOption,
    find_subject,
)


@app.command()
def evaluate(
    policy: PolicyArgument = None,
    oracle: OracleOption = None,
    task: TaskOption = None,
    episodes: Annotated[int, typer.Option(help="Number of unseen episodes.")] = 1000,
    workers: WorkersOption = 0,
    engine: EngineOption = "local",
    address: AddressOption = None,
    seed: SeedOption = 0,
    trust: TrustOption = False,
    module: ImportOption = None,
    as_json: JsonOption = False,
) -> None:
    """Score a policy or an oracle over unseen episodes of its task."""
    from glasstree.parallel import engine as working
    from glasstree.rollout import evaluate as score

    subject, known, name = find_subject(policy, oracle, task, trust, module)
    cores = workers or count_cpus() or 1
    with showing_progress(quiet=as_json), working(engine, address, cores):
        found = score(subject, known, episodes=episodes, seed=seed, workers=cores)
        figures = found.figures()
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
