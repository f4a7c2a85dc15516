"""Policies of users: they get copies of states, a time limit, and errors of one sentence."""

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from glasstree.errors import GlasstreeError, OracleError
from glasstree.oracles.base import Meaning, Oracle
from glasstree.policy.arrays import Floats, Ints, Policy
from glasstree.timeout import PATIENCE, Watch, watched


def ask(
    who: str, work: Callable[[Watch, Floats], Any], states: ArrayLike, timeout: float = PATIENCE
) -> Any:
    """Return what a user's code answers to states, a copy with which it may do as it likes."""
    own = np.array(states, dtype=np.float64, order="C")
    try:
        return watched(lambda watch: work(watch, own), timeout)
    except GlasstreeError:
        raise
    except TimeoutError as error:
        raise OracleError(
            f"{who} timed out: {error or 'no answer'}; make it answer, and go on with --resume"
        ) from error
    except (Exception, SystemExit) as error:
        raise OracleError(f"{who} raised {type(error).__name__}: {error}") from error


class GuardedOracle:
    """A user's object with actions(states), and perhaps all that an Oracle offers."""

    def __init__(self, policy: Policy) -> None:
        self.policy, self.name = policy, f"oracle {type(policy).__name__!r}"
        self.n_variables: int | None = getattr(policy, "n_variables", None)
        self.n_actions: int | None = getattr(policy, "n_actions", None)
        self.n_parameters: int | None = getattr(policy, "n_parameters", None)
        self.meaning: Meaning | None = policy.meaning if isinstance(policy, Oracle) else None

    def actions(self, states: ArrayLike) -> Ints:
        """Return what the object answers."""
        answer: Ints = ask(self.name, lambda _, own: self.policy.actions(own), states)
        return answer

    def vectors(self, states: ArrayLike) -> Any:
        """Return what the object answers, which may be vectors."""
        tell = getattr(self.policy, "vectors", self.policy.actions)
        return ask(self.name, lambda _, own: tell(own), states)

    def preferences(self, states: ArrayLike) -> Floats | None:
        """Return what the object holds each action to be worth, or None where it does not tell."""
        if not isinstance(self.policy, Oracle):
            return None
        tell = self.policy.preferences
        preferences: Floats | None = ask(self.name, lambda _, own: tell(own), states)
        return preferences


def guarded(policy: Policy) -> Policy:
    """Return a policy of glasstree's as it is, and anybody else's behind a guard."""
    ours = type(policy).__module__.partition(".")[0] == "glasstree"
    return policy if ours else GuardedOracle(policy)
