"""`glasstree run`: the whole method on one task."""

from dataclasses import asdict, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from glasstree.cli import app
from glasstree.cli.console import (
    JsonOption,
    ParsimonyOption,
    SeedOption,
    console,
    figure,
    percent,
    print_json,
    print_table,
    program,
    showing_progress,
)
from glasstree.cli.subject import ImportOption, NamesOption, TrustOption

if TYPE_CHECKING:
    from glasstree.pipeline import Options, Result


@app.command()
def run(
    task: Annotated[str, typer.Argument(help="What to control; see `glasstree tasks`.")],
    oracle: Annotated[str | None, typer.Option(help="What to explain; the task's own.")] = None,
    data: Annotated[str, typer.Option(help="Training states: regular or balanced.")] = "regular",
    samples: Annotated[int, typer.Option(help="Number of training states.")] = 10_000,
    depth: Annotated[int, typer.Option(help="Most rules on the way of a state.")] = 2,
    terms: Annotated[int, typer.Option(help="Most terms a rule.")] = 3,
    solver: Annotated[str, typer.Option(help="Weights: exact, rga or sqp.")] = "exact",
    parsimony: ParsimonyOption = 0.005,
    episodes: Annotated[int, typer.Option(help="Unseen episodes for the figures.")] = 1000,
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
        from glasstree.oracles import load_oracle
        from glasstree.pipeline import distill
        from glasstree.report import write_report
        from glasstree.runs import open_run
        from glasstree.tasks import get_task

        options = make_options(data, samples, depth, terms, solver, parsimony, episodes, seed)
        known = get_task(task, module=module, state_names=names.split(",") if names else None)
        black_box = load_oracle(oracle or known.name, known, trust)
        folder = out or Path("runs") / known.name
        config = {"task": known.name, "oracle": oracle or known.name, "options": plain(options)}
        keep = open_run(folder, config, resume=resume, overwrite=overwrite)
        result = distill(known, black_box, options, keep)
        write_report(result, folder / "report.html")
    if as_json:
        print_json({**result.summary(), "policy": str(folder / "policy.json")})
        return
    show(result, folder)


def make_options(
    data: str,
    samples: int,
    depth: int,
    terms: int,
    solver: str,
    parsimony: float,
    episodes: int,
    seed: int,
) -> "Options":
    """Turn words into options."""
    from glasstree.errors import OptionError, unknown
    from glasstree.openloop import GrowthOptions
    from glasstree.openloop.solvers import get_search, get_solver
    from glasstree.pipeline import Options

    if data not in ("regular", "balanced"):
        raise OptionError(unknown("kind of data", data, ("regular", "balanced")))
    weights = get_solver(solver)
    defaults = GrowthOptions()
    search = get_search(None, weights, terms, parsimony, defaults.impurity_tolerance)
    growth = replace(defaults, max_depth=depth, search=search, solver=weights)
    return Options(data=data, samples=samples, growth=growth, episodes=episodes, seed=seed)  # type: ignore[arg-type]


def plain(options: "Options") -> dict[str, Any]:
    """Return options as plain values, solver and search with their names."""
    values = asdict(options)
    for part in ("solver", "search"):
        name = type(getattr(options.growth, part)).__name__
        values["growth"][part] = {"name": name, **values["growth"][part]}
    return values


def show(result: "Result", folder: Path) -> None:
    """Write what came out: the stages side by side, then the rules."""
    from glasstree.export import to_text

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
