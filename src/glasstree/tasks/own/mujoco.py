"""MuJoCo's environments call their joints by names; observations and controls are about these."""

from typing import Any


def joints(environment: Any) -> list[str]:
    """Return the joints of a MuJoCo environment in which each is one number, else nothing."""
    model = getattr(environment.unwrapped, "model", None)
    if model is None or not hasattr(model, "njnt") or not model.nq == model.nv == model.njnt:
        return []
    names = [str(model.joint(number).name).removesuffix("_joint") for number in range(model.njnt)]
    return names if all(names) and len(set(names)) == len(names) else []


def joint_names(environment: Any, count: int) -> tuple[str, ...] | None:
    """Return names for observations of joints: their places but for some first, and their speeds.

    >>> joint_names(type("NoRobot", (), {"unwrapped": None}), 4)
    """
    names = joints(environment)
    left_out = 2 * len(names) - count
    if not names or not 0 <= left_out < len(names):
        return None
    return (*names[left_out:], *(f"{name} speed" for name in names))


def joint_controls(environment: Any) -> tuple[str, ...] | None:
    """Return the joints that the actuators of a MuJoCo environment turn."""
    names = joints(environment)
    if not names:
        return None
    model = environment.unwrapped.model
    turned = tuple(names[int(joint)] for joint in model.actuator_trnid[:, 0])
    return turned if len(set(turned)) == len(turned) else None
