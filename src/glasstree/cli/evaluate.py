"""`glasstree evaluate`: what a policy is worth."""

from typing import Annotated

import typer

from glasstree.cli import app
from glasstree.cli.console import (
    JsonOption,
    SeedOption,
    figure,
    percent,
    print_json,
    print_table,
    showing_progress,
)


@app.command()
def evaluate(
    policy: Annotated[str, typer.Argument(help="A policy file.")],
    task: Annotated[str | None, typer.Option(help="Task; the policy's own if not given.")] = None,
    episodes: Annotated[int, typer.Option(help="Number of unseen episodes.")] = 1000,
    seed: SeedOption = 0,
    as_json: JsonOption = False,
) -> None:
    """Score a policy over unseen episodes of its task."""
    from glasstree.errors import OptionError
    from glasstree.policy import load
    from glasstree.rollout import evaluate as score

    tree = load(policy)
    name = task or tree.task
    if name is None:
        raise OptionError(f"{policy} does not name its task; say which with --task")
    with showing_progress(quiet=as_json):
        figures = score(tree, name, episodes=episodes, seed=seed).figures()
    if as_json:
        print_json({"policy": policy, "task": name, "seed": seed, **figures})
        return
    low, high = figures["ci95"]
    print_table(
        f"{policy} on {name}, {episodes:,} unseen episodes",
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
