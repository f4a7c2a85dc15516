"""Everything that decides a result, apart from task and oracle."""

from dataclasses import dataclass, field, replace
from math import ceil, log2
from typing import Any, Literal, get_args

from glasstree.closedloop import (
    AggregationOptions,
    ReengineeringOptions,
    ReoptimisationOptions,
    ShorteningOptions,
)
from glasstree.errors import OptionError, unknown
from glasstree.openloop import ExactSolver, GrowthOptions
from glasstree.rollout.seeds import check_seed
from glasstree.tasks import Task

Data = Literal["dagger", "regular", "balanced"]


@dataclass(frozen=True)
class Options:
    """The choices of a run; data says where the training states come from."""

    data: Data = "dagger"
    samples: int = 10_000
    rules: int = 4
    growth: GrowthOptions = field(default_factory=GrowthOptions)
    aggregation: AggregationOptions = field(default_factory=AggregationOptions)
    prune_tolerance: float = 0.002
    closed_loop: ReoptimisationOptions = field(default_factory=ReoptimisationOptions)
    shortening: ShorteningOptions | None = None
    reengineering: ReengineeringOptions = field(default_factory=ReengineeringOptions)
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
        check_seed(self.seed)

    @classmethod
    def for_task(
        cls,
        task: Task,
        *,
        recipe: str = "default",
        rules: int | None = None,
        depth: int | None = None,
        workers: int = 1,
        **others: Any,
    ) -> "Options":
        """Return what suits a task: its number of rules, as deep and as long as that needs.

        The recipe "paper" has no aggregation, and re-optimises by the paper's GA.
        """
        if depth is not None and depth < 1:
            raise OptionError(f"depth must be at least 1, got {depth}")
        if rules is not None and rules < 1:
            raise OptionError(f"at least 1 rule is needed, got {rules}")
        rules = rules or (task.rules if depth is None else 2**depth - 1)
        growth = others.pop("growth", None) or GrowthOptions(solver=ExactSolver(n_jobs=workers))
        depth = ceil(log2(rules + 1)) if depth is None else depth
        compiled = task.simulator is not None
        budgets = {
            "default": ReoptimisationOptions.compiled(task.step_limit)
            if compiled
            else ReoptimisationOptions(),
            "paper": ReoptimisationOptions.paper(),
        }
        if recipe not in budgets:
            raise OptionError(unknown("recipe", recipe, budgets))
        if recipe == "paper":
            others.setdefault("data", "regular")
            others.setdefault("reengineering", ReengineeringOptions(episodes=0))
        elif compiled:
            others.setdefault("shortening", ShorteningOptions())
        else:
            few = {"episodes": 200, "choosing_episodes": 500}
            shortening = ShorteningOptions(trials=6, retunings=4, generations=8, **few)
            others.setdefault("shortening", shortening)
            others.setdefault("reengineering", ReengineeringOptions(trials=20, **few))
        return cls(
            rules=rules,
            growth=replace(growth, max_depth=depth),
            closed_loop=replace(
                others.pop("closed_loop", None) or budgets[recipe], workers=workers
            ),
            **others,
        )
