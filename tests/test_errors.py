"""All errors have one root, and the docstring draws the tree as it is."""

import inspect
import re

import pytest

from glasstree import errors
from glasstree.errors import GlasstreeError, unknown

CLASSES = [
    value
    for value in vars(errors).values()
    if inspect.isclass(value) and issubclass(value, GlasstreeError)
]


def test_the_docstring_draws_every_class() -> None:
    drawn = set(re.findall(r"[A-Z][A-Za-z]+", errors.__doc__ or ""))
    assert {cls.__name__ for cls in CLASSES} <= drawn


@pytest.mark.parametrize(
    "name, words",
    [
        ("cartpol", "did you mean 'cartpole'?"),
        ("CARTPOLE", "known: acrobot, cartpole"),
        ("", "known: acrobot, cartpole"),
    ],
)
def test_an_unknown_name_gets_the_nearest_or_all(name: str, words: str) -> None:
    assert unknown("task", name, ["cartpole", "acrobot"]) == f"unknown task {name!r}; {words}"
