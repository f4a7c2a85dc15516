"""Weights: a tree re-optimised on the reward of whole episodes, its dead parts removed."""

from glasstree.closedloop.reengineering import reengineer
from glasstree.closedloop.reoptimisation import ReoptimisationOptions, Reoptimised, reoptimise

__all__ = ["ReoptimisationOptions", "Reoptimised", "reengineer", "reoptimise"]
