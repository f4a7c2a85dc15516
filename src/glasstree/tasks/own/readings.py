"""Gymnasium's environments that are observed as one number or without names."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import gymnasium
import numpy as np

from glasstree.policy.arrays import Floats
from glasstree.policy.sources.plant import TRUTH
from glasstree.tasks.own.mujoco import joint_names
from glasstree.tasks.own.observations import Layout, layout_of, with_values
from glasstree.tasks.own.packages import package_actions, package_names

PLACES = ("red", "green", "yellow", "blue")
TAXI = (
    *("row", "column", *(f"passenger at {place}" for place in PLACES), "passenger in taxi"),
    *(f"to {place}" for place in PLACES),
)


def grid(columns: int) -> Layout:
    """Read a number as row and column.

    >>> grid(4).vector(6).tolist()
    [1.0, 2.0]
    """
    return Layout(
        ("row", "column"),
        ("", ""),
        lambda observation: np.array(divmod(int(observation), columns), dtype=np.float64),
        lambda states: (states[:, 0] * columns + states[:, 1]).astype(np.int64),
    )


def taxi() -> Layout:
    """Read a number as where the taxi is, where the passenger is, and where to.

    >>> dict(zip(TAXI, taxi().vector(328).tolist()))["passenger at yellow"]
    1.0
    """
    return Layout(TAXI, ("", "", *(TRUTH,) * 9), _taxi_vector, _taxi_batch)


def _taxi_vector(observation: Any) -> Floats:
    rest, to = divmod(int(observation), 4)
    rest, passenger = divmod(rest, 5)
    row, column = divmod(rest, 5)
    return np.concatenate([[row, column], np.eye(5)[passenger], np.eye(4)[to]])


def _taxi_batch(states: Floats) -> Any:
    row, column = states[:, 0], states[:, 1]
    passenger, to = states[:, 2:7].argmax(axis=1), states[:, 7:].argmax(axis=1)
    return (((row * 5 + column) * 5 + passenger) * 4 + to).astype(np.int64)


ARM = ("shoulder pan", "shoulder lift", "upper arm", "elbow", "forearm", "wrist", "wrist roll")
LEG = ("hip{} angle", "hip{} speed", "knee{} angle", "knee{} speed", "foot{} down")
# what is known of an environment by the name of its class
NAMES: dict[str, tuple[str, ...]] = {
    "BlackjackEnv": ("player", "dealer", "usable ace"),
    "PendulumEnv": ("cos", "sin", "omega"),
    "Continuous_MountainCarEnv": ("x", "v"),
    "LunarLander": ("x", "y", "vx", "vy", "angle", "spin", "left_leg", "right_leg"),
    "BipedalWalker": (
        *("angle", "spin", "vx", "vy"),
        *(word.format(leg) for leg in (1, 2) for word in LEG),
        *(f"lidar[{number}]" for number in range(10)),
    ),
    "InvertedDoublePendulumEnv": (
        *("cart", "sin1", "sin2", "cos1", "cos2", "cart speed", "omega1", "omega2", "push back"),
    ),
    "ReacherEnv": (
        *("cos1", "cos2", "sin1", "sin2", "target x", "target y"),
        *("omega1", "omega2", "miss x", "miss y"),
    ),
    "PusherEnv": (
        *(*ARM, *(f"{joint} speed" for joint in ARM)),
        *(f"{thing} {axis}" for thing in ("tip", "object", "goal") for axis in "xyz"),
    ),
}
UNITS: dict[str, tuple[str, ...]] = {
    "PendulumEnv": ("", "", "rad/s"),
    "InvertedDoublePendulumEnv": (*("m", "", "", "", "", "m/s"), *("rad/s",) * 2, "N"),
    "ReacherEnv": (*("",) * 4, "m", "m", *("rad/s",) * 2, "m", "m"),
    "BipedalWalker": (*("",) * 8, TRUTH, *("",) * 4, TRUTH, *("",) * 10),
}
ACTIONS: dict[str, tuple[str, ...]] = {
    "BlackjackEnv": ("stick", "hit"),
    "FrozenLakeEnv": ("left", "down", "right", "up"),
    "CliffWalkingEnv": ("up", "right", "down", "left"),
    "TaxiEnv": ("south", "north", "east", "west", "pick up", "drop off"),
}
LAYOUTS: dict[str, Callable[[Any], Layout]] = {
    "FrozenLakeEnv": lambda environment: grid(environment.ncol),
    "CliffWalkingEnv": lambda environment: grid(environment.shape[1]),
    "TaxiEnv": lambda _: taxi(),
}


def class_of(environment: Any) -> str:
    """Return the name of the class of an environment if it is one of Gymnasium's."""
    kind = type(environment)
    return kind.__name__ if kind.__module__.startswith("gymnasium.envs.") else ""


def layout_for(environment: Any) -> Layout:
    """Return how the observations of an environment are read.

    Where its metadata tell what values are called, there is one 0/1 variable a value.
    """
    found = _numbers_of(environment)
    values = (environment.unwrapped.metadata or {}).get("values")
    if not values or isinstance(environment.observation_space, gymnasium.spaces.Box):
        return found
    return with_values(found, values)


def _numbers_of(environment: Any) -> Layout:
    bare = environment.unwrapped
    name, space = class_of(bare), environment.observation_space
    if name in LAYOUTS and space == bare.observation_space:
        return LAYOUTS[name](bare)
    found = layout_of(space)
    if len(NAMES.get(name, ())) != len(found.names):
        names = joint_names(environment, len(found.names)) or package_names(environment, found)
        return replace(found, names=names) if names else found
    return replace(found, names=NAMES[name], units=UNITS.get(name, found.units))


def action_names_for(environment: Any, count: int) -> tuple[str, ...] | None:
    """Return what the actions of an environment are called, where that is known."""
    names = ACTIONS.get(class_of(environment.unwrapped)) or package_actions(environment) or ()
    return names if len(names) == count else None
