"""`glasstree run`: the whole method on one task."""

from dataclasses import asdict
from os import cpu_count as count_cpus
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from glasstree.cli import app
from glasstree.cli.arguments import ImportOption, NamesOption, TrustOption
from glasstree.cli.console import (
    AddressOption,
    EngineOption,
    JsonOption,
    ParsimonyOption,
    SeedOption,
    WorkersOption,
    console,
    figure,
    percent,
    print_json,
    print_table,
    program,
    showing_progress,
)

if TYPE_CHECKING:
    from glasstree.options import Options
    from glasstree.pipeline import Result
    from glasstree.tasks import Task


@app.command()
def run(
    task: Annotated[str, typer.Argument(help="What to control; see `glasstree tasks`.")],
    oracle: Annotated[str | None, typer.Option(help="What to explain; the task's own.")] = None,
    recipe: Annotated[str, typer.Option(help="default, or paper: its GA, no dagger.")] = "default",
    data: Annotated[
        str | None, typer.Option(help="Training states: dagger, regular or balanced.")
    ] = None,
    samples: Annotated[int, typer.Option(help="States to train and test on.")] = 10_000,
    rules: Annotated[int | None, typer.Option(help="Most rules; the task's own number.")] = None,
    depth: Annotated[int | None, typer.Option(help="Most rules on the way of a state.")] = None,
    terms: Annotated[int, typer.Option(help="Most terms a rule.")] = 3,
    solver: Annotated[str, typer.Option(help="Weights: scan, rga or sqp.")] = "scan",
    parsimony: ParsimonyOption = 0.005,
    episodes: Annotated[int, typer.Option(help="Unseen episodes for the figures.")] = 1000,
    workers: WorkersOption = 0,
    engine: EngineOption = "local",
    address: AddressOption = None,
    seed: SeedOption = 0,
    out: Annotated[Path | None, typer.Option(help="Folder; runs/TASK if not given.")] = None,
    resume: Annotated[bool, typer.Option("--resume", help="Go on with a stopped run.")] = False,
    overwrite: Annotated[bool, typer.Option("--overwrite", help="Replace a run.")] = False,
    trust: TrustOption = False,
    module: ImportOption = None,
    names: NamesOption = None,
    as_json: JsonOption = False,
) -> None:
    """Turn a black-box controller into a few nonlinear rules that control as well."""
    with showing_progress(quiet=as_json):
        from glasstree.oracles import oracle_for
        from glasstree.parallel import engine as working
        from glasstree.pipeline import distill
        from glasstree.report import write_report
        from glasstree.runs import open_run
        from glasstree.runs.content import content_of
        from glasstree.tasks import get_task

        known = get_task(task, module=module, state_names=names.split(",") if names else None)
        options = make_options(
            known,
            {"recipe": recipe, "data": data, "rules": rules, "depth": depth},
            {"samples": samples, "episodes": episodes, "seed": seed},
            (solver, terms, parsimony),
            workers or count_cpus() or 1,
        )
        black_box = oracle_for(known, oracle, trust)
        folder = out or Path("runs") / known.name
        config = {"task": known.name, "oracle": oracle or known.name, "options": plain(options)}
        with open_run(folder, config, resume=resume, overwrite=overwrite) as keep:
            with working(engine, address, options.closed_loop.workers):
                result = distill(known, black_box, options, keep)
            write_report(
                content_of(
                    known, result.policies, result.performances, black_box, result.summary()
                ),
                folder / "report.html",
            )
    if as_json:
        print_json({**result.summary(), "policy": str(folder / "policy.json")})
        return
    show(result, folder)


def make_options(
    task: "Task",
    shape: dict[str, Any],
    budget: dict[str, Any],
    rule: tuple[str, int, float],
    workers: int,
) -> "Options":
    """Turn words into options."""
    from glasstree.openloop import GrowthOptions
    from glasstree.openloop.registry import get_search, get_solver
    from glasstree.options import Options

    solver, terms, parsimony = rule
    weights = get_solver(solver, workers)
    tolerance = GrowthOptions().impurity_tolerance
    search = get_search(None, weights, terms, parsimony, tolerance)
    growth = GrowthOptions(search=search, solver=weights)
    given = {name: value for name, value in shape.items() if value is not None}
    return Options.for_task(task, growth=growth, workers=workers, **given, **budget)


def plain(options: "Options") -> dict[str, Any]:
    """Return as plain values what decides a result: the number of workers does not."""
    values = asdict(options)
    values["shortening"] = values["shortening"] or {}
    values["closed_loop"].pop("workers")
    for part in ("solver", "search"):
        name = type(getattr(options.growth, part)).__name__
        values["growth"][part] = {"name": name, **values["growth"][part]}
    values["growth"]["solver"].pop("n_jobs", None)
    return values


def show(result: "Result", folder: Path) -> None:
    """Write what came out: the stages side by side, then the rules."""
    from glasstree.formats import to_text

    rows = []
    for name, found in result.performances.items():
        tree = result.policies.get(name)
        size = [str(tree.n_rules), figure(tree.rule_length, 1)] if tree else ["-", "-"]
        rows.append(
            [
                *(name, figure(found.mean_reward), figure(found.episode_sd)),
                *(figure(found.batch_sd), percent(found.success_rate), *size),
            ]
        )
    episodes = result.options.episodes
    print_table(
        f"{result.task.name}: {episodes:,} unseen episodes, at most {result.task.step_limit} steps",
        ["policy", "mean reward", "episode sd", "batch sd", "success", "rules", "rule length"],
        rows,
    )
    accuracy = result.figures["test_accuracy"]
    console.print(outcome(result), soft_wrap=True)
    console.print(
        f"agreement with the oracle on held-back states: {percent(accuracy)}; "
        f"{result.figures['seconds']:.1f} s in all\n"
    )
    console.print(to_text(result.policy), soft_wrap=True)
    policy = folder / "policy.json"
    console.print(f"policy: {policy}\nreport: {folder / 'report.html'}", soft_wrap=True)
    console.print(f"next:   {program()} evaluate {policy} --episodes 10000", soft_wrap=True)


def outcome(result: "Result") -> str:
    """Say in one sentence what became of the oracle."""
    rules = f"{result.policy.n_rules} rule{'' if result.policy.n_rules == 1 else 's'}"
    ours, theirs = result.performances["re-engineered"], result.performances["oracle"]
    success = "" if ours.success_rate is None else f", success {percent(ours.success_rate)}"
    return (
        f"{rules} instead of the oracle: mean reward {figure(ours.mean_reward)} "
        f"(oracle {figure(theirs.mean_reward)}){success}"
    )
