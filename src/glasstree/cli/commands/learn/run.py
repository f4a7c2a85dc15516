"""`glasstree run`: the whole method on one task."""

from math import hypot, sqrt
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from glasstree.cli import app
from glasstree.cli.arguments import TrustOption
from glasstree.cli.commands.learn.logs import run_log
from glasstree.cli.conditions import as_words, read_variations
from glasstree.cli.console import (
    JsonOption,
    console,
    figure,
    percent,
    print_json,
    print_table,
    program,
    showing_progress,
)
from glasstree.cli.groups import Chosen, Explained, Kept, Own, Working, said, with_groups

if TYPE_CHECKING:
    from glasstree.closedloop import Front
    from glasstree.episodes import Performance
    from glasstree.pipeline import Result
    from glasstree.policy import PolicyTree

CLEARLY = 1.96  # standard errors: what chance exceeds once in twenty times


@app.command()
@with_groups
def run(
    *,
    task: Annotated[str | None, typer.Argument(help="A task; see `glasstree tasks`.")] = None,
    oracle: Explained = None,
    config: Annotated[
        Path | None, typer.Option(help="File to start from, such as a run's config.toml.")
    ] = None,
    chosen: Chosen,
    rules: Annotated[
        int | None, typer.Option(help="Most rules, but for the front's; by default the task's own.")
    ] = None,
    levels: Annotated[
        int | None,
        typer.Option(
            help="Vectors that stand for continuous actions.", show_default="what reward needs"
        ),
    ] = None,
    train_vary: Annotated[
        list[str] | None,
        typer.Option(help="Tune over values of an argument: pump=0.5:1.5:5 or pump=1,2."),
    ] = None,
    minutes: Annotated[
        float | None,
        typer.Option(help="Smaller budgets, where needed, that take about so long."),
    ] = None,
    effort: Annotated[
        str | None,
        typer.Option(
            help="quick, default or thorough: a tenth of the usual budgets, or four times as much."
        ),
    ] = None,
    pick: Annotated[
        str | None,
        typer.Option(
            help="Policy of the front: default, best, simplest, or the most symbols, such as 15.",
            show_default="default",
        ),
    ] = None,
    out: Annotated[Path | None, typer.Option(help="Folder; runs/TASK if not given.")] = None,
    kept: Kept,
    working: Working,
    trust: TrustOption = False,
    own: Own,
    as_json: JsonOption = False,
) -> None:
    """Turn a black-box controller into a few nonlinear rules that control as well.

    A stopped run goes on with --resume --out FOLDER alone. With a log as --data, nothing is played.
    """
    from glasstree.data.logs import is_log

    if is_log(chosen.data):
        asked = said(chosen, own, kept, oracle=oracle, config=config, rules=rules, minutes=minutes)
        asked |= said(train_vary=train_vary or None, effort=effort)
        run_log(asked.pop("data"), out, _of_log(asked, levels, pick), as_json)
        return
    tuned_over = read_variations(train_vary or [], "--train-vary") or None
    with showing_progress(quiet=as_json, learning=[task] if task else []):
        from glasstree.workflows.distillation import distill, usual_folder

        folder = out or usual_folder(task, config)
        result = distill(
            task,
            oracle,
            out=folder,
            config=config,
            trust=trust,
            **own.words(),
            **said(train_vary=tuned_over),
            **vars(kept),
            **vars(working),
            **said(chosen, rules=rules, pick=pick, levels=levels, minutes=minutes, effort=effort),
        )
    if as_json:
        print_json({**result.summary(), "policy": str(folder / "policy.json")})
        return
    show(result, folder)


def _of_log(asked: dict[str, Any], levels: int | None, pick: str | None) -> dict[str, Any]:
    """Return what was asked for in the words of distill_log."""
    names, units = asked.pop("names", None), asked.pop("units", None)
    told = {"state_names": names and names.split(","), "units": units and units.split(",")}
    return {**asked, **said(**told, levels=levels, pick=pick)}


