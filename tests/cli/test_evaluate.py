"""`glasstree evaluate` scores what it is asked to, over the episodes of its seed."""

import json
from pathlib import Path

from commands import Command
from glasstree.policy import load
from glasstree.rollout import evaluate

POLICY = Path(__file__).parents[2] / "examples" / "policies" / "paper_mountaincar.json"


def test_seed_and_episodes_reach_the_score(glasstree: Command) -> None:
    for seed, episodes in ((0, 20), (3, 20), (3, 30)):
        answer = glasstree("evaluate", POLICY, "--seed", seed, "--episodes", episodes, "--json")
        expected = evaluate(load(POLICY), "mountaincar", seed=seed, episodes=episodes)
        assert json.loads(answer.out)["mean_reward"] == expected.mean_reward
        assert json.loads(answer.out)["episodes"] == episodes
