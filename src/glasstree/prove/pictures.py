"""What a proof rests on as a picture: all states that can occur, over two variables."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from glasstree.policy import PolicyTree
from glasstree.policy.arrays import Bools, Floats
from glasstree.prove.answers import Answer
from glasstree.prove.checks.tubes import LEFT_END, RIGHT_END, SPEED_LIMIT, advance
from glasstree.prove.vectors import Intervals

PIXELS = (360, 240)


@dataclass(frozen=True)
class Region:
    """States of two variables, by their places, that can occur: a bitmap between two corners."""

    variables: tuple[int, int]
    low: Floats
    high: Floats
    inside: Bools


def region_of(answer: Answer, tree: PolicyTree) -> Region | None:
    """Return the states that an answer rests on, where they have two variables."""
    kind = answer.evidence.get("kind")
    if kind == "cells":
        return cells(answer.evidence)
    return tube(answer.evidence, tree) if kind == "tube" else None


def cells(evidence: Mapping[str, Any]) -> Region:
    """Return CartPole's cells over angle and angular velocity, cut to those that are reached."""
    runs = np.array(evidence["runs"])
    inside = np.repeat(np.arange(len(runs)) % 2 == 1, runs).reshape(evidence["counts"])
    places = np.argwhere(inside)
    first, last = places.min(axis=0), places.max(axis=0) + 1
    low, size = np.array(evidence["low"]), np.array(evidence["size"])
    shown = inside[first[0] : last[0], first[1] : last[1]]
    return Region((2, 3), low + first * size, low + last * size, shown)


def tube(evidence: Mapping[str, Any], tree: PolicyTree) -> Region:
    """Return all that MountainCar's parts of the starts come to, over position and velocity."""
    edges = np.array(evidence["edges"])
    x, v = Intervals(edges[:-1], edges[1:]), Intervals.of(np.zeros(len(edges) - 1))
    owners = np.arange(len(edges) - 1)
    low, high = np.array([LEFT_END, -SPEED_LIMIT]), np.array([RIGHT_END, SPEED_LIMIT])
    inside: Bools = np.zeros(PIXELS, dtype=np.bool_)
    while len(owners):
        ends = [
            np.clip((values - low[axis]) / (high - low)[axis] * PIXELS[axis], 0, PIXELS[axis] - 1)
            for values, axis in ((x.low, 0), (x.high, 0), (v.low, 1), (v.high, 1))
        ]
        for i, k, j, m in np.unique(np.stack(ends, axis=1).astype(int), axis=0):
            inside[i : k + 1, j : m + 1] = True
        x, v, owners = advance(tree, x, v, owners)
    return Region((0, 1), low, high, inside)
