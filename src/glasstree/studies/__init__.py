"""The paper's tables and figures, measured again; the paper's values are in paper.toml."""

from importlib import import_module

from glasstree.errors import OptionError, unknown
from glasstree.studies.study import Bench, Cell, Column, Missing, Plan, Row, Study

__all__ = ["TABLES", "Bench", "Cell", "Column", "Missing", "Plan", "Row", "Study", "get_study"]

TABLES = tuple(f"table{number}" for number in range(1, 9))
FIGURES, ALL = "figures", "all"


def get_study(name: str) -> Study:
    """Return a table by name."""
    if name not in TABLES:
        raise OptionError(unknown("study", name, [*TABLES, FIGURES, ALL]))
    study: Study = import_module(f"glasstree.studies.tables.{name}").STUDY
    return study
