"""What is learnt from: states labelled with the oracle's actions."""

from glasstree.data.dataset import Dataset
from glasstree.data.selection import balanced, regular

__all__ = ["Dataset", "balanced", "regular"]
