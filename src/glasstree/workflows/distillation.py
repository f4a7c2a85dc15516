"""`distill`: from the names of a task and an oracle to rules, in a folder or without one."""

from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from glasstree import parallel
from glasstree.data.levels import with_levels
from glasstree.errors import OptionError, RunError
from glasstree.options import Options
from glasstree.oracles.choosing import choosing
from glasstree.oracles.library import oracle_for, oracle_in_file
from glasstree.pipeline import Result, run_stages
from glasstree.policy.arrays import Policy
from glasstree.policy.sources.plant import is_package
from glasstree.progress import Note, emit, printing
from glasstree.report import write_report
from glasstree.runs.content import content_of
from glasstree.runs.measured import held_in
from glasstree.runs.shapes import read_config
from glasstree.runs.store import CONFIG, METRICS, PAGE, RunStore, nothing_to_resume, open_store
from glasstree.tasks import Task
from glasstree.workflows.settings.config import (
    NO_TASK,
    WORDS,
    config_for,
    find_task,
    options_of,
    read_options,
    read_settings,
    without_nothing,
)
from glasstree.workflows.settings.effort import fitted, with_effort
from glasstree.workflows.settings.plain import to_plain

Asked = str | Path | Callable[..., Any] | Policy | None


@dataclass(frozen=True)
class Plan:
    """A run before it begins: what is asked for, found and checked, and how that is written."""

    task: Task
    oracle: Policy
    options: Options
    config: Mapping[str, Any]

    def within(self, minutes: float) -> "Plan":
        """Return the plan with budgets that fit a time."""
        return self.with_options(fitted(self.options, self.task, self.oracle, minutes))

    def with_options(self, options: Options) -> "Plan":
        """Return the plan with other options."""
        config = {**self.config, "options": to_plain(options)}
        return replace(self, options=options, config=config)

    def store(self, out: str | Path | None, resume: bool, overwrite: bool) -> RunStore:
        """Return what keeps the run: the folder, or nothing."""
        if out is None:
            return RunStore()
        return open_store(out, self.config, resume=resume, overwrite=overwrite)


def distill(
    task: Any = None,
    oracle: Asked = None,
    options: Options | None = None,
    *,
    out: str | Path | None = None,
    resume: bool = False,
    overwrite: bool = False,
    config: str | Path | None = None,
    workers: int | None = None,
    engine: str = "local",
    address: str | None = None,
    trust: bool = False,
    minutes: float | None = None,
    effort: str | None = None,
    progress: bool | None = None,
    **chosen: Any,
) -> Result:
    """Turn a black-box policy into a few rules that control as well.

    A task is a name, a `Task`, or what get_task takes with its keyword arguments, such as module
    or actions. Options are given whole, or by the keyword arguments of `Options.for_task`; what is
    not said suits the task. A folder `out` keeps the run and its page; with resume, a run that was
    stopped goes on from there and needs no other words. A file `config` says what is not said
    here. Where actions are continuous, levels is how many vectors stand for them. Minutes make the
    budgets smaller where the run would take longer; effort is "quick", "default" or "thorough":
    about a tenth of the usual budgets, these, or four times as much. That plan is kept with the
    run. Progress is printed to standard error, by default in a terminal and in a notebook. Workers
    (0 for all cores), engine and address decide who computes, never what comes out.
    """
    if resume and out is None:
        raise OptionError("say which run to resume: the folder --out")
    if minutes is not None and effort is not None:
        raise OptionError("--minutes and --effort both say how much is done; give one of them")
    resumed = Path(out) / CONFIG if resume and out is not None else None
    file = _file(config, resumed)
    levels = chosen.pop("levels") if isinstance(chosen.get("levels"), int) else None
    words = {name: chosen.pop(name) for name in WORDS if name in chosen}
    with printing(progress):
        known = find_task(task, file, trust, **without_nothing(words))
        in_file = file.get("oracle") if file.get("task") in (None, known.name) else None
        options = _options(known, options, chosen, file.get("options", {}), resumed)
        plan = make_plan(known, oracle, options, in_file, trust, levels)
        if minutes is not None and resumed is None:
            with working(workers, "local", None):
                plan = plan.within(minutes)
        if effort is not None and resumed is None:
            plan = plan.with_options(with_effort(plan.options, effort, chosen))
        with plan.store(out, resume, overwrite) as store, working(workers, engine, address):
            return _carried_out(plan, store, out)


