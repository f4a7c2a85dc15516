"""What estimators are given: arrays, data frames and tables, read and checked."""

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.utils import check_array, check_consistent_length, column_or_1d
from sklearn.utils.validation import validate_data

from glasstree.errors import DataError
from glasstree.openloop.front import Samples, held_back_rows
from glasstree.openloop.growth import GrowthOptions
from glasstree.openloop.upper.apart import ApartSearch
from glasstree.openloop.upper.candidate import RuleSearch
from glasstree.openloop.upper.lines import LineSearch
from glasstree.openloop.upper.search import ParsimoniousSearch
from glasstree.policy.arrays import Bools, Floats, Ints
from glasstree.policy.sources.encoding import Encoding
from glasstree.policy.tree import PolicyTree
from glasstree.tables import Frame, as_frame, is_frame
from glasstree.tables.encoding import (
    complete_numbers,
    encoded,
    learnt_encoding,
    one_hot,
    only_used,
)
from glasstree.tables.frames import names_of

MOST_GROUPED = 20_000  # samples, at most, of which equal ones are looked for and each is judged
FEWEST_OF_CLASS = 2000  # samples of a rare class that are taken from many, if there are so many
N_PARTS = 5  # of which each is left out once
LONGER = 4  # times the usual terms has a long line, and pays so much less for each
FEW_DIFFER = 0.2  # of the rows: if fewer differ, equal ones are not kept together


