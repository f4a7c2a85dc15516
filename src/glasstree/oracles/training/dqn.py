"""Double deep Q-learning: the online network chooses, the target network values."""

import copy
from itertools import pairwise
from typing import Any

import numpy as np
import torch
from torch.nn.functional import smooth_l1_loss

from glasstree.oracles.apart import Apart
from glasstree.oracles.network import NetworkOracle
from glasstree.oracles.sb3 import network_of
from glasstree.oracles.training.options import DQNOptions
from glasstree.oracles.training.vector import vector_environment
from glasstree.tasks.base import Task


def double_estimate(online: Any, target: Any, states: Any) -> Any:
    """Return what the target network holds the online network's choices to be worth."""
    with torch.no_grad():
        chosen = online(states).argmax(dim=1, keepdim=True)
        return target(states).gather(1, chosen)[:, 0]


class Memory:
    """The latest transitions, in a ring."""

    def __init__(self, size: int, width: int) -> None:
        self.states = np.empty((size, width), dtype=np.float32)
        self.following = np.empty((size, width), dtype=np.float32)
        self.actions = np.empty(size, dtype=np.int64)
        self.rewards = np.empty(size, dtype=np.float32)
        self.ended = np.empty(size, dtype=np.float32)
        self.count = 0

    def add(self, states: Any, actions: Any, rewards: Any, following: Any, ended: Any) -> None:
        """Keep one transition a row."""
        places = (self.count + np.arange(len(states))) % len(self.states)
        self.states[places], self.following[places] = states, following
        self.actions[places], self.rewards[places], self.ended[places] = actions, rewards, ended
        self.count += len(states)

    def sample(self, generator: np.random.Generator, size: int) -> list[Any]:
        """Draw transitions: states, actions, rewards, following states, ended."""
        rows = generator.integers(min(self.count, len(self.states)), size=size)
        columns = (self.states, self.actions, self.rewards, self.following, self.ended)
        return [torch.from_numpy(column[rows]) for column in columns]


class DQNTraining:
    """A ReLU network that learns from a memory; states are centred and scaled before it."""

    def __init__(self, options: DQNOptions, task: Task, seed: int) -> None:
        self.options, self.task, self.seed, self.steps = options, task, seed, 0
        self.centre = np.array(options.centre or [0.0] * task.width)
        self.spread = np.array(options.spread or [1.0] * task.width)
        self.apart = Apart()
        with self.apart:
            torch.manual_seed(seed)
            self.online = _network((task.width, *options.hidden, task.n_actions))
        self.target = copy.deepcopy(self.online)
        self.optimizer = torch.optim.Adam(self.online.parameters(), lr=options.learning_rate)
        self.memory = Memory(options.memory, task.width)
        self.updates = 0
        self._begin()

    def advance(self, steps: int) -> None:
        """Learn for about so many steps more."""
        goal = self.steps + steps
        with self.apart:
            while self.steps < goal:
                self._play()
                due = (self.steps - self.options.warm_up) * self.options.updates_per_step
                while self.memory.count >= self.options.warm_up and self.updates < due:
                    self._learn()

    def oracle(self) -> NetworkOracle:
        """Return the online network as a plain one that takes raw states."""
        network = network_of(self.online, "relu", "values")
        first = network.weights[0] / self.spread
        shifted = network.biases[0] - first @ self.centre
        weights, biases = (first, *network.weights[1:]), (shifted, *network.biases[1:])
        return NetworkOracle(weights, biases, network.activation, network.meaning)

    def state(self) -> dict[str, Any]:
        """Return both networks, the optimiser and the counters; the memory is filled anew."""
        arrays = {"steps": np.array(self.steps), "updates": np.array(self.updates)}
        for part in ("online", "target"):
            for name, value in getattr(self, part).state_dict().items():
                arrays[f"{part}.{name}"] = value.numpy()
        for number, entry in self.optimizer.state_dict()["state"].items():
            for name, value in entry.items():
                arrays[f"optimizer.{number}.{name}"] = value.numpy()
        return arrays

    def restore(self, state: dict[str, Any]) -> None:
        """Go on from a state, with fresh episodes and an empty memory."""
        self.steps, self.updates = int(state["steps"]), int(state["updates"])
        optimizer = self.optimizer.state_dict()
        networks: dict[str, dict[str, Any]] = {"online": {}, "target": {}}
        for key, array in state.items():
            part, _, name = key.partition(".")
            if part in networks:
                networks[part][name] = torch.as_tensor(array)
            elif part == "optimizer":
                number, _, name = name.partition(".")
                optimizer["state"].setdefault(int(number), {})[name] = torch.as_tensor(array)
        self.online.load_state_dict(networks["online"])
        self.target.load_state_dict(networks["target"])
        self.optimizer.load_state_dict(optimizer)
        self._begin()

    def _begin(self) -> None:
        self.generator = np.random.default_rng([self.seed, self.steps])
        seed = int(self.generator.integers(1 << 31))
        self.environments = vector_environment(self.task, self.options.n_envs, seed)
        self.seen = self._scaled(self.environments.reset())

    def _play(self) -> None:
        options, count = self.options, self.options.n_envs
        with torch.no_grad():
            actions = self.online(torch.from_numpy(self.seen)).argmax(dim=1).numpy()
        random = self.generator.random(count) < self._exploration()
        actions = np.where(
            random, self.generator.integers(self.task.n_actions, size=count), actions
        )
        seen, rewards, done, infos = self.environments.step(actions)
        ended = np.array(
            [d and not i["TimeLimit.truncated"] for d, i in zip(done, infos, strict=True)]
        )
        following = np.array(
            [
                i["terminal_observation"] if d else s
                for s, d, i in zip(seen, done, infos, strict=True)
            ]
        )
        rewards = rewards * options.reward_scale
        self.memory.add(self.seen, actions, rewards, self._scaled(following), ended)
        self.seen = self._scaled(seen)
        self.steps += count

    def _learn(self) -> None:
        options = self.options
        batch = self.memory.sample(self.generator, options.batch_size)
        states, actions, rewards, following, ended = batch
        going_on = options.gamma * (1.0 - ended)
        goals = rewards + going_on * double_estimate(self.online, self.target, following)
        values = self.online(states).gather(1, actions[:, None])[:, 0]
        loss = smooth_l1_loss(values, goals)
        self.optimizer.zero_grad()
        loss.backward()
        self.optimizer.step()
        self.updates += 1
        if self.updates % options.target_period == 0:
            self.target.load_state_dict(self.online.state_dict())

    def _exploration(self) -> float:
        first, last = self.options.exploration
        done = self.steps / (self.options.exploration_fraction * self.options.total_steps)
        return first + (last - first) * min(done, 1.0)

    def _scaled(self, states: Any) -> Any:
        return ((states - self.centre) / self.spread).astype(np.float32)


def _network(sizes: tuple[int, ...]) -> Any:
    layers: list[Any] = []
    for inputs, outputs in pairwise(sizes):
        layers += [torch.nn.Linear(inputs, outputs), torch.nn.ReLU()]
    return torch.nn.Sequential(*layers[:-1])
