"""`glasstree oracles`: the black boxes that come with glasstree, and how to train more."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from glasstree.cli import app
from glasstree.cli.console import (
    JsonOption,
    SeedOption,
    console,
    figure,
    percent,
    print_json,
    print_table,
    program,
    showing_progress,
)
from glasstree.cli.groups import Own, with_groups

if TYPE_CHECKING:
    from glasstree.oracles import Card

group = typer.Typer(invoke_without_command=True, rich_markup_mode=None)
app.add_typer(group, name="oracles")


@group.callback()
def oracles(context: typer.Context, as_json: JsonOption = False) -> None:
    """List the oracles that come with glasstree, with their scores on unseen episodes."""
    if context.invoked_subcommand:
        return
    from glasstree.oracles import load_oracle, oracle_cards

    cards = oracle_cards()
    if as_json:
        print_json({name: plain(card) for name, card in cards.items()})
        return
    episodes = [card.score.episodes for card in cards.values() if card.score]
    fewest, most = min(episodes), max(episodes)
    print_table(
        f"Oracles, scored on {fewest:,} to {most:,} unseen episodes",
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
@with_groups
def train(
    *,
    task: Annotated[str, typer.Argument(help="What to control; see `glasstree tasks`.")],
    out: Annotated[Path | None, typer.Option(help="File; oracles/TASK.npz if not given.")] = None,
    steps: Annotated[int | None, typer.Option(help="Length; the recipe's if not given.")] = None,
    episodes: Annotated[int, typer.Option(help="Unseen episodes for the score.")] = 1000,
    seed: SeedOption = 0,
    overwrite: Annotated[bool, typer.Option("--overwrite", help="Replace a file.")] = False,
    own: Own,
    as_json: JsonOption = False,
) -> None:
    """Train an oracle as the shipped one was; the same command goes on with a stopped training."""
    with showing_progress(quiet=as_json):
        from glasstree.tasks import get_task
        from glasstree.workflows.training import train_oracle

        known, budget = get_task(task, **own.words()), {"steps": steps, "episodes": episodes}
        path, card = train_oracle(known, out, seed=seed, overwrite=overwrite, **budget)  # type: ignore[arg-type]
    if as_json:
        print_json({"oracle": str(path), **plain(card)})
        return
    reward, success = scored(card)
    told = f"{path}: mean reward {reward}, success {success}\n"
    told += f"next: {program()} run {known.name} --oracle {path}{own.again()}"
    console.print(told, highlight=False, markup=False, soft_wrap=True)


def plain(card: "Card") -> dict[str, Any]:
    """Return a card as plain values, its score's figures on top."""
    import msgspec

    values: dict[str, Any] = msgspec.to_builtins(card)
    score = values.pop("score") or {}
    return {**values, **score}


def scored(card: "Card") -> list[str]:
    """Format a score for a table."""
    if card.score is None:
        return ["-", "-"]
    return [figure(card.score.mean_reward, 1), percent(card.score.success_rate)]


def size(oracle: Any) -> str:
    """Format the number of parameters of an oracle."""
    return f"{oracle.n_parameters:,}"
