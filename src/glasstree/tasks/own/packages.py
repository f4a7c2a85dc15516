"""Well-known packages of environments: their ids need no --import, and their words are kept."""

from importlib import import_module
from typing import Any

import gymnasium

from glasstree.errors import TaskError
from glasstree.tasks.own.observations import Layout

# by the beginning of an id
PACKAGES = {
    "MiniGrid-": "minigrid",
    "BabyAI-": "minigrid",
    **dict.fromkeys(
        (
            *("highway-", "merge-", "roundabout-", "parking-", "intersection-", "racetrack-"),
            *("lane-keeping-", "two-way-", "u-turn-", "exit-"),
        ),
        "highway_env",
    ),
    "ALE/": "ale_py",
}
VIEW = ("object", "colour", "state")  # what MiniGrid tells of each cell


def register_package(name: str) -> None:
    """Import the package that an id belongs to, if that is a known one and not imported yet."""
    package = next((PACKAGES[start] for start in PACKAGES if name.startswith(start)), None)
    if package is None or name in gymnasium.registry:
        return
    try:
        found = import_module(package)
    except ImportError:
        raise TaskError(
            f"{name} is an environment of {package}; install that: pip install "
            f"{package.replace('_', '-')}"
        ) from None
    if name not in gymnasium.registry and hasattr(gymnasium, "register_envs"):
        gymnasium.register_envs(found)


def own_limit(environment: Any) -> int | None:
    """Return after how many steps an environment ends by itself, where it tells."""
    bare = environment.unwrapped
    config = getattr(bare, "config", None)
    if isinstance(config, dict) and {"duration", "policy_frequency"} <= config.keys():
        return max(1, round(config["duration"] * config["policy_frequency"]))
    limit = getattr(bare, "max_steps", None)
    return limit if isinstance(limit, int) and limit > 0 else None


def package_names(environment: Any, layout: Layout) -> tuple[str, ...] | None:
    """Return what a package calls its observations: features of cars, or cells of a view."""
    seen: Any = getattr(environment.unwrapped, "observation_type", None)
    features = getattr(seen, "features", None)
    if features and len(layout.names) == len(features) * getattr(seen, "vehicles_count", 0):
        cars = ("ego", *(f"car{number}" for number in range(1, seen.vehicles_count)))
        return tuple(f"{car}.{feature}" for car in cars for feature in features)
    if type(environment.unwrapped).__module__.startswith("minigrid."):
        return tuple(_cell(name, environment.unwrapped.agent_view_size) for name in layout.names)
    return None


def _cell(name: str, size: int) -> str:
    """Call a cell of the view by where it is from the agent, which looks ahead.

    >>> _cell("image[3,5,0]", 7), _cell("image[1,6,2]", 7), _cell("direction", 7)
    ('object ahead 1', 'state left 2', 'direction')
    """
    if not name.startswith("image["):
        return name
    x, y, part = map(int, name[len("image[") : -1].split(","))
    ahead, side = size - 1 - y, x - size // 2
    place = f" ahead {ahead}" if ahead else ""
    place += f" {'left' if side < 0 else 'right'} {abs(side)}" if side else ""
    return f"{VIEW[part]}{place or ' here'}"


def package_actions(environment: Any) -> tuple[str, ...] | None:
    """Return what the package of an environment calls its actions."""
    bare = environment.unwrapped
    told = getattr(getattr(bare, "action_type", None), "actions", None)
    if isinstance(told, dict):
        return tuple(str(word).lower().replace("_", " ") for word in told.values())
    words = getattr(getattr(bare, "actions", None), "__members__", {})
    return tuple(word.lower().replace("_", " ") for word in words) or None
