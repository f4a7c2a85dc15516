"""An environment of a user's whose answers are checked: wrong ones name it and its episode."""

from collections.abc import Mapping
from contextlib import suppress
from copy import copy
from math import isfinite
from typing import Any

import gymnasium
import numpy as np
from gymnasium import spaces

from glasstree.compiled import kernel, reals, truth
from glasstree.errors import GlasstreeError, TaskError
from glasstree.policy.arrays import Floats
from glasstree.tasks.base import Environment
from glasstree.tasks.own.actions import as_given
from glasstree.tasks.own.conditions import Disturbance
from glasstree.tasks.own.readings import layout_for
from glasstree.tasks.own.variations import variation_at
from glasstree.timeout import watched

NUMBERS = "biuf"  # kinds of NumPy arrays that hold numbers
SEQUENCES = (tuple, list)
LARGEST = 1e140  # rewards are added up and squared
ANSWER = "(observation, reward, terminated, truncated, info)"


@kernel(truth(reals))
def all_finite(values: Floats) -> bool:
    """Tell whether no value is infinite or not a number."""
    finite = True
    for value in values:
        finite = finite and np.isfinite(value)
    return finite


class Checked(gymnasium.Wrapper):  # type: ignore[misc]
    """Observations are vectors of finite floats, rewards floats and ends truths, or TaskError."""

    def __init__(self, factory: Environment, n_variables: int, **options: Any) -> None:
        super().__init__(factory(**options))
        self.factory, self.n_variables, self.options = factory, n_variables, options
        self.variants: dict[int, gymnasium.Env[Any, Any]] = {}
        self.seed: int | None = None
        self.disturbance: Disturbance | None = None
        seen, chosen = self.env.observation_space, factory.choices
        self.layout = None if isinstance(seen, spaces.Box) else layout_for(self.env)
        if seen.shape != (n_variables,) or self.layout is not None:
            self.observation_space = spaces.Box(-np.inf, np.inf, (n_variables,))
        self.choices = None if chosen is None else as_given(chosen, self.env.action_space)
        if self.choices:
            self.action_space = spaces.Discrete(len(self.choices))

    def reset(self, *, seed: int | None = None, options: Any = None) -> tuple[Floats, Any]:
        """Begin an episode."""
        self.seed = seed
        worse = self.factory.conditions
        self.disturbance = None if worse is None else worse.begin(seed)
        if self.factory.variations:
            self.env = self._variant(seed)
        try:
            answer: Any = self.env.reset(seed=seed, options=options)
        except (Exception, SystemExit) as error:
            raise self.failure(error) from error
        pair = isinstance(answer, SEQUENCES) and len(answer) == 2
        if not pair or not isinstance(answer[1], Mapping | None):
            kind = type(answer).__name__
            raise self.wrong(f"returned {kind} from reset, which must be (observation, info)")
        return self._vector(answer[0]), answer[1]

    def _variant(self, seed: int | None) -> "gymnasium.Env[Any, Any]":
        """Return the environment in the variation that an episode meets; each is made once."""
        every = self.factory.variations
        number = variation_at(seed, len(every))
        if number not in self.variants:
            self.variants[number] = self.factory(**{**self.options, **every[number]})
        return self.variants[number]

    def step(self, action: Any) -> tuple[Floats, float, bool, bool, Any]:
        """Advance the episode."""
        if self.disturbance is not None:
            action = self.disturbance.taken(action)
        if self.choices is not None:
            action = copy(self.choices[action]) if self.choices else self._continuous(action)
        try:
            answer: Any = self.env.step(action)
        except (Exception, SystemExit) as error:
            raise self.failure(error) from error
        if not isinstance(answer, SEQUENCES) or len(answer) != 5:
            raise self.wrong(f"returned {_kind(answer)} from step, which must be {ANSWER}")
        observation, reward, ended, cut, info = answer
        return (
            self._vector(observation),
            self._reward(reward),
            ended if ended is True or ended is False else self._truth(ended),
            cut if cut is True or cut is False else self._truth(cut),
            info,
        )

    def _continuous(self, action: Any) -> Any:
        space = self.env.action_space
        return np.array(action, dtype=space.dtype).reshape(space.shape)

    def render(self) -> Any:
        """Draw the present state."""
        try:
            return self.env.render()
        except gymnasium.error.DependencyNotInstalled:
            raise
        except (Exception, SystemExit) as error:
            raise self.failure(error) from error

    def close(self) -> None:
        """Close; a failure is ignored, since nothing depends on it any more."""
        for environment in {id(one): one for one in (self.env, *self.variants.values())}.values():
            with suppress(Exception, SystemExit):
                watched(lambda _, one=environment: one.close(), self.factory.timeout)  # type: ignore[misc]

    def failure(self, error: BaseException) -> GlasstreeError:
        """Describe what the environment raised."""
        if isinstance(error, GlasstreeError):
            return error
        if isinstance(error, TimeoutError):
            return self.wrong(f"timed out: {error or 'no answer'}")
        if isinstance(error, TypeError | ValueError) and _raised_by_wrapper(error):
            return self.wrong(f"returned what must be {ANSWER} from step, but is not ({error})")
        return self.wrong(f"raised {type(error).__name__}: {error}")

    def wrong(self, what: str) -> TaskError:
        """Say what is wrong with the environment, and in which episode."""
        episode = "an episode" if self.seed is None else f"the episode with seed {self.seed}"
        return TaskError(
            f"environment {self.factory.id!r} {what} in {episode}; "
            "correct it, and go on with --resume"
        )

    def _vector(self, observation: Any) -> Floats:
        try:
            seen = np.asarray(observation) if self.layout is None else self._laid_out(observation)
        except TaskError:
            raise
        except ValueError:
            raise self.wrong("returned an observation of rows of different lengths") from None
        if seen.size != self.n_variables or seen.dtype.kind not in NUMBERS:
            raise self.wrong(
                f"returned an observation of {seen.dtype} and shape {seen.shape} instead of "
                f"{self.n_variables} real numbers"
            )
        state: Floats = seen.astype(np.float64)
        if state.ndim != 1:
            state = state.reshape(-1)
        if not all_finite(state):
            raise self.wrong("returned an observation that is not finite")
        return state if self.disturbance is None else self.disturbance.seen(state)

    def _laid_out(self, observation: Any) -> Floats:
        assert self.layout is not None
        try:
            return self.layout.vector(observation)
        except (TypeError, ValueError) as error:
            raise self.wrong(f"returned an observation of {error}") from None

    def _reward(self, reward: Any) -> float:
        value = reward if isinstance(reward, float) else self._number(reward, "reward")
        if -LARGEST < value < LARGEST:
            return float(value)
        reason = f"of {value:g}, too large to add up" if isfinite(value) else "that is not finite"
        raise self.wrong(f"returned a reward {reason}")

    def _truth(self, ended: Any) -> bool:
        return bool(self._number(ended, "truth of an end"))

    def _number(self, given: Any, what: str) -> float:
        value = np.asarray(given)
        if value.size != 1 or value.dtype.kind not in NUMBERS:
            raise self.wrong(f"returned {_kind(given)} {given!r:.40} as {what}")
        return float(value.reshape(1)[0])


def _kind(answer: Any) -> str:
    kind = type(answer).__name__
    return f"{len(answer)} values" if isinstance(answer, SEQUENCES) else kind


def _raised_by_wrapper(error: BaseException) -> bool:
    """Tell whether an error comes from one of Gymnasium's wrappers, not from the environment."""
    trace = error.__traceback__
    while trace is not None and trace.tb_next is not None:
        trace = trace.tb_next
    return trace is not None and trace.tb_frame.f_globals["__name__"].startswith("gymnasium.wrap")