def show(result: "Result", folder: Path) -> None:
    """Write what came out: the stages side by side, the front, then the rules."""
    from glasstree.formats import to_text
    from glasstree.prove import summary
    from glasstree.tasks.own.variations import in_words

    lost = shortfall(result)
    if lost:
        console.print(lost, soft_wrap=True)
    rows = []
    for name, found in result.performances.items():
        tree = result.policies.get(name)
        size = [str(tree.n_rules), str(tree.complexity)] if tree else ["-", "-"]
        rows.append(
            [
                *(name, figure(found.mean_reward), figure(found.episode_sd)),
                *(figure(found.batch_sd), percent(found.success_rate), *size),
            ]
        )
    episodes = result.options.episodes
    told, vary = "", result.task.plant and result.task.plant.train_vary
    if vary:
        told = " of the plain plant"
        console.print(f"tuned over {in_words(vary)}", soft_wrap=True)
    print_table(
        f"{result.task.name}: {episodes:,} unseen episodes{told}, at most "
        f"{result.task.step_limit} steps",
        ["policy", "mean reward", "episode sd", "batch sd", "success", "rules", "symbols"],
        rows,
    )
    if result.front is not None:
        show_front(result.front, result.policy)
    accuracy = result.figures["agreement"]
    console.print(outcome(result), soft_wrap=True)
    console.print(
        f"agreement with the oracle on held-back states: {percent(accuracy)}; "
        f"{result.figures['seconds']:.1f} s in all\n"
    )
    console.print(to_text(result.policy), soft_wrap=True)
    policy = folder / "policy.json"
    console.print(f"policy: {policy}\nreport: {folder / 'report.html'}", soft_wrap=True)
    module = result.policy.plant and result.policy.plant.module
    again = f" --import {module}" if module else ""
    console.print(f"next:   {program()} evaluate {policy} --episodes 10000{again}", soft_wrap=True)
    if vary:
        console.print(
            f"        {program()} evaluate {policy}{as_words(vary)}{again}", soft_wrap=True
        )
    if result.front is not None:
        console.print(
            f"        {program()} pick {folder} best    # or simplest, or at most so many symbols",
            soft_wrap=True,
        )
    for answer in summary(result.policy):
        console.print(f"{answer.verdict}: {answer.claim}", soft_wrap=True)


def show_front(front: "Front", taken: "PolicyTree") -> None:
    """Write the best policy of each complexity, with a mark at the one that is taken."""
    rows = [
        [
            *("*" if row.policy == taken else "", str(row.complexity)),
            *(figure(row.unseen.mean_reward), figure(row.unseen.ci95[1] - row.unseen.mean_reward)),
            *(percent(row.unseen.success_rate), str(row.policy.n_rules), row.first_rule),
        ]
        for row in front
    ]
    print_table(
        "the front: the best policy of each complexity",
        ["", "symbols", "reward", "± 95 %", "success", "rules", "first rule"],
        rows,
        text="first rule",
    )


def shortfall(result: "Result") -> str | None:
    """Say by how much the policy is worse than its oracle, if it clearly is, and what to try."""
    ours, theirs = result.performances[result.final], result.performances["oracle"]
    lost, error = theirs.mean_reward - ours.mean_reward, hypot(_error(ours), _error(theirs))
    if len(ours.rewards) == len(theirs.rewards):  # of the same episodes
        error = float((theirs.rewards - ours.rewards).std()) / sqrt(ours.episodes)
    same = figure(ours.mean_reward) == figure(theirs.mean_reward)
    if same or lost <= CLEARLY * error:
        return None
    tries = [f"--rules {2 * result.options.rules}"]
    if result.task.bounds is not None:
        tries.append(f"--levels {2 * result.task.n_actions}")
    if result.front is not None and result.options.pick != "best":
        tries.append("--pick best")
    if result.task.simulator is None:
        tries.append("a longer run by --minutes")
    return (
        f"worse than its oracle by {figure(lost)}: mean reward {figure(ours.mean_reward)} "
        f"instead of {figure(theirs.mean_reward)}; try {' or '.join(tries)}"
    )


def _error(found: "Performance") -> float:
    return found.episode_sd / sqrt(found.episodes)


def outcome(result: "Result") -> str:
    """Say in one sentence what became of the oracle."""
    rules = f"{result.policy.n_rules} rule{'' if result.policy.n_rules == 1 else 's'}"
    ours, theirs = result.performances[result.final], result.performances["oracle"]
    success = "" if ours.success_rate is None else f", success {percent(ours.success_rate)}"
    return (
        f"{rules} instead of the oracle: mean reward {figure(ours.mean_reward)} "
        f"(oracle {figure(theirs.mean_reward)}){success}"
    )
