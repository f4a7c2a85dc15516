"""Policies that people wrote: from the literature, or shipped with Gymnasium, as printed here."""

import re
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from glasstree.policy.arrays import Floats, Ints
from glasstree.tasks import Task

from ..base import WRITTEN as WITHOUT
from ..base import Learnt, Rival

TOKEN = re.compile(r"[A-Za-z_]\w*|-?\d+\.?\d*|<=|>=|[-+*/<>=]|\|[^|]*\|")
SILENT = {"if", "elif", "else"}  # the shape of the text, as in glasstree's own


def count(text: str) -> int:
    """Count variables, numbers, operators, comparisons, moduli and actions of a printed policy.

    The sign of a number is part of it.

    >>> count("if theta + omega >= 0: right else: left"), count("if |x - 1| > y: a else: b")
    (7, 8)
    """
    total = 0
    for token in TOKEN.findall(text):
        if token.startswith("|"):
            total += 1 + count(token[1:-1])
        elif token not in SILENT:
            total += 1
    return total


@dataclass(frozen=True)
class Written:
    """A printed policy, and the function that does what is printed."""

    source: str
    printed: str
    decide: Callable[[Floats], Floats]
    variables: tuple[str, ...]

    @property
    def splits(self) -> int:
        """How many conditions it has."""
        return len(re.findall(r"\bif\b|\belif\b", self.printed))

    @property
    def occurrences(self) -> int:
        """How often a variable stands in it."""
        return sum(word in self.variables for word in re.findall(r"\w+", self.printed))

    @property
    def complexity(self) -> int:
        """How many symbols are printed."""
        return count(self.printed)

    def actions(self, states: Floats) -> Ints:
        """Return one action a state."""
        return np.asarray(self.decide(np.asarray(states)), dtype=np.int64)

    def vectors(self, states: Floats) -> Floats:
        """Return one vector a state, where actions are continuous."""
        return self.decide(np.asarray(states))

    def text(self, task: Task) -> str:
        """Print it."""
        return self.printed


def lander(states: Floats) -> tuple[Floats, Floats]:
    """Return angle_todo and hover_todo of Gymnasium's heuristic for LunarLander."""
    x, y, vx, vy, angle, spin, left, right = states.T
    wanted = np.clip(0.5 * x + vx, -0.4, 0.4)
    landed = (left > 0) | (right > 0)
    turn = np.where(landed, 0.0, 0.5 * (wanted - angle) - spin)
    hover = 0.5 * (0.55 * np.abs(x) - y) - 0.5 * vy
    return turn, np.where(landed, -0.5 * vy, hover)


def discrete_lander(states: Floats) -> Floats:
    """Choose an engine as Gymnasium's heuristic does."""
    turn, hover = lander(states)
    main = (hover > np.abs(turn)) & (hover > 0.05)
    return np.select([main, turn < -0.05, turn > 0.05], [2, 3, 1], 0)


def continuous_lander(states: Floats) -> Floats:
    """Set both engines as Gymnasium's heuristic does."""
    turn, hover = lander(states)
    return np.clip(np.stack([20 * hover - 1, -20 * turn], axis=1), -1.0, 1.0)


TURN_AND_HOVER = """\
turn = 0.5 * (clip(0.5 * x + vx, 0.4) - angle) - spin
hover = 0.5 * (0.55 * |x| - y) - 0.5 * vy
if left_leg or right_leg:
    turn = 0
    hover = -0.5 * vy
"""
ENGINES = """\
if hover > |turn| and hover > 0.05:
    main_engine
elif turn < -0.05:
    right_engine
elif turn > 0.05:
    left_engine
else:
    nothing
"""
LANDER = ("x", "y", "vx", "vy", "angle", "spin", "left_leg", "right_leg")
GYMNASIUM = "the heuristic that Gymnasium ships"


def signs(first: str, condition: str, second: str) -> str:
    """Print a policy of one condition."""
    return f"if {condition}:\n    {first}\nelse:\n    {second}\n"


POLICIES = {
    "cartpole": Written(
        "PD: push to where the pole falls",
        signs("right", "theta + omega >= 0", "left"),
        lambda s: s[:, 2] + s[:, 3] >= 0,
        ("x", "v", "theta", "omega"),
    ),
    "mountaincar": Written(
        "push with the velocity",
        signs("right", "v >= 0", "left"),
        lambda s: np.where(s[:, 1] >= 0, 2, 0),
        ("x", "v"),
    ),
    "carfollowing": Written(
        "PD: accelerate where the gap is or becomes too large",
        signs("accelerate", "gap + 1.5 * v_rel >= 30", "brake"),
        lambda s: s[:, 0] - 30.0 + 1.5 * s[:, 1] >= 0,
        ("gap", "v_rel", "a_last"),
    ),
    "lunarlander": Written(GYMNASIUM, TURN_AND_HOVER + ENGINES, discrete_lander, LANDER),
    "acrobot": Written(
        "pump energy: torque against omega1",
        signs("minus", "omega1 >= 0", "plus"),
        lambda s: np.where(s[:, 4] >= 0, 0, 2),
        ("omega1",),
    ),
    "psm5": Written("a constant torque", "plus\n", lambda s: np.full(len(s), 2), ()),
    "psm10": Written("a constant torque", "plus\n", lambda s: np.full(len(s), 2), ()),
    "MountainCarContinuous-v0": Written(
        "push with the velocity",
        signs("1", "v >= 0", "-1"),
        lambda s: np.where(s[:, 1:] >= 0, 1.0, -1.0),
        ("x", "v"),
    ),
    "LunarLanderContinuous-v3": Written(
        GYMNASIUM,
        TURN_AND_HOVER + "main = 20 * hover - 1\nside = -20 * turn\n",
        continuous_lander,
        LANDER,
    ),
}


def learn(task: Task, size: int, seed: int) -> Learnt:
    """Return what was written for a task, without a step."""
    return Learnt(POLICIES[task.name], 0)


WRITTEN = Rival(
    *("written", "written by people", ""),
    learn=learn,
    sizes=(0,),
    arm_sizes=(0,),
    lander_sizes=(0,),
    tasks=tuple(POLICIES),
    data=WITHOUT,
)
