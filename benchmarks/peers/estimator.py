"""glasstree on tables: its scikit-learn classifier as a contender."""

from glasstree.data import Dataset
from glasstree.openloop.classifier import NLDTClassifier

from .readable import Readable

AUTOMATIC = 0  # the size that left-out samples choose
FRONT = 9  # the best tree of the front, by the samples that are held back for it


def fit(data: Dataset, size: int, seed: int) -> Readable:
    """Grow a tree of a depth, or of the size that left-out samples choose."""
    if size == FRONT:
        model = NLDTClassifier(front=True, random_state=seed).fit(data.states, data.actions)
        return Readable(model.front_[-1].tree)
    model = NLDTClassifier(size or None, random_state=seed).fit(data.states, data.actions)
    return Readable(model.tree_)