@dataclass(frozen=True, eq=False)
class Given:
    """Samples, as numbers or as a frame, with class codes (n,), weights (n,) and repeats (n,).

    A sample stands for so many as `repeats` says; its weight also tells how much its class counts.
    """

    cells: Floats | Frame
    codes: Ints
    weights: Floats
    repeats: Floats

    def take(self, rows: Bools) -> "Given":
        """Return the chosen samples."""
        cells = self.cells.take(rows) if isinstance(self.cells, Frame) else self.cells[rows]
        return Given(cells, self.codes[rows], self.weights[rows], self.repeats[rows])

    def sample(self, most: int, seed: int) -> "Given":
        """Return about so many samples, or all of them.

        Of a rare class more are taken than its share, and weigh less for it.
        """
        if len(self.codes) <= most:
            return self
        generator = np.random.default_rng([seed, 1])
        chosen = np.zeros(len(self.codes), dtype=np.bool_)
        shares = np.ones(len(self.codes))
        for label, count in enumerate(np.bincount(self.codes).tolist()):
            kept = max(count * most // len(self.codes), min(count, FEWEST_OF_CLASS))
            rows = generator.permutation(np.flatnonzero(self.codes == label))
            chosen[rows[:kept]] = True
            shares[rows[:kept]] = count / max(kept, 1)
        found = replace(self, weights=self.weights * shares).take(chosen)
        return replace(found, weights=found.weights * chosen.sum() / len(chosen))

    def counted(self, tree: PolicyTree) -> PolicyTree:
        """Return a tree with the weight of these samples in its nodes; leaves have the most."""
        used = only_used(tree) if tree.encoding else tree
        return self.samples(used.encoding).counted(used)

    def parts(self, labels: Ints, generator: np.random.Generator) -> list[Bools]:
        """Choose, part by part, what is left out: each sample once, or one in four of many.

        Every label is spread over the parts. Rows that are equal stay together, so that a sample
        with the weight of two is left out as two samples are; where few rows differ, equal ones
        are parted.
        """
        if len(labels) > MOST_GROUPED:
            held_back = held_back_rows(labels, generator)
            enough = generator.permutation(np.flatnonzero(held_back))[MOST_GROUPED:]
            held_back[enough] = False
            return [held_back]
        numbers = self.cells.numbers() if isinstance(self.cells, Frame) else self.cells
        rows = np.column_stack([np.nan_to_num(numbers, nan=np.inf), labels])
        _, first, groups = np.unique(rows, axis=0, return_index=True, return_inverse=True)
        if len(first) < FEW_DIFFER * self.repeats.sum():
            first = groups = np.arange(len(labels))
        count = min(N_PARTS, int(np.bincount(labels[first]).max(initial=0)))
        if count < 2:
            return []
        part = np.empty(len(first), dtype=np.int64)
        for label in np.unique(labels):
            own = generator.permutation(np.flatnonzero(labels[first] == label))
            part[own] = (np.arange(len(own)) + generator.integers(count)) % count
        return [part[groups.reshape(-1)] == number for number in range(count)]

    def encoding(self, targets: Floats | None = None) -> Encoding | None:
        """Return how the columns of a frame become variables; nothing where they are numbers.

        targets: (n, k) quantities, if classes are not what the variables should tell of.
        """
        if isinstance(self.cells, Frame):
            told = one_hot(self.codes) if targets is None else targets
            return learnt_encoding(self.cells, told, self.weights)
        return None

    def samples(self, encoding: Encoding | None) -> Samples:
        """Return the samples in numbers."""
        if isinstance(self.cells, Frame):
            states = encoded(encoding, self.cells) if encoding else self.cells.numbers()
        else:
            states = self.cells
        return Samples(states, self.codes, self.weights)


def read_samples(
    estimator: Any, X: Any, y: ArrayLike, numeric: bool = False
) -> tuple[Floats | Frame, NDArray[Any]]:
    """Return samples and targets: an (n, features) array, or a frame if X is not numbers alone.

    numeric: whether targets must be numbers.
    """
    _check_labels(y)
    named = is_frame(X) and (isinstance(X, Frame) or len(set(names_of(X))) == X.shape[1])
    frame = as_frame(X) if named else None
    if frame is None or (frame.is_plain and frame.columns):
        given = X.numbers() if isinstance(X, Frame) else X
        with np.errstate(over="ignore", invalid="ignore"):
            checks = {"dtype": np.float64, "order": "C", "y_numeric": numeric}
            samples, labels = validate_data(estimator, given, y, **checks)
        if isinstance(X, Frame):
            estimator.feature_names_in_ = np.array(X.names, dtype=object)
        return samples, labels
    if not len(frame):
        raise DataError("the table has no rows; at least one is needed")
    check_consistent_length(frame, y)
    estimator.n_features_in_ = len(frame.columns)
    estimator.feature_names_in_ = np.array(frame.names, dtype=object)
    targets = column_or_1d(y, warn=True)
    if numeric:
        targets = check_array(targets, ensure_2d=False, dtype=np.float64)
    return frame, targets


def states_of(estimator: Any, tree: PolicyTree, X: Any) -> Floats:
    """Return (n, variables) of the tree's variables for what an estimator is asked about."""
    if tree.encoding is not None:
        if not is_frame(X):
            raise DataError(
                "these rules were learnt from a table; give a data frame with its columns"
            )
        return encoded(tree.encoding, as_frame(X))
    if isinstance(X, Frame):
        return complete_numbers(estimator.feature_names_in_.tolist(), X)
    with np.errstate(over="ignore", invalid="ignore"):
        samples: Floats = validate_data(estimator, X, dtype=np.float64, order="C", reset=False)
    return samples


def state_names(estimator: Any) -> tuple[str, ...]:
    """Return the columns' names of a data frame where they are fit for it, else x0, x1, ..."""
    names = [str(name) for name in getattr(estimator, "feature_names_in_", ())]
    if all(names) and len(set(names)) == estimator.n_features_in_:
        return tuple(names)
    return tuple(f"x{j}" for j in range(estimator.n_features_in_))


def kinds_of(
    growth: GrowthOptions, search: RuleSearch, encoding: Encoding | None
) -> list[GrowthOptions]:
    """Return how trees are grown: of single variables, lines, long lines, and by the search itself.

    Long lines pay less for a variable.
    """
    searches = [search]
    if isinstance(search, ParsimoniousSearch):
        price, terms = search.parsimony, search.terms
        short = [LineSearch(most, price, bands=most > 1) for most in (1, terms)]
        long = LineSearch(LONGER * terms, price / LONGER, climbed=1)
        searches = [*dict.fromkeys(short), long, search]
    if encoding is not None:
        searches = [_search_of_table(encoding, one) for one in searches]
    return [replace(growth, search=one) for one in searches]


def _search_of_table(encoding: Encoding, search: RuleSearch) -> ApartSearch:
    """Return a search that combines a table's numbers.

    Sets and dates make rules of their own; so do numbers whose gaps are put on the high side, for
    they stand beside the same numbers with gaps on the low side.
    """
    sets = [source.kind == "set" for source in encoding.sources]
    subjects = [source.subject for source in encoding.sources]
    apart = [
        source.kind in ("set", "date") or bool(source.part) or subjects.index(subject) < place
        for place, (source, subject) in enumerate(zip(encoding.sources, subjects, strict=True))
    ]
    bands = getattr(search, "bands", True)
    banded = [bands and one and not is_set for one, is_set in zip(apart, sets, strict=True)]
    return ApartSearch(search, tuple(apart), tuple(banded))


def _check_labels(y: ArrayLike) -> None:
    """Refuse labels of words among which one is missing."""
    labels = np.asarray(y)
    if labels.ndim == 1 and labels.dtype.kind in "OUS":
        for row, label in enumerate(labels.tolist()):
            if label is None or label == "" or label != label:
                raise DataError(f"row {row + 1} has no label; fill it in, or take the row out")
