"""A run starts from a file, and what is said beside it comes first."""

from dataclasses import replace
from operator import attrgetter
from pathlib import Path
from typing import Any

import pytest
import tomli_w

from glasstree.closedloop import FrontOptions, ReoptimisationOptions
from glasstree.errors import OptionError, TaskError
from glasstree.openloop import GrowthOptions
from glasstree.openloop.lower.paper.sqp import SQPSolver
from glasstree.openloop.lower.scanning import ScanSolver
from glasstree.openloop.upper.search import ParsimoniousSearch
from glasstree.options import Options
from glasstree.tasks import get_task
from glasstree.workflows.settings.config import (
    config_for,
    find_task,
    options_of,
    oracle_name,
    read_settings,
)
from glasstree.workflows.settings.plain import to_plain
from toys import LAMP_TASK, lamp_oracle

CARTPOLE = get_task("cartpole")


def test_a_file_changes_what_it_names_and_the_rest_suits_the_task() -> None:
    values = {"samples": 500, "closed_loop": {"generations": 7}, "recipe": "paper", "depth": 2}
    options = options_of(values, CARTPOLE)
    usual = Options.for_task(CARTPOLE, recipe="paper", depth=2, samples=500)
    assert options.closed_loop.generations == 7
    assert to_plain(options) | {"closed_loop": 0} == to_plain(usual) | {"closed_loop": 0}
    assert options_of({}, CARTPOLE) == Options.for_task(CARTPOLE)


def test_the_front_can_be_switched_off_and_on() -> None:
    assert options_of({"front": "none"}, CARTPOLE).front is None
    found = options_of({"recipe": "paper", "front": {"keep": 5}}, CARTPOLE).front
    assert found == FrontOptions(keep=5)


@pytest.mark.parametrize(
    "chosen, place, value",
    [
        ({"seed": 0}, "seed", 0),
        ({"depth": 1}, "growth.max_depth", 1),
        ({"depth": 1}, "rules", 1),
        ({"rules": 1}, "growth.max_depth", 1),
        ({"terms": 3}, "growth.search.terms", 3),
        ({"solver": "sqp"}, "growth.solver", SQPSolver()),
        ({"solver": "scan"}, "growth.search", ParsimoniousSearch(terms=3)),
        ({"recipe": "default"}, "data", "dagger"),
        ({"recipe": "default"}, "front", Options.for_task(CARTPOLE).front),
        ({"pick": "best"}, "pick", "best"),
        ({"growth": GrowthOptions()}, "growth.solver", ScanSolver()),
        ({"closed_loop": ReoptimisationOptions()}, "closed_loop", ReoptimisationOptions()),
    ],
)
def test_what_is_said_comes_before_all_that_a_file_says(
    chosen: dict[str, Any], place: str, value: Any
) -> None:
    file = Options.for_task(CARTPOLE, recipe="paper", depth=3, solver="rga", terms=2, seed=9)
    file = replace(file, samples=77)
    found = options_of(to_plain(file), CARTPOLE, **chosen)
    assert found.samples == 77
    assert attrgetter(place)(found) == value != attrgetter(place)(file)


def test_the_price_of_an_exponent_is_said_before_a_file() -> None:
    file = Options.for_task(CARTPOLE, parsimony=0.1, terms=2)
    search = options_of(to_plain(file), CARTPOLE, parsimony=0.005).growth.search
    assert search == ParsimoniousSearch(terms=2)


@pytest.mark.parametrize(
    "values, sentence",
    [
        ({"sample": 3}, "unknown option 'options.sample'; did you mean 'options.samples'"),
        ({"depth": "two"}, "options.depth: Expected `int`"),
        ({"recipe": "papers"}, "unknown recipe 'papers'; did you mean 'paper'"),
        ({"closed_loop": {"generation": 3}}, "unknown option 'options.closed_loop.generation'"),
    ],
)
def test_a_wrong_word_in_a_file_is_one_sentence(values: dict[str, Any], sentence: str) -> None:
    with pytest.raises(OptionError, match=sentence):
        options_of(values, CARTPOLE)


@pytest.mark.parametrize(
    "text, sentence",
    [
        ("task = 3", "Expected `str"),
        ("seed = 3", "unknown entry 'seed'; known: "),
        ("options = 3", "Expected `object`"),
        ("task = ", "Invalid value"),
    ],
)
def test_a_file_that_is_no_configuration_is_one_sentence(
    tmp_path: Path, text: str, sentence: str
) -> None:
    (tmp_path / "my.toml").write_text(text)
    with pytest.raises(OptionError, match=sentence):
        read_settings(tmp_path / "my.toml")
    with pytest.raises(OptionError, match="No such file"):
        read_settings(tmp_path / "none.toml")


def test_oracles_are_called_as_on_the_command_line() -> None:
    assert oracle_name(LAMP_TASK, None) == LAMP_TASK.name
    assert oracle_name(LAMP_TASK, Path("mine.npz")) == "mine.npz"
    assert oracle_name(LAMP_TASK, lamp_oracle) == "toys:lamp_oracle"
    assert oracle_name(LAMP_TASK, lambda state: 1).endswith("<lambda>")


def test_a_module_that_only_a_file_names_is_not_imported() -> None:
    file = {"task": "CartPole-v1", "module": "antigravity_of_a_file", "state_names": list("abcd")}
    with pytest.raises(TaskError, match="with --import, or add --trust"):
        find_task(None, file)
    with pytest.raises(TaskError, match="cannot import"):
        find_task(None, file, trust=True)
    assert find_task(None, file, module="math").state_names == tuple("abcd")
    assert find_task("cartpole", file) is CARTPOLE


def test_what_a_run_writes_can_start_another(tmp_path: Path) -> None:
    words: dict[str, Any] = {"levels": [[-2.0], [2.0]], "controls": ["torque [N m]"]}
    task = get_task("Pendulum-v1", train_vary={"g": [9.0, 10.0]}, **words)
    path = tmp_path / "config.toml"
    path.write_text(tomli_w.dumps(config_for(task, None, Options.for_task(task))))
    assert find_task(None, read_settings(path)) == task
