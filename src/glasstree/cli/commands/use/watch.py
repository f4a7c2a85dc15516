"""`glasstree watch`: see a policy at work."""

from pathlib import Path
from typing import Annotated

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
    console,
    figure,
    print_json,
    showing_progress,
)
from glasstree.cli.groups import Own, with_groups


@app.command()
@with_groups
def watch(
    *,
    policy: PolicyArgument = None,
    oracle: OracleOption = None,
    task: TaskOption = None,
    episodes: Annotated[int, typer.Option(help="Number of episodes.")] = 1,
    out: Annotated[Path, typer.Option(help="The animated picture.")] = Path("episode.gif"),
    seed: SeedOption = 0,
    trust: TrustOption = False,
    own: Own,
    as_json: JsonOption = False,
) -> None:
    """Film episodes of a policy into an animated GIF."""
    from glasstree.workflows.policies import watch as film

    subject, known, name = policy_and_task(policy, oracle, task, trust, **own.words())
    with showing_progress(quiet=as_json):
        rewards = film(subject, known, out, episodes=episodes, seed=seed)
    if as_json:
        print_json({"policy": name, "task": known.name, "file": str(out), "rewards": rewards})
        return
    words = ", ".join(figure(reward) for reward in rewards)
    told = f"{out}: {name} on {known.name}, reward {words}"
    console.print(told, highlight=False, markup=False, soft_wrap=True)
