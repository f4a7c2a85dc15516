"""What a Stable-Baselines3 policy has learnt, as arrays by name."""

from typing import Any

import torch


def learner_state(policy: Any) -> dict[str, Any]:
    """Return the weights of a policy and the state of its optimiser."""
    arrays = {f"policy.{name}": value.numpy() for name, value in policy.state_dict().items()}
    for number, entry in policy.optimizer.state_dict()["state"].items():
        for name, value in entry.items():
            arrays[f"optimizer.{number}.{name}"] = value.numpy()
    return arrays


def restore_learner(policy: Any, state: dict[str, Any]) -> None:
    """Give a policy and its optimiser the arrays of a state; others are passed over."""
    weights, optimizer = {}, policy.optimizer.state_dict()
    for key, array in state.items():
        part, _, name = key.partition(".")
        if part == "policy":
            weights[name] = torch.as_tensor(array)
        elif part == "optimizer":
            number, _, name = name.partition(".")
            optimizer["state"].setdefault(int(number), {})[name] = torch.as_tensor(array)
    policy.load_state_dict(weights)
    policy.optimizer.load_state_dict(optimizer)
