"""Contenders that do not imitate: they play for reward, or somebody wrote them down."""

from .evolved import EVOLVED, LEARNT
from .gradient import DTPO
from .linear import ARS
from .written import WRITTEN

__all__ = ["ARS", "DTPO", "EVOLVED", "LEARNT", "WRITTEN"]
