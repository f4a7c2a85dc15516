"""`glasstree edit`: change a policy by hand, and see at once what that is worth."""

from typing import TYPE_CHECKING, Annotated

import typer

from glasstree.cli import app
from glasstree.cli.arguments import TrustOption
from glasstree.cli.console import (
    JsonOption,
    SeedOption,
    figure,
    percent,
    print_json,
    print_table,
    showing_progress,
)
from glasstree.cli.groups import Own, with_groups

if TYPE_CHECKING:
    from glasstree.workflows.policies import Edited


@app.command()
@with_groups
def edit(
    *,
    policy: Annotated[str, typer.Argument(help="A policy file, or the folder of a run.")],
    changes: Annotated[
        list[str] | None,
        typer.Option(
            "--set",
            help="A change, such as 0.bias=0.3, 0.weight.1=-0.5, 0.width=0.2 or 2.action=left.",
        ),
    ] = None,
    original: Annotated[
        str | None,
        typer.Option(help="Compare with this file; without --set, a file edited by hand."),
    ] = None,
    out: Annotated[str | None, typer.Option(help="Where to write the changed policy.")] = None,
    task: Annotated[str | None, typer.Option(help="Task; the policy's own if not given.")] = None,
    episodes: Annotated[int, typer.Option(help="Number of unseen episodes; 0 for none.")] = 1000,
    seed: SeedOption = 0,
    trust: TrustOption = False,
    own: Own,
    as_json: JsonOption = False,
) -> None:
    """Change coefficients, thresholds or leaves; check and score the result beside the original."""
    from glasstree.policy import load
    from glasstree.workflows.policies import edit as change

    with showing_progress(quiet=as_json):
        edited = change(
            load(policy),
            changes or [],
            out,
            original=load(original) if original is not None else None,
            task=task,
            trust=trust,
            **own.words(),
            episodes=episodes,
            seed=seed,
        )
    if as_json:
        print_json({"policy": policy, "out": out, **edited.figures()})
        return
    _show(edited)


def _show(edited: "Edited") -> None:
    before, after, scores = edited.original, edited.policy, edited.figures()
    rows = [
        ["rules", str(before.n_rules), str(after.n_rules)],
        ["rule length", figure(before.rule_length), figure(after.rule_length)],
    ]
    if scores["original"]:
        old, new = scores["original"], scores["edited"]
        rows += [
            ["mean reward", figure(old["mean_reward"]), figure(new["mean_reward"])],
            ["deviation of an episode", figure(old["episode_sd"]), figure(new["episode_sd"])],
            ["success", percent(old["success_rate"]), percent(new["success_rate"])],
        ]
    rows.append(["same action in the seen range", "", percent(scores["agreement"])])
    print_table("Original and edited policy", ["", "original", "edited"], rows)
