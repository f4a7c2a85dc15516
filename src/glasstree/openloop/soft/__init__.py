"""Trees of lines whose splits are trained together: soft at first, hard in the end."""

from glasstree.openloop.soft.training import soft_roots

__all__ = ["soft_roots"]
