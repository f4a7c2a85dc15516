"""What kills worker processes: an environment, and a measurement."""

import os
import signal
from dataclasses import replace
from pathlib import Path
from typing import Any

import gymnasium

from glasstree.tasks.base import Environment, Task
from toys import LAMP, SLOW_LAMP_TASK, STEPS, LampEnv

DEADLY = "glasstree-tests/DeadlyLamp-v0"
# workers import this module to know the environment
FAR_LAMP_TASK = replace(SLOW_LAMP_TASK, environment=Environment(LAMP, STEPS, module="deadly"))


def deadly_task(flag: Path) -> Task:
    """Return the lamp as a task whose first step away from this process is deadly, once."""
    options = {"flag": str(flag), "home": os.getpid()}
    return replace(
        FAR_LAMP_TASK, environment=Environment(DEADLY, STEPS, options=options, module="deadly")
    )


def measure_or_die(cell: Any) -> dict[str, float]:
    """Measure a cell of the peers' benchmark, unless its rival is deadly."""
    if cell.rival == "deadly":
        os.kill(os.getpid(), signal.SIGKILL)
    return {"reward": 1.0}


class DeadlyLampEnv(LampEnv):
    """LampEnv, but the first step in another process than `home` kills that process."""

    def __init__(self, flag: str, home: int) -> None:
        self.flag, self.home = Path(flag), home

    def step(self, action: int) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        """Die once, else answer as always."""
        if os.getpid() != self.home:
            try:
                self.flag.open("x").close()
            except FileExistsError:
                pass
            else:
                os.kill(os.getpid(), signal.SIGKILL)
        return super().step(action)


if DEADLY not in gymnasium.registry:
    gymnasium.register(DEADLY, entry_point=DeadlyLampEnv)
