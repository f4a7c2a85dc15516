"""config.toml: what a run is about, written beside its results and read to start or resume one."""

import tomllib
from collections.abc import Mapping
from dataclasses import fields
from inspect import signature
from pathlib import Path
from typing import Any

import msgspec

from glasstree.errors import OptionError, RunError, unknown
from glasstree.options import Options
from glasstree.oracles.library import usual_oracle
from glasstree.runs.shapes import Config
from glasstree.tasks import Task, get_task, task_in_file
from glasstree.workflows.settings.plain import from_plain, merged, to_plain

NO_TASK = "say what to control: a task, a file with --config, or --resume with the folder --out"
# what Options.for_task understands beside the fields: it shapes them for the task
SHAPING = tuple(
    name
    for name, parameter in signature(Options.for_task).parameters.items()
    if parameter.kind is parameter.KEYWORD_ONLY and name != "growth"
)

# what a user may say of a task, here and in files
WORDS = tuple(
    name
    for name, parameter in signature(get_task).parameters.items()
    if parameter.kind is parameter.KEYWORD_ONLY
)

# what a file says elsewhere and a chosen word says too
DECIDES = {
    "recipe": ("data", "closed_loop", "reengineering", "front"),
    "depth": ("rules", "growth.max_depth"),
    "rules": ("depth", "growth.max_depth"),
    "terms": ("growth.search.terms",),
    "parsimony": ("growth.search.parsimony",),
    "solver": ("growth.solver", "growth.search"),
    "growth": ("solver", "terms", "parsimony"),
}


def config_for(task: Task, oracle: Any, options: Options) -> dict[str, Any]:
    """Return as plain values all that decides a run; the number of workers does not."""
    config: dict[str, Any] = {"task": task.name, "oracle": oracle_name(task, oracle)}
    config["state_names"] = list(task.state_names)
    if task.plant is not None:
        config |= {"units": list(task.units), "actions": list(task.action_names)}
        config |= task.plant.said()
    return {**config, "options": to_plain(options)}


def oracle_name(task: Task, oracle: Any) -> str:
    """Return the name of an oracle on the command line, if it has one.

    >>> oracle_name(get_task("cartpole"), None)
    'cartpole'
    """
    if oracle is None:
        return usual_oracle(task)
    if isinstance(oracle, str | Path):
        return str(oracle)
    own = getattr(oracle, "__qualname__", type(oracle).__qualname__)
    module = getattr(oracle, "__module__", "__main__")
    return own if module == "__main__" or "<" in own else f"{module}:{own}"


def read_settings(path: Path) -> dict[str, Any]:
    """Return the plain values of a file to start from: a task, an oracle, options, or some."""
    try:
        values = tomllib.loads(path.read_text(encoding="utf-8"))
        msgspec.convert(values, Settings)
    except (OSError, ValueError, RecursionError, msgspec.ValidationError) as error:
        reason = getattr(error, "strerror", None) or error
        raise OptionError(f"cannot read {str(path)!r} as a configuration: {reason}") from None
    for name in values:
        if name not in Settings.__struct_fields__:
            raise OptionError(f"{path}: {unknown('entry', name, Settings.__struct_fields__)}")
    return values


class Settings(Config):
    """A file to start a run from; what it leaves out has its default."""

    task: str | None = None  # type: ignore[assignment]
    oracle: str | None = None  # type: ignore[assignment]
    options: dict[str, Any] = msgspec.field(default_factory=dict)


def find_task(task: Any, file: Mapping[str, Any], trust: bool = False, **words: Any) -> Task:
    """Return the task that is asked for, else the one that a file names, in its words.

    Words are those of get_task. Importing a module runs its code: one that only a file names needs
    trust.
    """
    named = file.get("task")
    if task is None and named is None:
        raise OptionError(NO_TASK)
    if not isinstance(task, str | None) or task not in (None, named):
        return get_task(task, **words)
    kept = {name: file[name] for name in WORDS if name in file}
    return task_in_file(str(named), trust or "module" in words, **{**kept, **words})


def without_nothing(words: Mapping[str, Any]) -> dict[str, Any]:
    """Return the words that say something.

    >>> without_nothing({"module": None, "step_limit": 5})
    {'step_limit': 5}
    """
    return {name: value for name, value in words.items() if value is not None}


def options_of(values: Mapping[str, Any], task: Task, **chosen: Any) -> Options:
    """Return the options of a file, what is chosen beside it first, what suits the task last.

    Words of Options.for_task such as recipe or depth may stand in the file too.
    """
    names = {*SHAPING, *(field.name for field in fields(Options))}
    for name in values:
        if name not in names:
            places = [f"options.{known}" for known in names]
            raise OptionError(unknown("option", f"options.{name}", places))
    kept = values
    for name in chosen:
        for place in (name, *DECIDES.get(name, ())):
            kept = _without(kept, place.split("."))
    shaping = {name: kept[name] for name in SHAPING if name in kept}
    usual = Options.for_task(task, **_checked(shaping), **chosen)
    rest = {name: value for name, value in kept.items() if name not in SHAPING}
    return read_options(merged(to_plain(usual), rest)) if rest else usual


def read_options(values: Mapping[str, Any], where: Path | None = None) -> Options:
    """Return options from all of their plain values."""
    try:
        options: Options = from_plain(Options, values)
    except OptionError as error:
        if where is None:
            raise
        raise RunError(f"{where} is damaged: {error}") from None
    return options


def _without(values: Mapping[str, Any], place: list[str]) -> dict[str, Any]:
    """Return plain values without the one at a place."""
    first, rest = place[0], place[1:]
    if rest and isinstance(values.get(first), Mapping):
        return {**values, first: _without(values[first], rest)}
    return {name: value for name, value in values.items() if rest or name != first}


def _checked(shaping: Mapping[str, Any]) -> dict[str, Any]:
    kinds = {"recipe": str, "solver": str, "parsimony": float}
    return {
        name: from_plain(kinds.get(name, int), value, f"options.{name}")
        for name, value in shaping.items()
    }
