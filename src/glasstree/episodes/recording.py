"""Film episodes of a policy into an animated picture."""

import os
from collections.abc import Callable, Iterator
from functools import partial
from io import BytesIO
from math import ceil
from pathlib import Path
from typing import Any

import gymnasium
import numpy as np
from PIL import Image, ImageDraw

from glasstree import progress
from glasstree.episodes.play import asked, levels_of
from glasstree.errors import MissingExtraError, OptionError, TaskError
from glasstree.policy.arrays import Ints, Policy
from glasstree.policy.document import write_atomically
from glasstree.policy.sources.levels import level_names
from glasstree.policy.tree import PolicyTree
from glasstree.tasks.base import Task
from glasstree.tasks.checked import Checked
from glasstree.timeout import watched

FRAMES_A_SECOND = 25  # what the eye takes for motion
WIDEST = 480  # pixels: a few megabytes for an episode
COLOURS = 64  # of a frame
STAGE = "filming"


def record(policy: Policy, task: Task, seeds: Ints, path: Path) -> list[float]:
    """Write one episode per seed as a GIF and return their rewards."""
    if path.suffix.lower() != ".gif":
        raise OptionError(f"{path}: films are written as .gif")
    progress.emit(progress.Stage(STAGE, total=len(seeds)))
    environment = drawing(task)
    rate = float(environment.metadata.get("render_fps") or FRAMES_A_SECOND)
    stride = ceil(rate / FRAMES_A_SECOND)
    frames: list[Any] = []
    rewards: list[float] = []
    try:
        for number, seed in enumerate(seeds.tolist(), 1):
            seen = list(shots(policy, task, environment, seed, stride))
            named = ((picture, f"episode {number}  {words}") for picture, words, _ in seen)
            frames += [framed(*shot).quantize(COLOURS) for shot in named]
            rewards.append(seen[-1][2])
            progress.emit(progress.Advance(STAGE, number, {"reward": rewards[-1]}))
    finally:
        environment.close()
    write_film(frames, round(1000 * stride / rate), path)
    return rewards


def write_film(frames: list[Any], milliseconds: int, path: Path) -> None:
    """Write pictures as a GIF that begins again at its end."""
    whole = BytesIO()
    more = {"save_all": True, "append_images": frames[1:], "duration": milliseconds, "loop": 0}
    frames[0].save(whole, "GIF", **more)
    write_atomically(path, whole.getvalue())


def drawing(task: Task) -> Checked:
    """Return an environment of a task that draws pictures."""
    os.environ.setdefault("SDL_VIDEODRIVER", "dummy")
    environment = Checked(task.free.environment, task.n_variables, render_mode="rgb_array")
    if environment.render_mode != "rgb_array":
        raise TaskError(f"{task.name} draws no pictures (render_mode 'rgb_array')")
    return environment


def shots(
    policy: Policy, task: Task, environment: Checked, seed: int, stride: int
) -> Iterator[tuple[Any, str, float]]:
    """Play an episode; yield every few steps a picture, words on it, and the reward so far."""
    state, _ = _answer(environment, lambda: environment.reset(seed=seed))
    levels = levels_of(policy, task)
    total, step, done = 0.0, 0, False
    while not done:
        action = asked(policy, state[np.newaxis], task)[0]
        name = _name(policy, task, action)
        if levels is not None:
            action = levels[action]
        action = int(action) if levels is None and task.n_actions else action
        drawn = step % stride == 0
        if drawn:
            picture = _picture(environment, task)
        state, reward, ended, cut, _ = _answer(environment, partial(environment.step, action))
        total, step, done = total + reward, step + 1, ended or cut or step + 1 >= task.step_limit
        if drawn:
            yield picture, f"step {step}  {name}  reward {total:.1f}", total
    yield _picture(environment, task), f"step {step}  end  reward {total:.1f}", total


def _name(policy: Policy, task: Task, action: Any) -> str:
    if not task.n_actions:
        return level_names([action.tolist()], task.plant.controls if task.plant else None)[0]
    return (policy if isinstance(policy, PolicyTree) else task).action_names[action]


def _answer(environment: Checked, call: Callable[[], Any]) -> Any:
    try:
        return watched(lambda _: call(), environment.factory.timeout)
    except TimeoutError as error:
        raise environment.failure(error) from error


def _picture(environment: Checked, task: Task) -> Any:
    try:
        return _answer(environment, environment.render)
    except gymnasium.error.DependencyNotInstalled:
        raise MissingExtraError(f"drawing {task.name}", "watch") from None


def framed(picture: Any, words: str, widest: int = WIDEST) -> Any:
    """Return a picture of limited width with words above it."""
    image = Image.fromarray(np.asarray(picture, dtype=np.uint8))
    if image.width > widest:
        image = image.resize((widest, image.height * widest // image.width))
    draw = ImageDraw.Draw(image)
    draw.rectangle([(0, 0), (image.width, 15)], fill=(255, 255, 255))
    draw.text((6, 2), words, fill=(40, 44, 52))
    return image
