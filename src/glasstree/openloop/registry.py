"""Solvers and searches by name, for the command line and the estimator."""

from collections.abc import Callable

from glasstree.errors import OptionError, unknown
from glasstree.openloop.lower.paper.rga import GeneticSolver
from glasstree.openloop.lower.paper.sqp import SQPSolver
from glasstree.openloop.lower.scanning import ScanSolver
from glasstree.openloop.lower.solver import Solver
from glasstree.openloop.upper.archive import PricedBy
from glasstree.openloop.upper.candidate import RuleSearch
from glasstree.openloop.upper.paper import PaperSearch
from glasstree.openloop.upper.search import ParsimoniousSearch

TERMS, PARSIMONY = ParsimoniousSearch().terms, ParsimoniousSearch().parsimony

SOLVERS: dict[str, Callable[[], Solver]] = {
    "scan": ScanSolver,
    "rga": GeneticSolver,
    "sqp": SQPSolver,
}
FORMER_NAMES = {"exact": "scan"}  # names in options of earlier versions


def get_solver(solver: str | Solver) -> Solver:
    """Return a solver by name, or the given object itself."""
    if not isinstance(solver, str):
        return solver
    name = FORMER_NAMES.get(solver, solver)
    if name not in SOLVERS:
        raise OptionError(unknown("solver", name, SOLVERS))
    return SOLVERS[name]()


def get_search(
    objective: str | None,
    solver: Solver,
    terms: int,
    parsimony: float,
    tolerance: float,
    price: PricedBy = "exponents",
) -> RuleSearch:
    """Return an upper level by its objective: by default the paper's for the paper's solvers."""
    if objective is None:
        objective = "parsimony" if isinstance(solver, ScanSolver) else "paper"
    if objective == "parsimony":
        return ParsimoniousSearch(terms=terms, parsimony=parsimony, price=price)
    if objective == "paper":
        if parsimony != PARSIMONY:
            raise OptionError(
                f"the paper's search has no price for an exponent, got parsimony {parsimony}; "
                "leave it out, or use the solver 'scan'"
            )
        if price != "exponents":
            raise OptionError("the paper's search counts exponents; use the solver 'scan'")
        return PaperSearch(terms=terms, impurity_tolerance=tolerance)
    raise OptionError(unknown("objective", objective, ("parsimony", "paper")))
