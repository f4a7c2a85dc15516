"""`glasstree cuts`: one deep tree, cut to several depths and re-optimised, as in the paper."""

from os import cpu_count as count_cpus
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from glasstree.cli import app
from glasstree.cli.arguments import ImportOption, TrustOption
from glasstree.cli.commands.run import plain
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
from glasstree.errors import OptionError

if TYPE_CHECKING:
    from glasstree.closedloop.cuts import Cut


@app.command()
def cuts(
    task: Annotated[str, typer.Argument(help="What to control; see `glasstree tasks`.")],
    oracle: Annotated[str | None, typer.Option(help="What to explain; the task's own.")] = None,
    depth: Annotated[int, typer.Option(help="Depth of the tree that is cut.")] = 6,
    cut: Annotated[str, typer.Option(help="Depths to cut to.")] = "2,3,4,5,6",
    data: Annotated[str, typer.Option(help="Training states: regular or balanced.")] = "balanced",
    recipe: Annotated[str, typer.Option(help="Re-optimisation: paper or default.")] = "paper",
    samples: Annotated[int, typer.Option(help="States to train on.")] = 10_000,
    episodes: Annotated[int, typer.Option(help="Unseen episodes for the figures.")] = 1000,
    workers: WorkersOption = 0,
    engine: EngineOption = "local",
    address: AddressOption = None,
    seed: SeedOption = 0,
    out: Annotated[Path | None, typer.Option(help="Folder to keep it all in; none.")] = None,
    resume: Annotated[bool, typer.Option("--resume", help="Go on with a stopped one.")] = False,
    overwrite: Annotated[bool, typer.Option("--overwrite", help="Replace one.")] = False,
    trust: TrustOption = False,
    module: ImportOption = None,
    as_json: JsonOption = False,
) -> None:
    """Cut one deep tree to several depths; score each before and after re-optimisation."""
    depths = read_depths(cut, depth)
    with showing_progress(quiet=as_json):
        from glasstree.closedloop.cuts import cut_and_reoptimise
        from glasstree.options import Options
        from glasstree.oracles import oracle_for
        from glasstree.parallel import engine as working
        from glasstree.pipeline import learn, sample
        from glasstree.runs import RunStore, open_run
        from glasstree.tasks import get_task

        known = get_task(task, module=module)
        budget = {"samples": samples, "episodes": episodes, "seed": seed}
        cores = workers or count_cpus() or 1
        options = Options.for_task(
            known, recipe=recipe, depth=depth, workers=cores, data=data, **budget
        )
        if options.data == "dagger":
            raise OptionError("a deep tree to cut is grown on --data regular or balanced")
        black_box = oracle_for(known, oracle, trust)
        config = {"task": known.name, "oracle": oracle or known.name, "options": plain(options)}
        keep = open_run(out, config, resume=resume, overwrite=overwrite) if out else RunStore()
        with keep, working(engine, address, cores):
            states = keep.dataset("train.npz", lambda: sample(black_box, known, options))
            deep = keep.policy("open_loop.json", lambda: learn(states, known, options))
            found = cut_and_reoptimise(
                deep, known, depths, options.closed_loop, seed, episodes, keep
            )
    if as_json:
        print_json({"task": known.name, "seed": seed, "cuts": [one.figures() for one in found]})
        return
    show(found, f"{known.name}: a tree of depth {depth}, cut; {episodes:,} unseen episodes")


def read_depths(words: str, deepest: int) -> list[int]:
    """Turn "2,3" into depths.

    >>> read_depths("3,2", 6)
    [2, 3]
    """
    try:
        depths = sorted({int(word) for word in words.split(",")})
    except ValueError:
        raise OptionError(f"--cut needs depths with commas between them, got {words!r}") from None
    if not 1 <= depths[0] <= depths[-1] <= deepest:
        raise OptionError(f"--cut needs depths from 1 to {deepest}, got {words!r}")
    return depths


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
