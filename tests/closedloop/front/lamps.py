"""The lamp for the front: few episodes, labelled states, and games that are over in a moment."""

from dataclasses import replace
from typing import Any

import numpy as np

from glasstree.closedloop import FrontOptions, ReoptimisationOptions
from glasstree.closedloop.front.exploration import Exploration
from glasstree.closedloop.front.tuning import Games
from glasstree.data import Dataset
from glasstree.policy import Leaf, PolicyTree, Rule, Split
from glasstree.tasks import Task
from toys import LAMP_TASK, lamp_oracle, lamp_tree

FEW = FrontOptions(
    steps=100_000,
    lines=0,
    soft=0,
    trial_generations=2,
    generations=4,
    longest=6,
    population=6,
    episodes=8,
    longest_episodes=12,
    racing_episodes=20,
    choosing_episodes=30,
    rounding_episodes=20,
)
LIGHTS = np.tile([[-1.0], [1.0]], (50, 1))
DATA = Dataset.of(LIGHTS, lamp_oracle(LIGHTS), 2)
SEARCH = ReoptimisationOptions()
DARK = lamp_tree(-0.9)  # always on, and so wrong whenever the lamp is off


def games(task: Task = LAMP_TASK, **chosen: Any) -> Games:
    """Play the lamp."""
    return Games(task, replace(FEW, **chosen), SEARCH, seed=3)


def exploration(task: Task = LAMP_TASK, **chosen: Any) -> Exploration:
    """Begin to look for rules for the lamp, with one that is no good."""
    playing = games(task, **chosen)
    found = Exploration(playing, DATA, playing.options, seed=3)
    found.begin([DARK])
    return found


def raw_lamp(bias: float, weight: float = 1.0) -> PolicyTree:
    """A rule over the light as it is; right for a bias over -1 and up to 1."""
    rule = Rule([[1]], [weight], bias, raw=True)
    return lamp_tree().with_root(Split(rule, Leaf(0), Leaf(1)))
