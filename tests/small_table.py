"""A small table 8 for the tests of studies."""

from typing import Any

from glasstree.studies import Column, Plan, Row, Study
from glasstree.studies.layout import tabulated, works

NAME = "table8"
FIGURES = {
    "paper": {"test_accuracy": (90.0, 1.0), "seconds": (0.5, 0.1), "completion": (93.0, 1.0)},
    "glasstree": {"test_accuracy": (99.0, 1.0), "reward": (-150.0, 2.0), "hidden": (1.0,)},
}


def table(rga: float = 15.0) -> Any:
    """A small table 8."""
    slow = {"seconds": (rga, 1.0), "test_accuracy": (70.0, 1.0)}
    rows = [
        Row("5-link SQP", {recipe: lambda bench, f=f: f for recipe, f in FIGURES.items()}),
        Row("5-link RGA", {"paper": lambda bench: slow}),
        Row("5-link <none>", {"oracle": lambda bench: {"reward": (1234.5, 0.25)}}),
    ]
    columns = (
        *(Column("test_accuracy", "test %", 1), Column("seconds", "time"), Column("reward", "r")),
        Column("completion", "c", 0),
    )
    study = Study(NAME, "Arms", "arm", columns, lambda plan: rows, "Some notes.")
    found = {name: work(None) for name, work in works(study, Plan()).items()}
    return tabulated(study, Plan(), found)
