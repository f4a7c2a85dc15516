"""Films of the gallery: the same episode, played by the rules and by their oracle."""

from math import ceil
from pathlib import Path
from typing import Any

import numpy as np
from PIL import Image

from glasstree.episodes.recording import FRAMES_A_SECOND, drawing, framed, shots, write_film
from glasstree.policy.arrays import Policy
from glasstree.tasks import Task

WIDTH = 300  # pixels of each of the two pictures
MOST_FRAMES = 110
SHORTEST, LONGEST = 4_000, 10_000  # milliseconds; other episodes run slower or faster
COLOURS = 24
HELD = 8  # frames at the end


def write_duel(players: dict[str, Policy], task: Task, seed: int, steps: int, path: Path) -> None:
    """Film one episode of each player, side by side; steps are those of the longest."""
    environment = drawing(task)
    rate = float(environment.metadata.get("render_fps") or FRAMES_A_SECOND)
    stride = ceil(steps / MOST_FRAMES)
    try:
        strips = [
            [framed(picture, f"{name}  {words}", WIDTH) for picture, words, _ in played]
            for name, player in players.items()
            for played in [list(shots(player, task, environment, seed, stride))]
        ]
    finally:
        environment.close()
    frames = max(map(len, strips)) + HELD
    whole = [beside([strip[min(k, len(strip) - 1)] for strip in strips]) for k in range(frames)]
    palette = beside(whole[:: max(1, frames // 6)]).quantize(COLOURS)
    milliseconds = round(min(max(1000 * stride / rate, SHORTEST / frames), LONGEST / frames))
    written = [frame.quantize(palette=palette, dither=Image.Dither.NONE) for frame in whole]
    write_film(written, milliseconds, path)


def beside(pictures: list[Any]) -> Any:
    """Return pictures of one height, side by side."""
    return Image.fromarray(np.hstack([np.asarray(picture) for picture in pictures]))
