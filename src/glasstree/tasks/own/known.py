"""Gymnasium's ids of the shipped tasks: they bring names, units and a compiled twin."""

from dataclasses import replace
from importlib import import_module

import gymnasium

from glasstree.policy.sources.plant import Plant
from glasstree.tasks.base import Task

KNOWN = {
    "CartPole-v0": "cartpole",
    "CartPole-v1": "cartpole",
    "MountainCar-v0": "mountaincar",
    "Acrobot-v1": "acrobot",
    "LunarLander-v3": "lunarlander",
}


# tasks of continuous actions that have a compiled simulator: how the plain one becomes ours
CONTINUOUS = {"LunarLanderContinuous-v3": "glasstree.tasks.lunarlander:continuous"}


def is_gymnasiums(name: str, plant: Plant) -> bool:
    """Tell whether an id stands for Gymnasium's own environment, made as it is there."""
    spec = gymnasium.registry.get(name)
    if spec is None or plant.module or plant.env_kwargs or plant.train_vary:
        return False
    return str(spec.entry_point).startswith("gymnasium.envs.")


def with_known_twin(task: Task, plant: Plant) -> Task:
    """Return a task of continuous actions with what we know of it, else as it is."""
    if task.name not in CONTINUOUS or not is_gymnasiums(task.name, plant):
        return task
    place, _, attribute = CONTINUOUS[task.name].partition(":")
    known: Task = getattr(import_module(place), attribute)(task)
    return known


def shipped_twin(name: str, plant: Plant) -> str | None:
    """Return the shipped task that an id stands for, unless the environment is made otherwise.

    >>> shipped_twin("CartPole-v1", Plant()), shipped_twin("CartPole-v1", Plant(module="mine"))
    ('cartpole', None)
    """
    ours = name in KNOWN and is_gymnasiums(name, plant) and not gymnasium.registry[name].kwargs
    return KNOWN[name] if ours else None


def under_its_id(shipped: Task, name: str, plant: Plant) -> Task:
    """Return a shipped task with the step limit of its id, or of the user; itself if that is it."""
    limit = plant.step_limit or gymnasium.registry[name].max_episode_steps
    if limit == shipped.step_limit:
        return shipped
    longer = shipped.training_steps is not None and limit < shipped.training_steps
    return replace(
        shipped,
        name=name,
        title=f"Gymnasium's {name}",
        environment=replace(shipped.environment, step_limit=limit),
        training_steps=shipped.training_steps if longer else None,
        plant=Plant(step_limit=limit) if plant.step_limit else None,
    )
