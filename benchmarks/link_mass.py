"""What the mass of a link does to the manipulators: constant torque, random torques, PPO.

The paper does not give the mass; its PPO earns -183 (5 links) and -326 (10 links).

    python benchmarks/link_mass.py [--train STEPS]

With --train, a PPO of so many steps is trained for every mass; without, the shipped oracles are
scored at their own masses alone.
"""

import argparse
from dataclasses import replace

import numpy as np

from glasstree.episodes import Purpose, evaluate
from glasstree.oracles import load_oracle
from glasstree.oracles.training import recipe, train
from glasstree.policy.arrays import Floats, Ints, Policy
from glasstree.tasks import Task, get_task
from glasstree.tasks.arms.manipulator import manipulator

ARMS = {
    "psm5": (5, 1000.0, (1.0, 5.0, 10.0, 15.0)),
    "psm10": (10, 2000.0, (1.0, 10.0, 20.0, 30.0)),
}


class Constant:
    """The same torque at every step."""

    def __init__(self, action: int) -> None:
        self.action = action

    def actions(self, states: Floats) -> Ints:
        """Return the one action."""
        return np.full(len(states), self.action, dtype=np.int64)


class Random:
    """Any torque, each as likely as the others."""

    def __init__(self, n_actions: int) -> None:
        self.n_actions, self.generator = n_actions, np.random.default_rng(0)

    def actions(self, states: Floats) -> Ints:
        """Return random actions."""
        return self.generator.integers(self.n_actions, size=(len(states),))


def trained(task: Task, name: str, steps: int) -> Policy:
    """Train a PPO on an arm with the recipe of a shipped one."""
    options = replace(recipe(get_task(name)), total_steps=steps)

    def score(policy: Policy) -> float:
        return evaluate(policy, task, episodes=200, purpose=Purpose.CHOOSE).mean_reward

    return train(task, score, options=options)[0]


def cell(policy: Policy, task: Task) -> str:
    """Score a policy: mean reward and success."""
    found = evaluate(policy, task)
    return f"{found.mean_reward:.0f}, {100 * (found.success_rate or 0.0):.1f} %"


def main() -> None:
    """Print one line an arm."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--train", type=int, metavar="STEPS")
    steps = parser.parse_args().train
    columns = ["arm", "mass", "-tau", "+tau", "random", f"PPO, {steps or 0:,} steps", "shipped"]
    print(f"| {' | '.join(columns)} |\n|{'---|' * len(columns)}")
    for name, (links, torque, masses) in ARMS.items():
        own = get_task(name).environment.options["mass"]
        for mass in masses:
            task = manipulator(links, torque, mass=mass)
            policies = [Constant(0), Constant(2), Random(task.n_actions)]
            cells = [cell(policy, task) for policy in policies]
            cells.append(cell(trained(task, name, steps), task) if steps else "-")
            cells.append(cell(load_oracle(name, task), task) if mass == own else "-")
            print(f"| {' | '.join([name, f'{mass:g}', *cells])} |", flush=True)


if __name__ == "__main__":
    main()
