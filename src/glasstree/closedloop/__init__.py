"""Weights: a tree re-optimised on the reward of whole episodes, its dead parts removed."""

from glasstree.closedloop.aggregation import Aggregated, AggregationOptions, aggregate
from glasstree.closedloop.reengineering import reengineer
from glasstree.closedloop.reoptimisation import ReoptimisationOptions, reoptimise

__all__ = [
    "Aggregated",
    "AggregationOptions",
    "ReoptimisationOptions",
    "aggregate",
    "reengineer",
    "reoptimise",
]
