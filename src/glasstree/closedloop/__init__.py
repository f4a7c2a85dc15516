"""What is played: weights re-optimised on whole episodes, dead parts removed, and the front."""

from glasstree.closedloop.front import Front, explore
from glasstree.closedloop.options import (
    FrontOptions,
    ReengineeringOptions,
    ReoptimisationOptions,
)
from glasstree.closedloop.reengineering import reengineer
from glasstree.closedloop.reoptimisation import reoptimise

__all__ = [
    "Front",
    "FrontOptions",
    "ReengineeringOptions",
    "ReoptimisationOptions",
    "explore",
    "reengineer",
    "reoptimise",
]
