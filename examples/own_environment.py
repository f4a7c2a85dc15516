"""Explain your own controller of your own Gymnasium environment."""

from typing import Any

import gymnasium
import numpy as np

import glasstree as gt
from glasstree.closedloop import ReoptimisationOptions


class Thermostat(gymnasium.Env[Any, Any]):
    """Keep a room at 20 degrees with a heater that is either off or on."""

    observation_space = gymnasium.spaces.Box(-50.0, 50.0, (2,))
    action_space = gymnasium.spaces.Discrete(2)

    def reset(self, *, seed: int | None = None, options: Any = None) -> tuple[Any, dict[str, Any]]:
        """Start anywhere between 10 and 30 degrees, with frost or a mild day outside."""
        super().reset(seed=seed)
        self.inside, self.outside = self.np_random.uniform([10.0, -10.0], [30.0, 15.0])
        return self.observation(), {}

    def step(self, action: int) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        """Lose warmth to the outside, gain some from the heater; discomfort costs."""
        self.inside += 0.1 * (self.outside - self.inside) + 4.0 * action
        return self.observation(), -abs(self.inside - 20.0), False, False, {}

    def observation(self) -> Any:
        """Return both temperatures."""
        return np.array([self.inside, self.outside], dtype=np.float32)


def controller(state: Any) -> int:
    """Heat if the room would be nearer to 20 degrees with the heater than without."""
    inside, outside = state
    without = inside + 0.1 * (outside - inside)
    return int(abs(without + 4.0 - 20.0) < abs(without - 20.0))


gymnasium.register("Thermostat-v0", entry_point=Thermostat, max_episode_steps=50)

result = gt.distill(
    gt.get_task("Thermostat-v0", state_names=("inside", "outside")),
    oracle=controller,
    data="regular",
    samples=1000,
    episodes=100,
    closed_loop=ReoptimisationOptions(
        generations=3, population=8, episodes=5, racing_episodes=20, choosing_episodes=40
    ),
)
for name, found in result.performances.items():
    print(f"{name:14}{found.mean_reward:8.2f}")
print(f"\n{gt.to_text(result.policy, units='original')}")
