"""Options suit their task and their recipe."""

import pytest

from glasstree.closedloop import ReoptimisationOptions
from glasstree.errors import OptionError
from glasstree.openloop import GrowthOptions
from glasstree.openloop.lower.paper.rga import GeneticSolver
from glasstree.openloop.upper.paper import PaperSearch
from glasstree.openloop.upper.search import ParsimoniousSearch
from glasstree.options import Options
from glasstree.tasks import get_task
from toys import LAMP_TASK, SLOW_LAMP_TASK


@pytest.mark.parametrize("rules, depth", [(1, 1), (2, 2), (3, 2), (4, 3), (7, 3), (8, 4)])
def test_a_tree_is_as_deep_as_its_rules_need(rules: int, depth: int) -> None:
    found = Options.for_task(LAMP_TASK, rules=rules)
    assert (found.rules, found.growth.max_depth) == (rules, depth)
    assert Options.for_task(LAMP_TASK, depth=depth).rules == 2**depth - 1


def test_a_task_has_its_own_number_of_rules() -> None:
    assert Options.for_task(get_task("cartpole")).rules == 1
    assert Options.for_task(get_task("mountaincar")).rules == 3


def test_the_papers_recipe_has_its_search_and_neither_aggregation_nor_shortening() -> None:
    paper = Options.for_task(LAMP_TASK, recipe="paper")
    assert (paper.data, paper.shortening) == ("regular", None)
    assert paper.closed_loop == ReoptimisationOptions.paper()
    usual = Options.for_task(LAMP_TASK)
    assert usual.data == "dagger"
    assert usual.shortening is not None


def test_slow_episodes_get_a_smaller_budget() -> None:
    fast, slow = (Options.for_task(task) for task in (LAMP_TASK, SLOW_LAMP_TASK))
    assert slow.closed_loop.generations < fast.closed_loop.generations
    assert slow.shortening is not None and fast.shortening is not None
    assert slow.shortening.trials < fast.shortening.trials


def test_options_that_suit_no_task_cannot_be_made_by_accident() -> None:
    with pytest.raises(TypeError, match="'rules', 'growth', 'closed_loop', 'reengineering'"):
        Options()  # type: ignore[call-arg]


def test_words_about_rules_shape_the_search_for_them() -> None:
    chosen = Options.for_task("cartpole", solver="rga", terms=2).growth
    assert (chosen.solver, chosen.search) == (GeneticSolver(), PaperSearch(terms=2))
    dear = Options.for_task("cartpole", parsimony=0.1).growth.search
    assert dear == ParsimoniousSearch(parsimony=0.1)
    with pytest.raises(OptionError, match="leave out terms"):
        Options.for_task("cartpole", growth=GrowthOptions(), terms=2)
