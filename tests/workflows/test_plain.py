"""Options become plain values and come back, and what is wrong in a file is one sentence."""

from typing import Any

import numpy as np
import pytest

from glasstree.closedloop import FrontOptions, ReoptimisationOptions
from glasstree.data import AggregationOptions
from glasstree.errors import OptionError
from glasstree.openloop import GrowthOptions
from glasstree.openloop.lower.paper.sqp import SQPSolver
from glasstree.openloop.lower.solver import Solver
from glasstree.openloop.upper.paper import PaperSearch
from glasstree.options import Options
from glasstree.tasks import task_names
from glasstree.workflows.settings.plain import from_plain, merged, to_plain
from toys import little

PAPER = GrowthOptions(search=PaperSearch(terms=2), solver=SQPSolver(literal=True))


@pytest.mark.parametrize("recipe", ["default", "paper"])
@pytest.mark.parametrize("task", task_names())
def test_options_of_every_task_come_back_as_they_were(task: str, recipe: str) -> None:
    options = Options.for_task(task, recipe=recipe, seed=3)
    assert from_plain(Options, to_plain(options)) == options


@pytest.mark.parametrize(
    "options",
    [
        little(growth=PAPER),
        little(aggregation=AggregationOptions(weighting=True)),
        little(closed_loop=ReoptimisationOptions(search="genetic", objective="success")),
    ],
)
def test_other_options_come_back_too(options: Options) -> None:
    assert from_plain(Options, to_plain(options)) == options


def test_who_computes_is_not_written() -> None:
    assert not {"workers", "n_jobs"} & set(words(to_plain(little())))


def words(values: Any) -> list[str]:
    """Return all names in plain values."""
    if not isinstance(values, dict):
        return []
    return [*values, *(name for value in values.values() for name in words(value))]


def test_numbers_of_numpy_are_written_as_numbers() -> None:
    assert to_plain(little(samples=np.int64(7)))["samples"] == 7


def test_an_object_is_written_by_its_name_and_cannot_be_read() -> None:
    written = to_plain(ReoptimisationOptions(search=object()))
    assert written["search"] == "object"
    with pytest.raises(OptionError, match="unknown search 'object'"):
        from_plain(ReoptimisationOptions, written)


@pytest.mark.parametrize(
    "change, sentence",
    [
        ({"sed": 1}, r"unknown option 'options.sed'; did you mean 'options.seed'"),
        ({"seed": "x"}, r"options.seed: Expected `int`, got `str`, got 'x'"),
        ({"seed": 1.5}, "options.seed: Expected `int`"),
        ({"growth": 3}, "options.growth must be a table of options, got 3"),
        ({"growth": {"min_leef": 3}}, r"unknown option 'options.growth.min_leef'; did you mean"),
        ({"growth": {"solver": {"name": "Scan"}}}, "options.growth.solver: unknown name 'Scan'"),
        ({"growth": {"solver": {}}}, "options.growth.solver: unknown name 'None'"),
        ({"closed_loop": {"wide": 1}}, "options.closed_loop.wide: Expected `bool`"),
        ({"closed_loop": {"search": {"a": 1}}}, "options.closed_loop.search: Expected `str`"),
        ({"aggregation": {"weighting": "gaps"}}, "options.aggregation.weighting: "),
        ({"closed_loop": {"population": 1}}, "population must be at least 4, got 1"),
        ({"front": "some"}, "options.front must be a table"),
        ({"front": to_plain(FrontOptions()) | {"population": 1}}, "population must be at least 4"),
        ({"pick": "worst"}, "cannot pick 'worst'; pick default, best, simplest, or give"),
    ],
)
def test_what_is_wrong_is_named_by_its_place(change: dict[str, Any], sentence: str) -> None:
    with pytest.raises(OptionError, match=sentence) as caught:
        from_plain(Options, {**to_plain(little()), **change})
    assert "\n" not in str(caught.value)


def test_what_depends_on_the_task_may_not_be_missing() -> None:
    values = to_plain(little())
    del values["rules"], values["episodes"]
    with pytest.raises(OptionError, match=r"options\.rules is missing"):
        from_plain(Options, values)
    assert from_plain(Options, {**values, "rules": 2}).episodes == 1000


def test_a_table_of_another_name_replaces_all_of_one() -> None:
    base = {"solver": {"name": "ScanSolver", "bins": 64}}
    assert merged(base, {"solver": {"bins": 32}}) == {"solver": {"name": "ScanSolver", "bins": 32}}
    other = merged(base, {"solver": {"name": "SQPSolver"}})
    assert from_plain(Solver, other["solver"]) == SQPSolver()


def test_many_rules_are_read_back_as_lines() -> None:
    options = Options.for_task("cartpole", rules=16)
    assert from_plain(Options, to_plain(options)) == options
