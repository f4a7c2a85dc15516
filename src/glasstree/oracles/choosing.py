"""Oracles that answer with vectors: the nearest choice of the task is their action."""

from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from glasstree.errors import OracleError
from glasstree.policy.arrays import Floats, Ints, Policy
from glasstree.policy.tree import PolicyTree
from glasstree.tasks.base import Task
from glasstree.tasks.own.actions import nearest

NUMBERS = "biuf"


class ChoosingOracle:
    """An oracle for a task whose actions are vectors; it may also answer with their numbers."""

    meaning = None

    def __init__(self, oracle: Policy, task: Task) -> None:
        self.oracle, self.task = oracle, task
        self.n_variables = getattr(oracle, "n_variables", None)
        self.n_actions = task.n_actions if task.bounds is None else None
        self.n_parameters = getattr(oracle, "n_parameters", None)
        choices = task.environment.choices or ()
        self.width = len(choices[0]) if task.bounds is None else len(task.bounds[0])
        self.choices = np.array(choices, dtype=np.float64).reshape(len(choices), self.width)

    def vectors(self, states: ArrayLike) -> Floats:
        """Return the (n, d) answers of the oracle; numbers of actions stand for their vectors."""
        array = np.asarray(states)
        tell: Any = getattr(self.oracle, "vectors", self.oracle.actions)
        answer = np.asarray(tell(states))
        width = self.width
        if answer.dtype.kind in "biu" and answer.shape == (len(array),) and self._counted(answer):
            return self.choices[answer.astype(np.int64)]
        if answer.dtype.kind not in NUMBERS or answer.size != len(array) * width:
            raise OracleError(
                f"the oracle returned {answer.dtype} of shape {answer.shape} for {len(array)} "
                f"states; it must return {width} number{'' if width == 1 else 's'} a state"
            )
        vectors = answer.reshape(len(array), width).astype(np.float64)
        if not np.isfinite(vectors).all():
            raise OracleError("the oracle returned an action that is not finite")
        return vectors if self.task.bounds is None else np.clip(vectors, *self.task.bounds)

    def actions(self, states: ArrayLike) -> Ints:
        """Return the number of the choice that is nearest to each answer."""
        spans = np.ptp(self.choices, axis=0) if self.task.bounds is None else self._spans()
        chosen = nearest(self.vectors(states), self.choices, np.where(spans > 0, spans, 1.0))
        return np.asarray(chosen, dtype=np.int64)

    def preferences(self, states: ArrayLike) -> Floats | None:
        """Return None: a vector tells the action alone."""
        return None

    def _spans(self) -> Floats:
        low, high = np.array(self.task.bounds)
        return np.asarray(high - low)

    def _counted(self, answer: Any) -> bool:
        """Tell whether answers are numbers of actions, not values."""
        within = not len(answer) or bool(answer.min() >= 0 and answer.max() < self.task.n_actions)
        return self.task.bounds is None and within


def choosing(oracle: Policy, task: Task) -> Policy:
    """Return an oracle as it is, or one that chooses where the task's actions are vectors."""
    if isinstance(oracle, PolicyTree):
        return oracle
    if isinstance(oracle, ChoosingOracle):
        oracle = oracle.oracle
    vectors = task.bounds is not None or any(
        not isinstance(choice, int) for choice in task.environment.choices or ()
    )
    return ChoosingOracle(oracle, task) if vectors else oracle
