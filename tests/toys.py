"""Small things with known answers: a tree, and a task that one rule solves."""

from typing import Any

import gymnasium
import numpy as np

from glasstree.closedloop import ReengineeringOptions, ReoptimisationOptions
from glasstree.compiled import kernel
from glasstree.openloop import GrowthOptions
from glasstree.options import Options
from glasstree.policy import Leaf, PolicyTree, Rule, Scaling, Split
from glasstree.policy.arrays import Floats
from glasstree.tasks.base import Environment, Task, survived
from glasstree.tasks.twins import OBSERVE, STEP, Simulator

STEPS = 20
LAMP = "glasstree-tests/Lamp-v0"


def little(**chosen: Any) -> Options:
    """Return options of no task in particular: no front, unless chosen."""
    usual: dict[str, Any] = {
        "rules": 4,
        "growth": GrowthOptions(),
        "closed_loop": ReoptimisationOptions(),
        "front": None,
        "reengineering": ReengineeringOptions(),
    }
    return Options(**{**usual, **chosen})


def small_tree() -> PolicyTree:
    """Two rules over speed and gap: stop near, else keep the speed near 20."""
    near = Rule([[0, 1], [1, -2]], [0.75, -0.5], -0.5)
    band = Rule([[1, 0]], [1.0], -1.5, width=0.25)
    return PolicyTree(
        root=Split(near, Leaf(0), Split(band, Leaf(1), Leaf(2))),
        scaling=Scaling([0.0, 5.0], [40.0, 45.0]),
        state_names=("speed", "gap"),
        action_names=("brake", "keep", "go"),
        units=("m/s", "m"),
        task="road",
    )


def constant_tree(action: int = 0) -> PolicyTree:
    """A policy without rules for the lamp."""
    return PolicyTree(Leaf(action), Scaling([-1.0], [1.0]), ("light",), ("off", "on"))


def lamp_tree(bias: float = -1.5) -> PolicyTree:
    """A rule for the lamp that is right for a bias between -2 and -1."""
    rule = Rule([[1]], [1.0], bias)
    return PolicyTree(
        Split(rule, Leaf(0), Leaf(1)), Scaling([-1.0], [1.0]), ("light",), ("off", "on")
    )


def lamp_oracle(states: Floats) -> Any:
    """Answer with the light that is seen."""
    return (states[:, 0] > 0).astype(int)


def draw(seed: int) -> float:
    """Return a number that its seed decides."""
    return float(np.random.default_rng(seed).normal())


class LampEnv(gymnasium.Env[Any, Any]):
    """Two states, -1 and 1; the first wrong answer ends the episode."""

    observation_space = gymnasium.spaces.Box(-1.0, 1.0, (1,))
    action_space = gymnasium.spaces.Discrete(2)

    def reset(self, *, seed: int | None = None, options: Any = None) -> tuple[Any, dict[str, Any]]:
        """Light up at random."""
        super().reset(seed=seed)
        self.light = light(self.np_random.uniform())
        return np.array([self.light], dtype=np.float32), {}

    def step(self, action: int) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        """Reward the answer to the light, then light up again."""
        right = action == int(self.light > 0)
        self.light = light(self.np_random.uniform())
        return np.array([self.light], dtype=np.float32), float(right), not right, False, {}


def light(draw: float) -> float:
    """Turn a draw into one of two states."""
    return 1.0 if draw < 0.5 else -1.0


def start(generator: np.random.Generator) -> Floats:
    """Draw the first state as LampEnv does."""
    return np.array([light(generator.uniform())])


def noise(generator: np.random.Generator, steps: int) -> Floats:
    """Draw what the steps of LampEnv draw."""
    return generator.uniform(size=(steps, 1))


@kernel(STEP)
def step(state: Floats, action: int, noise: Floats, parameters: Floats) -> tuple[float, bool]:
    """Advance as LampEnv does."""
    right = (action == 1) == (state[0] > 0.0)
    state[0] = 1.0 if noise[0] < 0.5 else -1.0
    return (1.0 if right else 0.0), not right


@kernel(OBSERVE)
def observe(state: Floats, parameters: Floats, observation: Floats) -> None:
    """Show the light."""
    observation[0] = state[0]


if LAMP not in gymnasium.registry:
    gymnasium.register(LAMP, entry_point=LampEnv)

LAMP_TASK = Task(
    name="lamp",
    title="answer the light",
    environment=Environment(LAMP, step_limit=STEPS),
    state_names=("light",),
    units=("",),
    action_names=("off", "on"),
    success=survived,
    simulator=Simulator(start, step, observe, noise),
)
SLOW_LAMP_TASK = Task(
    name="slow lamp",
    title="answer the light, without a compiled twin",
    environment=LAMP_TASK.environment,
    state_names=("light",),
    units=("",),
    action_names=("off", "on"),
    success=survived,
)
