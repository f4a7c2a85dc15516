"""Double deep Q-learning: Stable-Baselines3's DQN, whose online network chooses the next action."""

from typing import Any

import numpy as np
import torch
from stable_baselines3 import DQN
from stable_baselines3.common.vec_env import VecEnvWrapper
from torch.nn.functional import smooth_l1_loss

from glasstree.oracles.apart import Apart
from glasstree.oracles.network import NetworkOracle
from glasstree.oracles.sb3 import network_of
from glasstree.oracles.training.checkpoints import learner_state, restore_learner
from glasstree.oracles.training.options import DQNOptions
from glasstree.oracles.training.vector import vector_environment
from glasstree.tasks.base import Task


def double_estimate(online: Any, target: Any, states: Any) -> Any:
    """Return what the target network holds the online network's choices to be worth."""
    with torch.no_grad():
        chosen = online(states).argmax(dim=1, keepdim=True)
        return target(states).gather(1, chosen)


class DoubleDQN(DQN):  # type: ignore[misc]
    """DQN with the targets of double learning."""

    def train(self, gradient_steps: int, batch_size: int = 100) -> None:
        """Take so many steps of Adam on samples of the memory."""
        for _ in range(gradient_steps):
            batch = self.replay_buffer.sample(batch_size)
            coming = double_estimate(self.q_net, self.q_net_target, batch.next_observations)
            goals = batch.rewards + self.gamma * (1.0 - batch.dones) * coming
            values = self.q_net(batch.observations).gather(1, batch.actions)
            loss = smooth_l1_loss(values, goals)
            self.policy.optimizer.zero_grad()
            loss.backward()
            self.policy.optimizer.step()
        self._n_updates += gradient_steps


class Scaled(VecEnvWrapper):  # type: ignore[misc]
    """Environments with centred and scaled states, and scaled rewards."""

    def __init__(self, environments: Any, centre: Any, spread: Any, reward_scale: float) -> None:
        super().__init__(environments)
        self.centre, self.spread, self.reward_scale = centre, spread, reward_scale

    def reset(self) -> Any:
        """Start every episode anew."""
        return self._scaled(self.venv.reset())

    def step_wait(self) -> Any:
        """Advance all."""
        states, rewards, done, infos = self.venv.step_wait()
        for row in np.flatnonzero(done):
            last = infos[row]["terminal_observation"]
            infos[row]["terminal_observation"] = self._scaled(last)
        return self._scaled(states), rewards * self.reward_scale, done, infos

    def _scaled(self, states: Any) -> Any:
        return ((states - self.centre) / self.spread).astype(np.float32)


class DQNTraining:
    """A ReLU network that learns from a memory; states are centred and scaled before it."""

    def __init__(self, options: DQNOptions, task: Task, seed: int) -> None:
        self.options, self.task, self.seed, self.steps = options, task, seed, 0
        self.centre = np.array(options.centre or [0.0] * task.n_variables)
        self.spread = np.array(options.spread or [1.0] * task.n_variables)
        self.apart = Apart()
        with self.apart:
            self.model = self._model()

    def advance(self, steps: int) -> None:
        """Learn for about so many steps more."""
        with self.apart:
            self.model.learn(steps, reset_num_timesteps=False, log_interval=None)
        self.steps = int(self.model.num_timesteps)

    def oracle(self) -> NetworkOracle:
        """Return the online network as a plain one that takes raw states."""
        network = network_of(self.model.q_net, "relu", "values")
        return network.on_raw_states(self.centre, 1.0 / self.spread)

    def state(self) -> dict[str, Any]:
        """Return both networks, the optimiser and the number of steps, without the memory."""
        return {**learner_state(self.model.policy), "steps": np.array(self.steps)}

    def restore(self, state: dict[str, Any]) -> None:
        """Go on from a state, with fresh episodes; the memory is filled anew by random play."""
        self.steps = int(state["steps"])
        with self.apart:
            self.model = self._model()
        restore_learner(self.model.policy, state)
        self.model.num_timesteps = self.steps

    def _model(self) -> Any:
        options = self.options
        plays = max(round(1 / (options.n_envs * options.updates_per_step)), 1)
        model = DoubleDQN(
            "MlpPolicy",
            self._environments(),
            learning_rate=options.learning_rate,
            buffer_size=options.memory,
            learning_starts=self.steps + options.warm_up,
            batch_size=options.batch_size,
            gamma=options.gamma,
            train_freq=plays,
            gradient_steps=max(round(plays * options.n_envs * options.updates_per_step), 1),
            target_update_interval=round(options.target_period / options.updates_per_step),
            policy_kwargs={"net_arch": list(options.hidden)},
            seed=self.seed + self.steps,
            device="cpu",
        )
        model.exploration_schedule = self._exploration
        return model

    def _environments(self) -> Any:
        environments = vector_environment(
            self.task, self.options.n_envs, self.seed * 1_000_003 + self.steps
        )
        return Scaled(environments, self.centre, self.spread, self.options.reward_scale)

    def _exploration(self, _: float) -> float:
        first, last = self.options.exploration
        whole = self.options.exploration_fraction * self.options.total_steps
        return first + (last - first) * min(self.model.num_timesteps / whole, 1.0)
