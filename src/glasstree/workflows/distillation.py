"""`distill`: from the names of a task and an oracle to rules, in a folder or without one."""

from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from glasstree import parallel
from glasstree.errors import OptionError, RunError
from glasstree.options import Options
from glasstree.oracles.library import oracle_for, oracle_in_file
from glasstree.pipeline import Result, run_stages
from glasstree.policy.arrays import Policy
from glasstree.report import write_report
from glasstree.runs.content import content_of
from glasstree.runs.shapes import read_config
from glasstree.runs.store import CONFIG, PAGE, RunStore, nothing_to_resume, open_store
from glasstree.tasks import Task
from glasstree.workflows.config import (
    NO_TASK,
    config_for,
    find_task,
    options_of,
    read_options,
    read_settings,
)

Asked = str | Path | Callable[..., Any] | Policy | None


@dataclass(frozen=True)
class Plan:
    """A run before it begins: what is asked for, found and checked, and how that is written."""

    task: Task
    oracle: Policy
    options: Options
    config: Mapping[str, Any]

    def store(self, out: str | Path | None, resume: bool, overwrite: bool) -> RunStore:
        """Return what keeps the run: the folder, or nothing."""
        if out is None:
            return RunStore()
        return open_store(out, self.config, resume=resume, overwrite=overwrite)


def distill(
    task: str | Task | None = None,
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
    module: str | None = None,
    state_names: Sequence[str] | None = None,
    **chosen: Any,
) -> Result:
    """Turn a black-box policy into a few rules that control as well.

    Options are given whole, or by the keyword arguments of `Options.for_task`; what is not given
    suits the task. A folder `out` keeps the run and its page; with resume, a run that was stopped
    continues and needs no other argument. A file `config` gives what is not given here. Workers
    (0 for all cores), engine and address decide who computes, never what comes out. Module and
    state_names are those of get_task.
    """
    if resume and out is None:
        raise OptionError("say which run to resume: the folder --out")
    resumed = Path(out) / CONFIG if resume and out is not None else None
    file = _file(config, resumed)
    known = find_task(task, file, module, state_names, trust)
    in_file = file.get("oracle") if file.get("task") in (None, known.name) else None
    options = _options(known, options, chosen, file.get("options", {}), resumed)
    plan = make_plan(known, oracle, options, in_file, trust)
    with plan.store(out, resume, overwrite) as store, working(workers, engine, address):
        result = run_stages(plan.task, plan.oracle, plan.options, store)
        if out is not None:
            stages = (result.policies, result.performances)
            front = [(row.policy, row.figures()) for row in result.front or ()]
            content = content_of(plan.task, *stages, plan.oracle, result.summary(), front)
            write_report(content, Path(out) / PAGE)
    return result


def make_plan(
    task: Task, oracle: Asked, options: Options, in_file: str | None = None, trust: bool = False
) -> Plan:
    """Find the oracle: as it is asked for, else as a file says, else the task's own."""
    if oracle is None and in_file is not None:
        oracle, black_box = in_file, oracle_in_file(in_file, task, trust)
    else:
        black_box = oracle_for(task, oracle, trust)
    return Plan(task, black_box, options, config_for(task, oracle, options))


def usual_folder(task: str | None, config: Path | None = None) -> Path:
    """Return the default folder of a run."""
    name = task or (None if config is None else read_settings(config).get("task"))
    if name is None:
        raise OptionError(NO_TASK)
    return Path("runs") / name


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
