"""Structure: the tree of nonlinear rules that imitates labelled states."""

from glasstree.openloop.exact import ExactSolver
from glasstree.openloop.induction import GrowthOptions, grow
from glasstree.openloop.pruning import cut, limit_rules, prune, simplify
from glasstree.openloop.search import ParsimoniousSearch
from glasstree.openloop.simplification import drop_exponents, round_numbers
from glasstree.openloop.solver import Solver

__all__ = [
    "ExactSolver",
    "GrowthOptions",
    "ParsimoniousSearch",
    "Solver",
    "cut",
    "drop_exponents",
    "grow",
    "limit_rules",
    "prune",
    "round_numbers",
    "simplify",
]
