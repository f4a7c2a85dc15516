"""What the numbers of a continuous action are called, with their units."""

from collections.abc import Sequence
from typing import Any

from glasstree.errors import TaskError
from glasstree.tasks.own.mujoco import joint_controls

# of Gymnasium's environments, by the name of their class
KNOWN: dict[str, tuple[str, ...]] = {
    "PendulumEnv": ("torque [N m]",),
    "Continuous_MountainCarEnv": ("force",),
    "LunarLander": ("main", "side"),
    "BipedalWalker": ("hip1", "knee1", "hip2", "knee2"),
    "CarRacing": ("steering", "gas", "brake"),
}


def controls_for(environment: Any) -> tuple[str, ...] | None:
    """Return the names of an environment's controls where they are known: MuJoCo's tell them."""
    bare = environment.unwrapped
    kind = type(bare)
    if kind.__module__.startswith("gymnasium.envs.") and kind.__name__ in KNOWN:
        return KNOWN[kind.__name__]
    return joint_controls(environment)


def controls_of(name: str, controls: Sequence[str] | None, width: int) -> list[str] | None:
    """Return names for so many controls, or say that there are not as many."""
    if controls is None:
        return None
    if len(controls) != width or len(set(controls)) != width or not all(controls):
        numbers = "one number" if width == 1 else f"{width} numbers"
        raise TaskError(
            f"an action of {name} is {numbers}, which need as many different names, such as "
            f"'torque [N m]'; got {', '.join(controls)}"
        )
    return list(controls)
