"""`glasstree edit`: change a policy by hand, and see at once what that is worth."""

from typing import TYPE_CHECKING, Annotated, Any

import typer

from glasstree.cli import app
from glasstree.cli.arguments import ImportOption
from glasstree.cli.console import (
    JsonOption,
    SeedOption,
    figure,
    percent,
    print_json,
    print_table,
    showing_progress,
)

if TYPE_CHECKING:
    from glasstree.policy import PolicyTree


@app.command()
def edit(
    policy: Annotated[str, typer.Argument(help="A policy file.")],
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
    module: ImportOption = None,
    as_json: JsonOption = False,
) -> None:
    """Change coefficients, thresholds or leaves; check and score the result beside the original."""
    from glasstree.cli.commands.export import written
    from glasstree.errors import OptionError
    from glasstree.explain import agreement
    from glasstree.explain import edit as changed
    from glasstree.policy import load
    from glasstree.policy.document import dumps

    if not changes and original is None:
        raise OptionError("say what to change with --set, or what to compare with by --original")
    start = load(policy)
    after = changed(start, changes or [])
    before = load(original) if original is not None else start
    same = agreement(before, after)
    with showing_progress(quiet=as_json):
        scores = _scores((before, after), task, module, episodes, seed)
    if out is not None:
        written(out, dumps(after).encode())
    if as_json:
        print_json({"policy": policy, "out": out, "agreement": same, **scores})
        return
    _show(scores, same, before, after)


def _scores(
    policies: tuple["PolicyTree", "PolicyTree"],
    task: str | None,
    module: str | None,
    episodes: int,
    seed: int,
) -> dict[str, Any]:
    """Score both policies on the same episodes; nothing if there is no task."""
    from glasstree.episodes import evaluate
    from glasstree.tasks import get_task

    name = task or policies[1].task
    if name is None or episodes == 0:
        return {"original": None, "edited": None}
    known = get_task(name, module=module)
    return {
        word: evaluate(tree, known, episodes=episodes, seed=seed).figures()
        for word, tree in zip(("original", "edited"), policies, strict=True)
    }


def _show(scores: dict[str, Any], same: float, before: "PolicyTree", after: "PolicyTree") -> None:
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
    rows.append(["same action in the seen range", "", percent(same)])
    print_table("Original and edited policy", ["", "original", "edited"], rows)