def _carried_out(plan: Plan, store: RunStore, out: str | Path | None) -> Result:
    """Run the stages, and write the page where there is a folder."""
    before = _figures(store)
    result = run_stages(plan.task, plan.oracle, plan.options, store)
    _tell_what_differs(result)
    shown = before is not None and before == _figures(store)  # then the page tells it already
    if out is not None and not (shown and (Path(out) / PAGE).exists()):
        stages = (result.policies, result.performances)
        front = [(row.policy, row.figures()) for row in result.front or ()]
        content = content_of(plan.task, *stages, plan.oracle, result.summary(), front)
        write_report(replace(content, held=held_in(Path(out))), Path(out) / PAGE)
    return result


def _tell_what_differs(result: Result) -> None:
    """Say so if the same episodes, played twice, differ: each keeps something of those before."""
    twice = [row.unseen for row in result.front or () if row.policy == result.policy]
    again = result.performances[result.final].mean_reward
    for once in (row.mean_reward for row in twice if row.mean_reward != again):
        emit(
            Note(
                f"the same episodes gave a mean reward of {once:.6g}, then of {again:.6g}: "
                f"{result.task.name} does not begin each episode afresh, so results may differ a "
                "little from run to run, whatever the seed"
            )
        )


def _figures(store: RunStore) -> bytes | None:
    """Return the figures of a run as it keeps them."""
    path = None if store.folder is None else store.folder / METRICS
    return path.read_bytes() if path is not None and path.exists() else None


def make_plan(
    task: Task,
    oracle: Asked,
    options: Options,
    in_file: str | None = None,
    trust: bool = False,
    levels: int | None = None,
) -> Plan:
    """Find the oracle: as it is asked for, else as a file says, else the task's own.

    Where actions are continuous and have no levels yet, these are found by what the oracle does.
    """
    for variation in task.varied.environment.variations:
        task.environment(**variation).close()  # what cannot be made is told before anything is done
    if levels is not None and task.bounds is None:
        raise OptionError(f"{task.name} has no continuous actions, so that it needs no levels")
    if oracle is None and in_file is not None:
        oracle, black_box = in_file, oracle_in_file(in_file, task, trust)
    else:
        black_box = oracle_for(task, oracle, trust)
    if task.bounds is not None and not task.n_actions:
        task = with_levels(task, black_box, levels, options.seed)
        black_box = choosing(black_box, task)
    return Plan(task, black_box, options, config_for(task, oracle, options))


def usual_folder(task: str | None, config: Path | None = None) -> Path:
    """Return the default folder of a run."""
    name = task or (None if config is None else read_settings(config).get("task"))
    if name is None:
        raise OptionError(NO_TASK)
    return Path("runs") / name.rpartition(":")[2] if is_package(name) else Path("runs") / name


def working(workers: int | None, engine: str, address: str | None) -> AbstractContextManager[None]:
    """Return the block in which an engine works; that of the caller if nothing is given."""
    if workers is None and engine == "local" and address is None:
        return nullcontext()
    return parallel.engine(engine, address, workers)


def _file(config: str | Path | None, resumed: Path | None) -> dict[str, Any]:
    """Return the plain values that a run starts from: those of a file, or its own."""
    if resumed is None:
        return {} if config is None else read_settings(Path(config))
    if config is not None:
        raise OptionError("a run is resumed with its own configuration; leave out --config")
    found = read_config(resumed)
    if found is None:
        raise RunError(nothing_to_resume(resumed.parent))
    return found


def _options(
    task: Task,
    options: Options | None,
    chosen: Mapping[str, Any],
    in_file: Mapping[str, Any],
    resumed: Path | None,
) -> Options:
    """Return the options: given, chosen beside those of a file, or those of a run that goes on.

    Words beside a run that goes on must be all of its own: the store compares them.
    """
    if options is not None and chosen:
        raise OptionError(f"the options are given whole, so leave out {', '.join(chosen)}")
    if options is not None:
        return options
    if resumed is None:
        return options_of(in_file, task, **chosen)
    return Options.for_task(task, **chosen) if chosen else read_options(in_file, resumed)
