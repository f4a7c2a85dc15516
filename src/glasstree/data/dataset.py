"""Labelled states, checked once when they come in."""

import io
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from glasstree.errors import DataError
from glasstree.files.archive import read_archive
from glasstree.policy.arrays import MOST_ACTIONS, Floats, Ints, checked_states
from glasstree.policy.document import write_atomically
from glasstree.policy.sources.levels import level_spans
from glasstree.policy.tree import PolicyTree
from glasstree.tasks.own.actions import nearest


@dataclass(frozen=True, eq=False)
class Dataset:
    """States (n, variables) and the action that the oracle takes in each (n,).

    weights (n,) tell growth which states matter; they are made anew from the oracle, not saved.
    """

    states: Floats
    actions: Ints
    n_actions: int
    weights: Floats | None = None

    @classmethod
    def of(cls, states: ArrayLike, actions: ArrayLike, n_actions: int) -> "Dataset":
        """Check and keep states and actions."""
        n_variables = np.shape(states)[1] if np.ndim(states) == 2 else 0
        array = checked_states(states, n_variables)
        labels = np.asarray(actions)
        if labels.shape != (len(array),):
            raise DataError(f"{len(array)} states came with actions of shape {labels.shape}")
        if labels.dtype.kind not in "iu" or ((labels < 0) | (labels >= n_actions)).any():
            raise DataError(f"actions must be integers from 0 to {n_actions - 1}")
        return cls(array, labels.astype(np.int64), n_actions)

    def __len__(self) -> int:
        return len(self.actions)

    @property
    def counts(self) -> Ints:
        """Number of states of each action."""
        return np.bincount(self.actions, minlength=self.n_actions)

    def agreement(self, tree: PolicyTree, levels: ArrayLike | None = None) -> float:
        """Share of states in which a tree does what the oracle did.

        A tree with levels of its own takes the nearest of those that the oracle's actions number.
        """
        actions = tree.actions(self.states)
        if tree.levels is not None and tree.plant is not None and levels is not None:
            known = np.array(levels, dtype=np.float64)
            actions = nearest(tree.levels, known, level_spans(tree.plant))[actions]
        return float((actions == self.actions).mean())

    def save(self, path: str | Path) -> None:
        """Write an array file."""
        buffer = io.BytesIO()
        np.savez_compressed(
            buffer, states=self.states, actions=self.actions, n_actions=self.n_actions
        )
        write_atomically(path, buffer.getvalue())

    @classmethod
    def load(cls, path: str | Path) -> "Dataset":
        """Read an array file."""
        try:
            arrays = read_archive(path)
            return cls.of(arrays["states"], arrays["actions"], _count(arrays["n_actions"]))
        except KeyError as error:
            raise DataError(f"cannot read dataset {str(path)!r}: it has no {error}") from None
        except (OSError, ValueError) as error:
            raise DataError(f"cannot read dataset {str(path)!r}: {error}") from None


def _count(array: NDArray[Any]) -> int:
    if array.shape != () or array.dtype.kind not in "iu" or not 1 <= array <= MOST_ACTIONS:
        raise ValueError(f"'n_actions' is not a number from 1 to {MOST_ACTIONS}")
    return int(array)
