"""`glasstree cuts`: one deep tree, cut to several depths and re-optimised, as in the paper."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from glasstree.cli import app
from glasstree.cli.arguments import TrustOption
from glasstree.cli.console import (
    JsonOption,
    figure,
    percent,
    print_json,
    print_table,
    showing_progress,
)
from glasstree.cli.groups import Chosen, Explained, Kept, Own, Working, said, with_groups
from glasstree.errors import OptionError

if TYPE_CHECKING:
    from glasstree.closedloop.cuts import Cut


@app.command()
@with_groups
def cuts(
    *,
    task: Annotated[str, typer.Argument(help="What to control; see `glasstree tasks`.")],
    oracle: Explained = None,
    chosen: Chosen,
    cut: Annotated[str, typer.Option(help="Depths to cut to.")] = "2,3,4,5,6",
    out: Annotated[
        Path | None, typer.Option(help="Folder to keep the results in; none by default.")
    ] = None,
    kept: Kept,
    working: Working,
    trust: TrustOption = False,
    own: Own,
    as_json: JsonOption = False,
) -> None:
    """Cut one deep tree to several depths; score each before and after re-optimisation.

    Without other words the tree has depth 6, on balanced data, by the recipe of the paper.
    """
    depths = read_depths(cut)
    with showing_progress(quiet=as_json):
        from glasstree.workflows.cuts import cuts as cut_to

        found = cut_to(
            task,
            oracle,
            depths=depths,
            out=out,
            trust=trust,
            **own.words(),
            **vars(kept),
            **vars(working),
            **said(chosen),
        )
    if as_json:
        figures = [one.figures() for one in found]
        print_json({"task": task, "seed": chosen.seed or 0, "cuts": figures})
        return
    show(found, f"{task}: one deep tree, cut; {found[0].after.episodes:,} unseen episodes")


def read_depths(words: str) -> list[int]:
    """Turn "2,3" into depths.

    >>> read_depths("3,2")
    [3, 2]
    """
    try:
        return [int(word) for word in words.split(",")]
    except ValueError:
        raise OptionError(f"--cut needs depths with commas between them, got {words!r}") from None


def show(found: "list[Cut]", title: str) -> None:
    """Write the table, numbers of rules in brackets."""
    rows = []
    for one in found:
        cells = [f"NLDT-{one.depth} ({one.open_loop.n_rules})"]
        for score in (one.before, one.after):
            spread = score.episode_sd if score.batch_sd is None else score.batch_sd
            cells += [
                f"{figure(score.mean_reward)} ± {figure(spread)}",
                percent(score.success_rate),
            ]
        rows.append([*cells, figure(one.open_loop.rule_length, 1)])
    columns = ("tree (rules)", "open loop", "success", "closed loop", "success", "rule length")
    print_table(title, columns, rows)
