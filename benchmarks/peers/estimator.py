"""glasstree on tables: its scikit-learn classifier as a contender."""

from glasstree.data import Dataset
from glasstree.openloop.classifier import NLDTClassifier

from .readable import Readable

AUTOMATIC = 0  # the size that left-out samples choose


def fit(data: Dataset, size: int, seed: int) -> Readable:
    """Grow a tree of a depth, or of the size that left-out samples choose."""
    model = NLDTClassifier(size or None, random_state=seed).fit(data.states, data.actions)
    return Readable(model.tree_)
