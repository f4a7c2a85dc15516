"""Pictures of our own environments, as (height, width, 3) arrays of bytes."""

from collections.abc import Iterable
from typing import Any

import numpy as np
from PIL import Image, ImageDraw

from glasstree.policy.arrays import Floats

SIZE = 480  # pixels of a square picture
ROAD_SIZE = (640, 200)
SAFE_GAP_PIXELS = 120
PAPER, INK, GREY = (255, 255, 255), (40, 44, 52), (200, 204, 210)
BLUE, ORANGE, GREEN, RED = (66, 113, 214), (230, 126, 34), (39, 160, 96), (204, 62, 68)


def draw_arm(angles: Floats, height: float, motors: Iterable[int]) -> Any:
    """Draw a hanging arm from its joint angles, with its motors and the height to reach."""
    image = Image.new("RGB", (SIZE, SIZE), PAPER)
    draw = ImageDraw.Draw(image)
    scale = SIZE / (2.0 * len(angles) + 1.0)
    total = np.cumsum(angles)
    x = np.concatenate([[0.0], np.cumsum(-np.sin(total))]) * scale + SIZE / 2
    y = np.concatenate([[0.0], np.cumsum(np.cos(total))]) * scale + SIZE / 2
    points = list(zip(x.tolist(), y.tolist(), strict=True))
    goal = SIZE / 2 - height * scale
    draw.line([(0, goal), (SIZE, goal)], fill=GREEN, width=2)
    draw.line(points, fill=BLUE, width=6, joint="curve")
    driven = set(motors)
    for joint, point in enumerate(points[:-1]):
        _dot(draw, point, 6, ORANGE if joint in driven else INK)
    _dot(draw, points[-1], 7, GREEN if y[-1] <= goal else RED)
    return np.asarray(image)


def draw_cars(front: float, rear: float, speed: float, safe_gap: float) -> Any:
    """Draw a road seen from the side, the rear car standing still in the picture."""
    width, height = ROAD_SIZE
    image = Image.new("RGB", ROAD_SIZE, PAPER)
    draw = ImageDraw.Draw(image)
    scale, ground, nose = SAFE_GAP_PIXELS / safe_gap, height - 50, 110.0
    draw.rectangle([(0, ground), (width, ground + 24)], fill=GREY)
    offset = (rear * scale) % 40.0
    for mark in np.arange(-offset, width, 40.0).tolist():
        draw.line([(mark, ground + 12), (mark + 20, ground + 12)], fill=PAPER, width=3)
    wanted = nose + safe_gap * scale
    draw.line([(wanted, 40), (wanted, ground)], fill=GREEN, width=2)
    _car(draw, nose, ground, BLUE)
    _car(draw, nose + (front - rear) * scale + 70.0, ground, ORANGE)
    draw.text((10, height - 20), f"gap {front - rear:.1f} m   speed {speed:.1f} m/s", fill=INK)
    return np.asarray(image)


def _car(draw: Any, nose: float, ground: float, colour: tuple[int, int, int]) -> None:
    draw.rectangle([(nose - 70, ground - 30), (nose, ground - 10)], fill=colour)
    draw.rectangle([(nose - 54, ground - 46), (nose - 18, ground - 30)], fill=colour)
    for wheel in (nose - 54, nose - 16):
        _dot(draw, (wheel, ground - 8), 8, INK)


def _dot(
    draw: Any, centre: tuple[float, float], radius: float, colour: tuple[int, int, int]
) -> None:
    x, y = centre
    draw.ellipse([(x - radius, y - radius), (x + radius, y + radius)], fill=colour)
