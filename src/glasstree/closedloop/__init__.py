"""Weights: a tree re-optimised on the reward of whole episodes, its dead parts removed."""

from glasstree.closedloop.options import (
    ReengineeringOptions,
    ReoptimisationOptions,
    ShorteningOptions,
)
from glasstree.closedloop.reengineering import reengineer
from glasstree.closedloop.reoptimisation import reoptimise
from glasstree.closedloop.shortening import shorten

__all__ = [
    "ReengineeringOptions",
    "ReoptimisationOptions",
    "ShorteningOptions",
    "reengineer",
    "reoptimise",
    "shorten",
]
