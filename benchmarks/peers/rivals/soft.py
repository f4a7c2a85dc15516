"""Soft trees (DDT), trained by gradients, then hardened: a line, or one variable, a split.

After Silva et al., "Optimization methods for interpretable differentiable decision trees applied to
reinforcement learning", 2020, and Frosst and Hinton, 2017. Trained on the oracle's actions, as all
that imitate here; DDT's authors train on the reward. Hardened as a line, a split keeps the sign of
its sum; as one variable, it keeps the variable of the largest weight alone, as DDT's authors do.
"""

from functools import partial
from typing import Any

import numpy as np

from glasstree.data import Dataset
from glasstree.policy.arrays import Floats

from .base import Rival, Sized, coded, spread
from .forest import Forest, axis

PRESENTED, SHARE, RATE, FIRST = 600_000, 256, 0.02, 1.0
HARDER = 4.0  # how much steeper the gates are in the end


def fit(data: Dataset, size: int, seed: int, alone: bool = False) -> Sized:
    """Train a full tree of depth `size` and harden it."""
    present, codes = coded(data)
    centre, scale = data.states.mean(axis=0), data.states.std(axis=0) + 1e-9
    weights, biases, leaves = trained((data.states - centre) / scale, codes, size, seed, data)
    forest, width, inner = Forest(), data.states.shape[1], 2**size - 1

    def add(node: int) -> int:
        if node >= inner:
            values = spread(leaves[node - inner], present, data.n_actions)
            return forest.leaf(values, width)
        row, bias = weights[node] / scale, biases[node]
        if alone:
            largest = int(np.abs(weights[node]).argmax())
            row = row[largest] * axis(largest, width)
        threshold = float(row @ centre) - bias
        return forest.split(row, threshold, *(add(2 * node + k) for k in (1, 2)), data.n_actions)

    forest.roots.append(add(0))
    return forest.policy()


def trained(
    states: Floats, codes: Any, depth: int, seed: int, data: Dataset
) -> tuple[Floats, Floats, Floats]:
    """Return weights (splits, variables), biases (splits,) and leaf values (leaves, actions)."""
    import torch

    torch.manual_seed(seed)
    torch.set_num_threads(1)
    inner, width, actions = 2**depth - 1, states.shape[1], int(codes.max()) + 1
    weights = (FIRST * torch.randn(inner, width) / np.sqrt(width)).requires_grad_()
    biases = torch.zeros(inner, requires_grad=True)
    leaves = (0.1 * torch.randn(inner + 1, actions)).requires_grad_()
    optimiser = torch.optim.Adam([weights, biases, leaves], RATE)
    inputs = torch.as_tensor(states, dtype=torch.float32)
    goals = torch.as_tensor(codes)
    worth = (
        torch.ones(len(codes)) if data.weights is None else torch.as_tensor(data.weights).float()
    )
    epochs = max(1, PRESENTED // len(codes))
    for epoch in range(epochs):
        steep = HARDER ** (epoch / epochs)
        for rows in torch.randperm(len(codes)).split(SHARE):
            right = torch.sigmoid(steep * (inputs[rows] @ weights.T + biases))
            reached = torch.ones(len(rows), 1)
            for level in range(depth):
                gates = right[:, 2**level - 1 : 2 ** (level + 1) - 1]
                reached = torch.stack([reached * (1 - gates), reached * gates], 2).flatten(1)
            shares = reached @ torch.softmax(leaves, 1)
            chosen = shares.gather(1, goals[rows, None])[:, 0]
            loss = -(worth[rows] * torch.log(chosen + 1e-9)).mean()
            optimiser.zero_grad()
            loss.backward()
            optimiser.step()
    found = (part.detach().double().numpy() for part in (weights, biases, leaves))
    return tuple(found)  # type: ignore[return-value]


SOFT = Rival(
    *("soft", "soft tree, hardened to lines", "depth"),
    fit=fit,
    sizes=(1, 2, 3),
    arm_sizes=(1, 2),
    lander_sizes=(2, 3, 4),
    rounds=4,
    packages=("torch",),
)
CRISP = Rival(
    *("crisp", "DDT, hardened to single variables", "depth"),
    fit=partial(fit, alone=True),
    sizes=(1, 2, 3),
    arm_sizes=(1, 2),
    lander_sizes=(3, 4),
    rounds=4,
    packages=("torch",),
)
