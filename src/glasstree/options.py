"""Everything that decides a result, apart from task and oracle."""

from dataclasses import dataclass, field, replace
from math import ceil, log2
from typing import Any, Literal, get_args

from glasstree.closedloop import FrontOptions, ReengineeringOptions, ReoptimisationOptions
from glasstree.data import AggregationOptions
from glasstree.episodes.seeds import check_seed
from glasstree.errors import OptionError, unknown
from glasstree.openloop import GrowthOptions, LineSearch
from glasstree.openloop.lower.solver import Solver
from glasstree.openloop.registry import PARSIMONY, TERMS, get_search, get_solver
from glasstree.runs.picking import check_pick
from glasstree.tasks import Task, get_task

Data = Literal["dagger", "regular", "balanced"]
RECIPES = ("default", "paper")
MANY_RULES = 15  # above, rules are plain lines: more power laws than this nobody reads
# many rules are those of a table: states are few and each of them counts
MANY_LINES = GrowthOptions(
    impurity_tolerance=0.0, min_samples=2, min_leaf=1, search=LineSearch(parsimony=0.003)
)
# weights of so many lines are not worth a long search; the front tunes them where it pays
FEW_GENERATIONS = {"generations": 6, "trial_generations": 3, "trees": 2, "wide": False}
MANY_ROUNDS = AggregationOptions(rounds=16, added=4000, episodes=200)


@dataclass(frozen=True, kw_only=True)
class Options:
    """The choices of a run, made by `Options.for_task`; data says where training states come from.

    Fields without a default depend on the task.
    """

    rules: int
    growth: GrowthOptions
    closed_loop: ReoptimisationOptions
    reengineering: ReengineeringOptions
    front: FrontOptions | None
    data: Data = "dagger"
    samples: int = 10_000
    aggregation: AggregationOptions = field(default_factory=AggregationOptions)
    prune_tolerance: float = 0.002
    pick: str = "default"
    episodes: int = 1000
    seed: int = 0

    def __post_init__(self) -> None:
        if self.data not in get_args(Data):
            raise OptionError(unknown("kind of data", self.data, get_args(Data)))
        if self.samples < 2 or self.episodes < 1 or self.rules < 1:
            raise OptionError(
                f"at least 2 samples, 1 episode and 1 rule are needed, got {self.samples}, "
                f"{self.episodes} and {self.rules}"
            )
        check_pick(self.pick)
        check_seed(self.seed)

    @classmethod
    def for_task(
        cls,
        task: str | Task,
        *,
        recipe: str = "default",
        rules: int | None = None,
        depth: int | None = None,
        growth: GrowthOptions | None = None,
        solver: str | Solver | None = None,
        terms: int | None = None,
        parsimony: float | None = None,
        **others: Any,
    ) -> "Options":
        """Return what suits a task: its number of rules, as deep and as long as that needs.

        The recipe "paper" has no aggregation, and re-optimises by the paper's GA. Solver, terms
        and parsimony shape the search for a rule, unless growth says all of it. More than 15 rules
        are lines, in a tree that may be deeper on one side, unless a depth is asked for. Others
        are fields.

        >>> Options.for_task("mountaincar", episodes=500).rules
        3
        """
        if depth is not None and depth < 1:
            raise OptionError(f"depth must be at least 1, got {depth}")
        if rules is not None and rules < 1:
            raise OptionError(f"at least 1 rule is needed, got {rules}")
        task = get_task(task)
        lines = depth is None and recipe == "default"
        rules = rules or (task.rules if depth is None else 2**depth - 1)
        depth = ceil(log2(rules + 1)) if depth is None else depth
        words: dict[str, Any] = {"solver": solver, "terms": terms, "parsimony": parsimony}
        given = {name: value for name, value in words.items() if value is not None}
        if growth is not None and given:
            raise OptionError(f"growth says how rules are found, so leave out {', '.join(given)}")
        if lines and growth is None and not given and rules > MANY_RULES:
            growth, depth = MANY_LINES, max(depth, 2 * ceil(log2(rules + 1)))
        budgets = recipe_for(task, recipe)
        if growth is MANY_LINES:
            budgets["closed_loop"] = replace(budgets["closed_loop"], **FEW_GENERATIONS)
            budgets["aggregation"] = MANY_ROUNDS
        growth = growth or rule_search(**given)
        budgets |= others
        return cls(rules=rules, growth=replace(growth, max_depth=depth), **budgets)


def rule_search(
    solver: str | Solver = "scan", terms: int = TERMS, parsimony: float = PARSIMONY
) -> GrowthOptions:
    """Return growth with another search for each rule: the solver brings its own upper level."""
    lower, tolerance = get_solver(solver), GrowthOptions().impurity_tolerance
    search = get_search(None, lower, terms, parsimony, tolerance)
    return GrowthOptions(search=search, solver=lower)


def recipe_for(task: Task, recipe: str) -> dict[str, Any]:
    """Return the budgets of a recipe: smaller ones where episodes are slow."""
    if recipe not in RECIPES:
        raise OptionError(unknown("recipe", recipe, RECIPES))
    if recipe == "paper":
        return {
            "data": "regular",
            "closed_loop": ReoptimisationOptions.paper(),
            "reengineering": ReengineeringOptions(episodes=0),
            "front": None,
        }
    if task.simulator is not None:
        budget = ReoptimisationOptions.compiled(task.step_limit)
        return {
            "closed_loop": replace(budget, failure_cost=task.failure_cost),
            "reengineering": ReengineeringOptions(),
            "front": FrontOptions.compiled(
                task.search_steps, task.for_training.step_limit, task.search_episodes
            ),
        }
    few = {"episodes": 200, "choosing_episodes": 500}
    return {
        "closed_loop": ReoptimisationOptions(failure_cost=task.failure_cost),
        "reengineering": ReengineeringOptions(trials=20, **few),
        "front": FrontOptions(
            steps=task.search_steps,
            episodes=10,
            longest_episodes=10,
            racing_episodes=60,
            choosing_episodes=300,
            rounding_episodes=60,
            lines=0,
        ),
    }
