"""What torch and Stable-Baselines3 change for the whole process is put back afterwards."""

import random
from typing import Any

import numpy as np
import torch


class Apart:
    """Random numbers and one thread of a training's own, in every block from where it left off."""

    def __init__(self) -> None:
        self._own: Any = None

    def __enter__(self) -> None:
        self._users = _settings()
        if self._own is not None:
            _set(self._own)
        torch.set_num_threads(1)

    def __exit__(self, *_: object) -> None:
        self._own = _settings()
        _set(self._users)


def _settings() -> tuple[Any, ...]:
    numpy = np.random.get_state()  # noqa: NPY002
    return random.getstate(), numpy, torch.get_rng_state(), torch.get_num_threads()


def _set(settings: tuple[Any, ...]) -> None:
    python, numpy, own, threads = settings
    random.setstate(python)
    np.random.set_state(numpy)  # noqa: NPY002
    torch.set_rng_state(own)
    torch.set_num_threads(threads)
