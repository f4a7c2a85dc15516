"""See-through policies: a black-box controller in, a few nonlinear rules out."""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from glasstree.episodes import Performance, evaluate
    from glasstree.formats import to_text
    from glasstree.openloop.classifier import NLDTClassifier
    from glasstree.options import Options
    from glasstree.oracles import load_oracle
    from glasstree.pipeline import Result, distill
    from glasstree.policy import Leaf, PolicyTree, Rule, Scaling, Split, load, save
    from glasstree.proofs import prove
    from glasstree.tasks import Task, get_task

__version__ = "0.1.0"

__all__ = [
    "Leaf",
    "NLDTClassifier",
    "Options",
    "Performance",
    "PolicyTree",
    "Result",
    "Rule",
    "Scaling",
    "Split",
    "Task",
    "distill",
    "evaluate",
    "get_task",
    "load",
    "load_oracle",
    "prove",
    "save",
    "to_text",
]

_PACKAGES = {
    "formats": ("to_text",),
    "openloop.classifier": ("NLDTClassifier",),
    "oracles": ("load_oracle",),
    "options": ("Options",),
    "pipeline": ("Result", "distill"),
    "policy": ("Leaf", "PolicyTree", "Rule", "Scaling", "Split", "load", "save"),
    "episodes": ("Performance", "evaluate"),
    "proofs": ("prove",),
    "tasks": ("Task", "get_task"),
}
_PLACES = {name: package for package, names in _PACKAGES.items() for name in names}


def __getattr__(name: str) -> Any:
    if name not in _PLACES:
        raise AttributeError(f"module 'glasstree' has no attribute {name!r}")
    return getattr(import_module(f"glasstree.{_PLACES[name]}"), name)


def __dir__() -> list[str]:
    return __all__
