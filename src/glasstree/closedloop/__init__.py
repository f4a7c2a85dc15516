"""Weights: a tree re-optimised on the reward of whole episodes, its dead parts removed."""

from glasstree.closedloop.aggregation import Aggregated, AggregationOptions, aggregate
from glasstree.closedloop.reengineering import reengineer
from glasstree.closedloop.reoptimisation import ReoptimisationOptions, reoptimise
from glasstree.closedloop.shortening import ShorteningOptions, shorten

__all__ = [
    "Aggregated",
    "AggregationOptions",
    "ReoptimisationOptions",
    "ShorteningOptions",
    "aggregate",
    "reengineer",
    "reoptimise",
    "shorten",
]
