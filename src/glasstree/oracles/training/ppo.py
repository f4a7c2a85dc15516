"""Proximal policy optimisation with Stable-Baselines3."""

from typing import Any

import numpy as np
import torch
from stable_baselines3 import PPO
from stable_baselines3.common.vec_env import VecNormalize

from glasstree.oracles.apart import Apart
from glasstree.oracles.network import ActorOracle, NetworkOracle
from glasstree.oracles.sb3 import network_of
from glasstree.oracles.training.checkpoints import learner_state, restore_learner
from glasstree.oracles.training.options import PPOOptions
from glasstree.oracles.training.vector import vector_environment
from glasstree.tasks.base import Task

LEAST_RATE = 0.02  # share of the learning rate that is left at the end


class PPOTraining:
    """Actor and critic with tanh layers; observations and rewards are normalised on the way."""

    def __init__(self, options: PPOOptions, task: Task, seed: int) -> None:
        self.options, self.task, self.seed = options, task, seed
        self.steps = 0
        self.apart = Apart()
        with self.apart:
            self.model = self._model()

    def advance(self, steps: int) -> None:
        """Learn for about so many steps more."""
        with self.apart:
            self.model.learn(steps, reset_num_timesteps=False)
        self.steps = int(self.model.num_timesteps)

    def oracle(self) -> NetworkOracle:
        """Return the policy as a plain network that takes raw states."""
        policy = self.model.policy
        layers = torch.nn.Sequential(policy.mlp_extractor.policy_net, policy.action_net)
        network = network_of(layers, "tanh", "probabilities")
        if self.task.bounds is not None:
            network = ActorOracle(network.weights, network.biases, network.activation)
        if not self.options.normalize:
            return network
        environments = self.model.get_vec_normalize_env()
        statistics = environments.obs_rms
        scale = 1.0 / np.sqrt(statistics.var + environments.epsilon)
        return network.on_raw_states(statistics.mean, scale)

    def state(self) -> dict[str, Any]:
        """Return weights, optimiser, statistics and the number of steps."""
        arrays = learner_state(self.model.policy)
        for name, rms in self._statistics().items():
            arrays[f"{name}.mean"], arrays[f"{name}.var"] = rms.mean, rms.var
            arrays[f"{name}.count"] = np.array(rms.count)
        return {**arrays, "steps": np.array(self.steps)}

    def restore(self, state: dict[str, Any]) -> None:
        """Go on from a state, with fresh episodes."""
        self.steps = self.model.num_timesteps = int(state["steps"])
        restore_learner(self.model.policy, state)
        with self.apart:
            self.model.set_env(self._environments())
            torch.manual_seed(self.seed + self.steps)
        for name, rms in self._statistics().items():
            rms.mean, rms.var = state[f"{name}.mean"], state[f"{name}.var"]
            rms.count = float(state[f"{name}.count"])

    def _model(self) -> Any:
        options = self.options
        return PPO(
            "MlpPolicy",
            self._environments(),
            n_steps=options.n_steps,
            batch_size=options.batch_size,
            n_epochs=options.n_epochs,
            gamma=options.gamma,
            gae_lambda=options.gae_lambda,
            ent_coef=options.ent_coef,
            learning_rate=self._rate,
            clip_range=options.clip_range,
            use_sde=options.use_sde,
            sde_sample_freq=options.sde_sample_freq,
            policy_kwargs={
                "net_arch": list(options.hidden),
                "activation_fn": torch.nn.Tanh,
                "log_std_init": options.log_std_init,
            },
            seed=self.seed,
            device="cpu",
        )

    def _statistics(self) -> dict[str, Any]:
        if not self.options.normalize:
            return {}
        environments = self.model.get_vec_normalize_env()
        return {name: getattr(environments, name) for name in ("obs_rms", "ret_rms")}

    def _environments(self) -> Any:
        seed = self.seed * 1_000_003 + self.steps
        environments = vector_environment(self.task.free, self.options.n_envs, seed)
        if not self.options.normalize:
            return environments
        return VecNormalize(environments, gamma=self.options.gamma, clip_obs=1e6)

    def _rate(self, _: float) -> float:
        model = getattr(self, "model", None)
        done = model.num_timesteps / self.options.total_steps if model else 0.0
        return self.options.learning_rate * max(1.0 - done, LEAST_RATE)
