"""The paper's tables, measured again: one file a table, the paper's values in paper.toml."""

from importlib import import_module

from glasstree.errors import OptionError, unknown
from glasstree.studies.study import Cell, Column, Plan, Row, Study, reproduce

__all__ = ["Cell", "Column", "Plan", "Row", "Study", "get_study", "reproduce", "study_names"]

MODULES = {"table1": "glasstree.studies.table1"}


def study_names() -> list[str]:
    """Return the names of the studies.

    >>> study_names()
    ['table1']
    """
    return list(MODULES)


def get_study(name: str) -> Study:
    """Return a study by name."""
    if name not in MODULES:
        raise OptionError(unknown("study", name, [*MODULES, "all"]))
    study: Study = import_module(MODULES[name]).STUDY
    return study
