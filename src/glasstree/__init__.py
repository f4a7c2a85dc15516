"""See-through policies: a black-box controller in, a few nonlinear rules out."""

import sys
from importlib import import_module
from types import ModuleType
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from glasstree.episodes import Performance, evaluate
    from glasstree.formats import to_text
    from glasstree.openloop.classifier import NLDTClassifier
    from glasstree.openloop.regressor import NLDTRegressor
    from glasstree.options import Options
    from glasstree.oracles import load_oracle
    from glasstree.oracles import oracle_cards as oracles
    from glasstree.pipeline import Result
    from glasstree.policy import Leaf, PolicyTree, Rule, Scaling, Split, load, save
    from glasstree.prove import prove
    from glasstree.studies.reproduction import reproduce
    from glasstree.tasks import Task, get_task
    from glasstree.tasks import all_tasks as tasks
    from glasstree.workflows.card import card
    from glasstree.workflows.conditions import conditions
    from glasstree.workflows.cuts import cuts
    from glasstree.workflows.distillation import distill
    from glasstree.workflows.fitting import fit
    from glasstree.workflows.logs import distill_log
    from glasstree.workflows.policies import edit, explain, export, watch
    from glasstree.workflows.quantities import fit_quantity
    from glasstree.workflows.run import Run, open_run, report
    from glasstree.workflows.scoring import predict, score, score_quantity
    from glasstree.workflows.training import train_oracle

__version__ = "0.1.0"

__all__ = [
    "Leaf",
    "NLDTClassifier",
    "NLDTRegressor",
    "Options",
    "Performance",
    "PolicyTree",
    "Result",
    "Rule",
    "Run",
    "Scaling",
    "Split",
    "Task",
    "card",
    "conditions",
    "cuts",
    "distill",
    "distill_log",
    "edit",
    "evaluate",
    "explain",
    "export",
    "fit",
    "fit_quantity",
    "get_task",
    "load",
    "load_oracle",
    "open_run",
    "oracles",
    "predict",
    "prove",
    "report",
    "reproduce",
    "save",
    "score",
    "score_quantity",
    "tasks",
    "to_text",
    "train_oracle",
    "watch",
]

_PACKAGES = {
    "formats": ("to_text",),
    "openloop.classifier": ("NLDTClassifier",),
    "openloop.regressor": ("NLDTRegressor",),
    "oracles": ("load_oracle",),
    "options": ("Options",),
    "pipeline": ("Result",),
    "policy": ("Leaf", "PolicyTree", "Rule", "Scaling", "Split", "load", "save"),
    "episodes": ("Performance", "evaluate"),
    "studies.reproduction": ("reproduce",),
    "tasks": ("Task", "get_task"),
    "workflows.card": ("card",),
    "workflows.conditions": ("conditions",),
    "workflows.cuts": ("cuts",),
    "workflows.distillation": ("distill",),
    "workflows.logs": ("distill_log",),
    "workflows.fitting": ("fit",),
    "workflows.policies": ("edit", "export", "watch"),
    "workflows.quantities": ("fit_quantity",),
    "workflows.run": ("Run", "open_run"),
    "workflows.scoring": ("predict", "score", "score_quantity"),
    "workflows.training": ("train_oracle",),
}
_PLACES = {name: package for package, names in _PACKAGES.items() for name in names}
# packages that are also calls: `gt.explain(tree, state)` beside `glasstree.explain.read`
_CALLS = {
    "explain": ("workflows.policies", "explain"),
    "oracles": ("oracles", "oracle_cards"),
    "prove": ("prove.findings", "prove"),
    "report": ("workflows.run", "report"),
    "tasks": ("tasks", "all_tasks"),
}


class _Call(ModuleType):
    """A package that can be called by its name."""

    def __call__(self, *words: Any, **options: Any) -> Any:
        place, name = _CALLS[self.__name__.rpartition(".")[2]]
        return getattr(import_module(f"glasstree.{place}"), name)(*words, **options)


class _Glasstree(ModuleType):
    """This package; it makes the packages in _CALLS callable."""

    def __setattr__(self, name: str, value: Any) -> None:
        if name in _CALLS and isinstance(value, ModuleType):
            value.__class__ = _Call
        super().__setattr__(name, value)


sys.modules[__name__].__class__ = _Glasstree


def __getattr__(name: str) -> Any:
    if name in _CALLS:
        return import_module(f"glasstree.{name}")
    if name not in _PLACES:
        raise AttributeError(f"module 'glasstree' has no attribute {name!r}")
    return getattr(import_module(f"glasstree.{_PLACES[name]}"), name)


def __dir__() -> list[str]:
    return __all__
