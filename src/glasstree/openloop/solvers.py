"""Solvers and searches by name, for the command line and the estimator."""

from collections.abc import Callable

from glasstree.errors import OptionError, unknown
from glasstree.openloop.candidate import RuleSearch
from glasstree.openloop.exact import ExactSolver
from glasstree.openloop.paper import PaperSearch
from glasstree.openloop.rga import GeneticSolver
from glasstree.openloop.search import ParsimoniousSearch
from glasstree.openloop.solver import Solver
from glasstree.openloop.sqp import SQPSolver

PARSIMONY = ParsimoniousSearch().parsimony

SOLVERS: dict[str, Callable[[int], Solver]] = {
    "exact": lambda n_jobs: ExactSolver(n_jobs=n_jobs),
    "rga": lambda n_jobs: GeneticSolver(n_jobs=n_jobs),
    "sqp": lambda n_jobs: SQPSolver(n_jobs=n_jobs),
}


def get_solver(solver: str | Solver, n_jobs: int = 1) -> Solver:
    """Return a solver by name, or the given object itself."""
    if not isinstance(solver, str):
        return solver
    if solver not in SOLVERS:
        raise OptionError(unknown("solver", solver, SOLVERS))
    return SOLVERS[solver](n_jobs)


def get_search(
    objective: str | None, solver: Solver, terms: int, parsimony: float, tolerance: float
) -> RuleSearch:
    """Return an upper level by its objective: by default the paper's for the paper's solvers."""
    if objective is None:
        objective = "parsimony" if isinstance(solver, ExactSolver) else "paper"
    if objective == "parsimony":
        return ParsimoniousSearch(terms=terms, parsimony=parsimony)
    if objective == "paper":
        if parsimony != PARSIMONY:
            raise OptionError(
                f"the paper's search has no price for an exponent, got parsimony {parsimony}; "
                "leave it out, or use the solver 'exact'"
            )
        return PaperSearch(terms=terms, impurity_tolerance=tolerance)
    raise OptionError(unknown("objective", objective, ("parsimony", "paper")))
