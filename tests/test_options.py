"""Options suit their task and their recipe."""

from dataclasses import replace

import pytest

from glasstree.closedloop import FrontOptions, ReoptimisationOptions
from glasstree.errors import OptionError
from glasstree.openloop import GrowthOptions
from glasstree.openloop.lower.paper.rga import GeneticSolver
from glasstree.openloop.upper.paper import PaperSearch
from glasstree.openloop.upper.search import ParsimoniousSearch
from glasstree.options import Options
from glasstree.tasks import Task, get_task
from toys import LAMP_TASK, SLOW_LAMP_TASK


@pytest.mark.parametrize("rules, depth", [(1, 1), (2, 2), (3, 2), (4, 3), (7, 3), (8, 4)])
def test_a_tree_is_as_deep_as_its_rules_need(rules: int, depth: int) -> None:
    found = Options.for_task(LAMP_TASK, rules=rules)
    assert (found.rules, found.growth.max_depth) == (rules, depth)
    assert Options.for_task(LAMP_TASK, depth=depth).rules == 2**depth - 1


def test_a_task_has_its_own_number_of_rules() -> None:
    assert Options.for_task(get_task("cartpole")).rules == 1
    assert Options.for_task(get_task("mountaincar")).rules == 3


def test_the_papers_recipe_has_its_search_and_neither_aggregation_nor_front() -> None:
    paper = Options.for_task(LAMP_TASK, recipe="paper")
    assert (paper.data, paper.front) == ("regular", None)
    assert paper.closed_loop == ReoptimisationOptions.paper()
    usual = Options.for_task(LAMP_TASK)
    assert usual.data == "dagger"
    assert usual.front is not None


@pytest.mark.parametrize("task", [LAMP_TASK, SLOW_LAMP_TASK], ids=["compiled", "gymnasium"])
def test_a_task_says_what_a_failure_costs(task: Task) -> None:
    costly = replace(task, failure_cost=7.0)
    assert Options.for_task(costly).closed_loop.failure_cost == 7.0
    assert Options.for_task(costly, recipe="paper").closed_loop.failure_cost == 0.0
    assert Options.for_task(get_task("psm5")).closed_loop.failure_cost == 500.0
    with pytest.raises(OptionError, match="failure_cost must be 0 or more"):
        ReoptimisationOptions(failure_cost=-1.0)


def test_slow_episodes_get_a_smaller_budget() -> None:
    fast, slow = (Options.for_task(task) for task in (LAMP_TASK, SLOW_LAMP_TASK))
    assert slow.closed_loop.population < fast.closed_loop.population
    assert slow.front is not None and fast.front is not None
    assert slow.front.choosing_episodes < fast.front.choosing_episodes


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


@pytest.mark.parametrize(
    "change",
    [
        *(
            {"steps": 0},
            {"generations": 0},
            {"keep": 0},
            {"longest": 8},
            {"lines": -1},
            {"soft": -1},
        ),
        *({"population": 3}, {"episodes": 1}, {"choosing_episodes": 1}, {"racing_episodes": 2}),
    ],
)
def test_budgets_of_the_front_that_make_no_sense_are_refused(change: dict[str, int]) -> None:
    with pytest.raises(OptionError):
        FrontOptions(**change)  # type: ignore[arg-type]


def test_what_is_picked_is_checked_before_any_work() -> None:
    assert Options.for_task(LAMP_TASK, pick="15").pick == "15"
    with pytest.raises(OptionError, match="cannot pick 'shortest'"):
        Options.for_task(LAMP_TASK, pick="shortest")
