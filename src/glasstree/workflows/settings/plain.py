"""Options as plain values and back: one writer and one reader for every dataclass of them."""

from collections.abc import Mapping
from dataclasses import MISSING, Field, fields, is_dataclass
from types import NoneType, UnionType
from typing import Any, Union, get_args, get_origin, get_type_hints

import msgspec
import numpy as np

from glasstree.errors import OptionError, unknown
from glasstree.openloop.lower.paper.rga import GeneticSolver
from glasstree.openloop.lower.paper.sqp import SQPSolver
from glasstree.openloop.lower.scanning import ScanSolver
from glasstree.openloop.lower.solver import Solver
from glasstree.openloop.upper.candidate import RuleSearch
from glasstree.openloop.upper.lines import LineSearch
from glasstree.openloop.upper.paper import PaperSearch
from glasstree.openloop.upper.search import ParsimoniousSearch

NAME = "name"
NOTHING = "none"  # TOML has no word for it
# what stands behind a protocol says its name
KINDS: dict[Any, tuple[type, ...]] = {
    RuleSearch: (ParsimoniousSearch, LineSearch, PaperSearch),
    Solver: (ScanSolver, GeneticSolver, SQPSolver),
}


def to_plain(value: Any, kind: Any = None) -> Any:
    """Return options as tables, numbers and words.

    >>> to_plain(ScanSolver(bins=64), Solver)
    {'name': 'ScanSolver', 'bins': 64, 'step': 0.03}
    """
    if value is None:
        return NOTHING
    if isinstance(value, np.generic):
        return value.item()
    if is_dataclass(value) and not isinstance(value, type):
        kinds = get_type_hints(type(value))
        name = {NAME: type(value).__name__} if kind in KINDS else {}
        return name | {
            field.name: to_plain(getattr(value, field.name), kinds[field.name])
            for field in fields(value)
        }
    if kind in KINDS or not isinstance(value, bool | int | float | str | list | tuple):
        return type(value).__name__
    return list(value) if isinstance(value, tuple) else value


def from_plain(kind: Any, value: Any, where: str = "options") -> Any:
    """Return the options that plain values stand for; what is wrong is named by its place.

    >>> from_plain(Solver, {"name": "ScanSolver", "bins": 64})
    ScanSolver(bins=64, step=0.03)
    """
    if get_origin(kind) in (Union, UnionType) and NoneType in get_args(kind):
        if value == NOTHING:
            return None
        (kind,) = set(get_args(kind)) - {NoneType}
    if kind in KINDS:
        kind, value = _named(kind, value, where)
    if not is_dataclass(kind):
        return _leaf(kind, value, where)
    values, known = _table(value, where), {field.name: field for field in fields(kind)}
    for name in values:
        if name not in known:
            raise OptionError(unknown("option", f"{where}.{name}", _places(where, known)))
    for name, field in known.items():
        if name not in values and not _has_default(field):
            raise OptionError(f"{where}.{name} is missing; add it, or start from a task's own")
    kinds = get_type_hints(kind)
    made = {name: from_plain(kinds[name], v, f"{where}.{name}") for name, v in values.items()}
    return kind(**made)  # type: ignore[operator]


def merged(base: Mapping[str, Any], change: Mapping[str, Any]) -> dict[str, Any]:
    """Return plain values with some of them changed; a table of another name replaces all of one.

    >>> merged({"a": {"x": 1, "y": 2}, "b": 3}, {"a": {"y": 5}})
    {'a': {'x': 1, 'y': 5}, 'b': 3}
    """
    result = dict(base)
    for key, new in change.items():
        old: Any = result.get(key)
        result[key] = merged(old, new) if _alike(old, new) else new
    return result


def _alike(old: Any, new: Any) -> bool:
    """Tell whether both are tables, of the same name where they have one."""
    if not isinstance(old, Mapping) or not isinstance(new, Mapping):
        return False
    return bool(new.get(NAME, old.get(NAME)) == old.get(NAME))


def _named(kind: Any, value: Any, where: str) -> tuple[type, dict[str, Any]]:
    classes = {found.__name__: found for found in KINDS[kind]}
    values = dict(_table(value, where))
    name = values.pop(NAME, None)
    if not isinstance(name, str) or name not in classes:
        raise OptionError(f"{where}: {unknown(NAME, str(name), classes)}")
    return classes[name], values


def _table(value: Any, where: str) -> Mapping[str, Any]:
    if not isinstance(value, Mapping):
        raise OptionError(f"{where} must be a table of options, got {value!r}")
    return value


def _leaf(kind: Any, value: Any, where: str) -> Any:
    try:
        return msgspec.convert(value, str if kind is Any else kind)
    except msgspec.ValidationError as error:
        raise OptionError(f"{where}: {error}, got {value!r}") from None


def _places(where: str, names: Mapping[str, Any]) -> list[str]:
    return [f"{where}.{name}" for name in names]


def _has_default(field: "Field[Any]") -> bool:
    return field.default is not MISSING or field.default_factory is not MISSING
