"""Whether "proved" means proved: random claims, broken policies and dynamics, simulated episodes.

python benchmarks/soundness.py [--claims 300] [--episodes 1000000]
"""

import argparse
import sys
from dataclasses import replace
from pathlib import Path
from time import monotonic

import numpy as np

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

from glasstree.errors import ClaimError
from glasstree.prove import decide_claim, prove_loop
from glasstree.prove.claims.conditions import holds_at
from glasstree.prove.claims.language import Reader
from glasstree.prove.loops import cartpole
from glasstree.prove.loops.cells import reach
from glasstree.prove.loops.playing import simulate
from glasstree.tasks import get_task
from proof_policies import balancing, following, line, random_claim, random_tree, rocking

SAMPLES = 1_000_000
CHUNK = 100_000


def random_claims(count: int) -> None:
    """Compare answers on random trees of up to 8 variables and 7 rules with sampled states."""
    verdicts = {"proved": 0, "refuted": 0, "unknown": 0, "says nothing": 0}
    wrong, begin = 0, monotonic()
    for seed in range(count):
        generator = np.random.default_rng(seed)
        tree = random_tree(generator, int(generator.integers(1, 9)), int(generator.integers(1, 8)))
        claim = random_claim(generator, tree)
        try:
            answer = decide_claim(tree, claim)
        except ClaimError:
            verdicts["says nothing"] += 1
            continue
        verdicts[answer.verdict] += 1
        said = Reader(claim, tree.state_names, tree.action_names, tree.units).claim()
        if answer.verdict == "refuted" and answer.state is not None:
            state = np.array(list(answer.state.values()))
            kept = int(tree.actions(state[np.newaxis])[0]) in said.allowed
            wrong += kept or not holds_at(said.condition, state)
        if answer.verdict == "proved":
            wrong += broken(tree, said, generator)
    print(f"{count} random claims: {verdicts}, {wrong} contradicted, {monotonic() - begin:.0f} s")


def broken(tree, said, generator) -> bool:  # type: ignore[no-untyped-def]
    """Whether one of many sampled states breaks a claim."""
    for _ in range(SAMPLES // CHUNK):
        states = generator.uniform(
            tree.scaling.minimum, tree.scaling.maximum, (CHUNK, tree.n_variables)
        )
        bad = ~np.isin(tree.actions(states), list(said.allowed))
        if any(holds_at(said.condition, state) for state in states[bad]):
            return True
    return False


def broken_policies() -> None:
    """Tell what is said of policies and dynamics that fail in simulation."""
    policies = [
        *(balancing(lever) for lever in (-0.04, -0.1, -0.3, 0.0)),
        *(
            line("cartpole", [0, 0, sign, lever], 0.0, 0, 1)
            for sign, lever in ((-1, 0.1), (-1, -0.1))
        ),
        line("cartpole", [0, 0, 1, 0.1], 0.25, 0, 1),
        *(rocking(bias=bias) for bias in (0.06, -0.06, 0.03, -0.03)),
        line("mountaincar", [0.0082, 1.0], 0.0039, 2, 0),
        *(following(weight, bias) for weight, bias in ((0.0, 30.0), (-8.0, 36.0), (0.1, 30.0))),
    ]
    said = [prove_loop(tree, seconds=5.0)[0].verdict for tree in policies]
    task, grid = get_task("cartpole"), cartpole.grid_of((0.2, 3.0), (400, 600))
    wrong = [
        *([9.8, -10.0, 0.02], [9.8, 10.0, 0.2], [400.0, 10.0, 0.02], [9.8, 0.1, 0.02]),
        [196.0, 5.0, 0.04],
    ]
    for parameters in wrong:
        assert task.enclosure is not None
        twin = replace(task.enclosure, parameters=np.array(parameters))
        said.append("proved" if reach(twin, balancing(), grid).closed else "not proved")
    print(
        f"{len(said)} broken policies and dynamics: {said.count('proved')} called proved ({said})"
    )


def episodes(count: int) -> None:
    """Play proved policies: none may fail, or take longer than is proved."""
    generator = np.random.default_rng(0)
    task = get_task("mountaincar")
    answer = prove_loop(rocking())[0]
    edges, steps = np.array(answer.evidence["edges"]), np.array(answer.evidence["steps"])
    late = 0
    for _ in range(max(1, count // CHUNK)):
        starts = np.zeros((CHUNK, 2))
        starts[:, 0] = generator.uniform(-0.6, -0.4, CHUNK)
        taken, ended = simulate(task, rocking(), starts, 200)
        part = np.searchsorted(edges, starts[:, 0], side="right") - 1
        late += int((~ended | (taken > steps[part])).sum())
    print(f"mountaincar: {count:,} episodes, {late} later than proved ({answer.claim})")
    task, fallen = get_task("cartpole"), 0
    answer = prove_loop(balancing())[1]
    for _ in range(max(1, count // CHUNK)):
        starts = generator.uniform(-0.05, 0.05, (CHUNK, 4))
        fallen += int(simulate(task, balancing(), starts, 200)[1].sum())
    print(f"cartpole: {count:,} episodes of 200 steps, {fallen} failed ({answer})")
    task, tree, failed = get_task("carfollowing"), following(), 0
    answer = prove_loop(tree)[-1]
    small = 2000
    for _ in range(max(1, count // small)):
        starts = np.tile([30.0, 0.0, 0.0, 0.0, 1.0], (small, 1))
        starts[:, 0] = generator.uniform(29.7, 30.3, small)
        held = generator.integers(1, 60)
        pushes = generator.choice([-0.75, 0.0, 0.75], (small, 800 // held + 1, 1))
        noise = np.repeat(pushes, held, axis=1)[:, :800].copy()
        failed += int(simulate(task, tree, starts, 800, noise)[1].sum())
    print(f"carfollowing: {count:,} episodes, {failed} failed ({answer.claim})")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--claims", type=int, default=300)
    parser.add_argument("--episodes", type=int, default=1_000_000)
    options = parser.parse_args()
    broken_policies()
    episodes(options.episodes)
    random_claims(options.claims)
