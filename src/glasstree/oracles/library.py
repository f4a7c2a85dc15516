"""Find an oracle: shipped, a file, a function by name, or a Python object."""

import sys
from collections.abc import Callable
from functools import cache
from importlib import import_module
from importlib.resources import as_file, files
from pathlib import Path
from typing import Any

from glasstree.errors import OracleError, unknown
from glasstree.oracles.base import Oracle, check_suits
from glasstree.oracles.choosing import choosing
from glasstree.oracles.files import Card, read_oracle
from glasstree.oracles.function import FunctionOracle, ModuleOracle, is_module
from glasstree.oracles.guarded import guarded
from glasstree.policy.arrays import Policy
from glasstree.policy.document import load
from glasstree.tasks.base import Task
from glasstree.tasks.own.known import KNOWN
from glasstree.tasks.registry import task_names

WEIGHTS = files("glasstree.oracles") / "weights"
FILES = ".npz, .zip (Stable-Baselines3), .onnx or .json (a policy)"
SUFFIXES = (".npz", ".zip", ".onnx", ".json")


def oracle_names() -> list[str]:
    """Return the names of the oracles that come with glasstree: tasks, then Gymnasium's ids."""
    found = {Path(entry.name).stem for entry in WEIGHTS.iterdir() if entry.name.endswith(".npz")}
    ours = [name for name in task_names() if name in found]
    return [*ours, *sorted(found - set(ours))]


def oracle_card(name: str) -> Card:
    """Return the card of a shipped oracle."""
    return _shipped(name)[1]


def oracle_cards() -> dict[str, Card]:
    """Return where the oracles that come with glasstree are from, and what they are worth.

    >>> oracle_cards()["mountaincar"].algorithm
    'SARSA(lambda)'
    """
    return {name: oracle_card(name) for name in oracle_names()}


def load_oracle(
    spec: str | Path | Callable[..., Any] | Policy, task: Task | None = None, trust: bool = False
) -> Policy:
    """Return the oracle that a name, a file, `package.module:function` or an object stands for.

    A Stable-Baselines3 file runs code when it is loaded, which trust allows.

    >>> load_oracle(lambda state: int(state[0] > 0)).actions([[1.0, 2.0]])
    array([1])
    """
    if isinstance(spec, str | Path):
        oracle, name = _from_text(str(spec), task, trust), str(spec)
    elif hasattr(spec, "actions"):
        oracle, name = guarded(spec), type(spec).__name__
    elif callable(spec) or is_agent(spec):
        oracle, name = _of_object(spec, task), type(spec).__name__
    else:
        raise OracleError(
            "an oracle is a name, a file, a function, a torch module, an agent of "
            f"Stable-Baselines3 or an object with actions(states), got {type(spec).__name__}"
        )
    if task is None:
        return oracle
    check_suits(oracle, task, name)
    return choosing(oracle, task)


def oracle_for(task: Task, spec: Any = None, trust: bool = False) -> Policy:
    """Return the oracle that is asked for, or else the one that comes with the task."""
    usual = usual_oracle(task)
    if spec is None and usual not in oracle_names():
        raise OracleError(
            f"no oracle comes with {task.name}; name one with --oracle, or train one with: "
            f"glasstree oracles train '{task.name}'{_import_words(task)}"
        )
    return load_oracle(usual if spec is None else spec, task, trust)


def usual_oracle(task: Task) -> str:
    """Return the name of the oracle that comes with a task, or would if there were one."""
    return KNOWN.get(task.name, task.name)


def _import_words(task: Task) -> str:
    return f" --import {task.plant.module}" if task.plant and task.plant.module else ""


def oracle_in_file(spec: str, task: Task, trust: bool = False) -> Policy:
    """Return the oracle that a file names; that is data, so that a function's code needs trust."""
    if is_function(spec) and not trust:
        raise OracleError(
            f"a file names the oracle {spec!r}, and importing that runs its code; if you trust "
            "where the file comes from, add --trust"
        )
    return load_oracle(spec, task, trust)


def is_function(spec: str) -> bool:
    """Tell whether a text means module:function.

    >>> is_function("mine:act"), is_function("C:mine.npz"), is_function("cartpole")
    (True, False, False)
    """
    return ":" in spec and Path(spec).suffix.lower() not in SUFFIXES


def _from_text(spec: str, task: Task | None, trust: bool) -> Policy:
    path = Path(spec)
    match path.suffix.lower():
        case ".npz":
            return read_oracle(path)[0]
        case ".json":
            return load(path)
        case ".onnx":
            from glasstree.oracles.onnx import OnnxOracle

            return OnnxOracle(path)
        case ".zip":
            from glasstree.oracles.sb3 import load_sb3

            return load_sb3(path, trust, task)
    if is_function(spec):
        return _of_object(_named(spec), task, spec)
    if path.is_dir():
        return _from_folder(path, task, trust)
    if path.exists():
        raise OracleError(f"{spec}: not a kind of oracle file that is known; known: {FILES}")
    return _shipped(spec)[0]


def _from_folder(path: Path, task: Task | None, trust: bool) -> Policy:
    from glasstree.oracles.sb3 import load_sb3, zoo_model

    model = zoo_model(path)
    if model is None:
        raise OracleError(f"{path}: a folder without a model of the RL zoo; name a file: {FILES}")
    return load_sb3(model, trust, task)


@cache
def _shipped(name: str) -> tuple[Oracle, Card]:
    names = oracle_names()
    if name not in names:
        raise OracleError(f"{unknown('oracle', name, names)}; or give {FILES}, or module:function")
    with as_file(WEIGHTS / f"{name}.npz") as path:
        return read_oracle(path)


def _of_object(found: Any, task: Task | None, name: str | None = None) -> Policy:
    """Return the oracle that something in memory is."""
    if is_agent(found):
        from glasstree.oracles.sb3 import of_agent

        return of_agent(found, task)
    if is_module(found):
        return ModuleOracle(found)
    return FunctionOracle(found, name=name)


def is_agent(found: Any) -> bool:
    """Tell whether something is an agent of Stable-Baselines3, or the policy of one.

    >>> is_agent(len)
    False
    """
    return all(hasattr(found, name) for name in ("predict", "observation_space", "action_space"))


def _named(spec: str) -> Any:
    module_name, _, attributes = spec.partition(":")
    here = str(Path.cwd())
    sys.path.insert(0, here)
    try:
        found: Any = import_module(module_name)
    except (Exception, SystemExit) as error:
        reason = f"{type(error).__name__}: {error}"
        raise OracleError(f"cannot import {module_name!r} for oracle {spec!r}: {reason}") from error
    finally:
        sys.path.remove(here)
    for attribute in attributes.split("."):
        if not hasattr(found, attribute):
            raise OracleError(f"{module_name!r} has no {attribute!r}, named in oracle {spec!r}")
        found = getattr(found, attribute)
    if not callable(found) and not is_agent(found):
        raise OracleError(f"oracle {spec!r} is {type(found).__name__}, not a function")
    return found
