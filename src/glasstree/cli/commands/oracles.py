"""`glasstree oracles`: the black boxes that come with glasstree, and how to train more."""

import re
import shutil
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from glasstree.cli import app
from glasstree.cli.arguments import ImportOption
from glasstree.cli.console import (
    JsonOption,
    SeedOption,
    console,
    figure,
    percent,
    print_json,
    print_table,
    showing_progress,
)

if TYPE_CHECKING:
    from glasstree.oracles import Card
    from glasstree.oracles.training import Options
    from glasstree.policy.arrays import Policy
    from glasstree.tasks import Task

CHOICE_EPISODES = 200

group = typer.Typer(invoke_without_command=True, rich_markup_mode=None)
app.add_typer(group, name="oracles")


@group.callback()
def oracles(context: typer.Context, as_json: JsonOption = False) -> None:
    """List the oracles that come with glasstree, with their scores on unseen episodes."""
    if context.invoked_subcommand:
        return
    from glasstree.oracles import load_oracle, oracle_card, oracle_names

    cards = {name: oracle_card(name) for name in oracle_names()}
    if as_json:
        print_json({name: plain(card) for name, card in cards.items()})
        return
    print_table(
        "Oracles, scored on 1,000 unseen episodes",
        ["oracle", "algorithm", "size", "steps", "mean reward", "success"],
        [
            [
                name,
                card.algorithm,
                size(load_oracle(name)),
                f"{card.steps // 1000:,} k",
                *scored(card),
            ]
            for name, card in cards.items()
        ],
    )


@group.command()
def train(
    task: Annotated[str, typer.Argument(help="What to control; see `glasstree tasks`.")],
    out: Annotated[Path | None, typer.Option(help="File; oracles/TASK.npz if not given.")] = None,
    steps: Annotated[int | None, typer.Option(help="Length; the recipe's if not given.")] = None,
    episodes: Annotated[int, typer.Option(help="Unseen episodes for the score.")] = 1000,
    seed: SeedOption = 0,
    overwrite: Annotated[bool, typer.Option("--overwrite", help="Replace a file.")] = False,
    module: ImportOption = None,
    as_json: JsonOption = False,
) -> None:
    """Train an oracle as the shipped one was; the same command goes on with a stopped training."""
    from glasstree.errors import OptionError
    from glasstree.tasks import get_task

    known = get_task(task, module=module)
    plain_name = re.sub(r"[^-.\w]+", "_", known.name)
    path = out or Path("oracles") / f"{plain_name}.npz"
    if path.suffix != ".npz":
        raise OptionError(f"{path}: oracles are written as .npz")
    if path.exists() and not overwrite:
        raise OptionError(f"{path} exists; choose another --out, or replace it with --overwrite")
    with showing_progress(quiet=as_json):
        card = train_and_score(known, options_for(known, steps), path, seed, episodes)
    if as_json:
        print_json({"oracle": str(path), **plain(card)})
        return
    reward, success = scored(card)
    told = f"{path}: mean reward {reward}, success {success}\n"
    told += f"next: glasstree run {known.name} --oracle {path}"
    console.print(told, highlight=False, markup=False, soft_wrap=True)


def options_for(task: "Task", steps: int | None) -> "Options":
    """Return the task's recipe, of another length where that is wanted."""
    from dataclasses import replace

    from glasstree.errors import OptionError
    from glasstree.oracles.training import recipe

    options = recipe(task)
    if steps is None:
        return options
    if steps < 1:
        raise OptionError(f"at least 1 step is needed, got {steps}")
    return replace(options, total_steps=steps)  # type: ignore[type-var]


def train_and_score(
    task: "Task", options: "Options", path: Path, seed: int, episodes: int
) -> "Card":
    """Train beside the file, score what came out, and write it."""
    import msgspec

    from glasstree.episodes import Purpose, evaluate
    from glasstree.oracles import Score
    from glasstree.oracles.files import save_oracle
    from glasstree.oracles.training import train_oracle

    def choose(policy: "Policy") -> float:
        choice = {"episodes": CHOICE_EPISODES, "seed": seed, "purpose": Purpose.CHOOSE}
        return evaluate(policy, task, **choice).mean_reward  # type: ignore[arg-type]

    folder = path.with_suffix(".training")
    oracle, card = train_oracle(task, choose, seed=seed, options=options, folder=folder)
    found = evaluate(oracle, task, episodes=episodes, seed=seed)
    score = Score(found.mean_reward, found.episode_sd, found.success_rate, found.episodes)
    card = msgspec.structs.replace(card, score=score)
    save_oracle(oracle, card, path)
    shutil.rmtree(folder)
    return card


def plain(card: "Card") -> dict[str, Any]:
    """Return a card as plain values, its score's figures on top."""
    import msgspec

    values: dict[str, Any] = msgspec.to_builtins(card)
    score = values.pop("score") or {}
    return {**values, **score}


def scored(card: "Card") -> list[str]:
    """Word a score for a table."""
    if card.score is None:
        return ["-", "-"]
    return [figure(card.score.mean_reward, 1), percent(card.score.success_rate)]


def size(oracle: Any) -> str:
    """Word the number of parameters of an oracle."""
    return f"{oracle.n_parameters:,}"
