"""Structure: the tree of nonlinear rules that imitates labelled states."""

from glasstree.openloop.growth import GrowthOptions, grow
from glasstree.openloop.lower.scanning import ScanSolver
from glasstree.openloop.lower.solver import Solver
from glasstree.openloop.pruning import cut, limit_rules, prune, simplify
from glasstree.openloop.simplification import drop_exponents, round_numbers
from glasstree.openloop.soft import soft_roots
from glasstree.openloop.upper.lines import LineSearch
from glasstree.openloop.upper.search import ParsimoniousSearch

__all__ = [
    "GrowthOptions",
    "LineSearch",
    "ParsimoniousSearch",
    "ScanSolver",
    "Solver",
    "cut",
    "drop_exponents",
    "grow",
    "limit_rules",
    "prune",
    "round_numbers",
    "simplify",
    "soft_roots",
]
