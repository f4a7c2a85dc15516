"""Whether "proved" means proved: claims, broken policies, boxes and episodes against simulation.

python benchmarks/soundness.py [broken] [boxes] [episodes] [certificates] [claims] [FILE ...]

Without words, all of it. Episodes and certificates are those of lines such as default runs give, or
of policy files. --count says how many boxes, episodes, and states for each claim.
"""

import argparse
import json
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from time import monotonic, process_time

import numpy as np
from numba import njit

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

from glasstree.errors import CertificateError, ClaimError
from glasstree.policy import PolicyTree, load
from glasstree.policy.arrays import Bools, Floats
from glasstree.policy.flat import decide
from glasstree.prove import Answer, check_certificate, decide_claim, prove_loop, write_certificate
from glasstree.prove.claims.conditions import holds_at
from glasstree.prove.claims.language import Reader
from glasstree.prove.claims.search import first_that_holds
from glasstree.prove.claims.syntax import Claim
from glasstree.prove.loops import cartpole
from glasstree.prove.loops.carfollowing import MOST_ROUNDS, scripts
from glasstree.prove.loops.cells import reach
from glasstree.prove.loops.gaps import BLUR, CELL, HALF, Gaps, gaps_of
from glasstree.prove.loops.mountaincar import prove_goal
from glasstree.prove.loops.playing import simulate
from glasstree.tasks import Task, get_task
from proof_boxes import TASKS, outside
from proof_policies import balancing, following, line, random_claim, random_tree, rocking

CLAIMS = 300
CHUNK = 100_000
STARTS = 2000  # that show whether a policy fails


def random_claims(samples: int) -> None:
    """Compare answers on random trees of up to 8 variables and 7 rules with sampled states."""
    verdicts = {"proved": 0, "refuted": 0, "unknown": 0}
    wrong = seed = 0
    while sum(verdicts.values()) < CLAIMS:
        generator = np.random.default_rng(seed)
        seed += 1
        tree = random_tree(generator, int(generator.integers(1, 9)), int(generator.integers(1, 8)))
        text = random_claim(generator, tree)
        try:
            answer = decide_claim(tree, text)
        except ClaimError:  # it says nothing, as no state or every state meets its condition
            continue
        verdicts[answer.verdict] += 1
        claim = Reader(text, tree.state_names, tree.action_names, tree.units).claim()
        if answer.state is not None:
            state = np.array(list(answer.state.values()))
            kept = int(tree.actions(state[np.newaxis])[0]) in claim.allowed
            wrong += kept or not holds_at(claim.condition, state)
        if answer.verdict == "proved":
            wrong += broken(tree, claim, samples, generator)
    told = ", ".join(f"{number} {verdict}" for verdict, number in verdicts.items())
    print(f"{CLAIMS} random claims: {told} after 10 s; {wrong} contradicted by {samples:,} states")


def broken(tree: PolicyTree, claim: Claim, samples: int, generator: np.random.Generator) -> bool:
    """Whether one of many sampled states breaks a claim."""
    low, high = tree.scaling.minimum, tree.scaling.maximum
    for _ in range(0, samples, CHUNK):
        states = generator.uniform(low, high, (CHUNK, tree.n_variables))
        bad: Bools = ~np.isin(tree.actions(states), list(claim.allowed))
        if first_that_holds(claim.condition, states, bad) >= 0:
            return True
    return False


def broken_policies() -> None:
    """Tell what is said of policies and dynamics that fail in simulation."""
    policies = [
        *(balancing(lever) for lever in (-0.04, -0.1, -0.3, 0.0)),
        line("cartpole", [0, 0, -1, 0.1], 0.0, 0, 1),
        line("cartpole", [0, 0, -1, -0.1], 0.0, 0, 1),
        line("cartpole", [0, 0, 1, 0.1], 0.25, 0, 1),
        *(rocking(bias=bias) for bias in (0.06, -0.06, 0.03)),
        line("mountaincar", [0.0082, 1.0], 0.0039, 2, 0),
        *(following(*two) for two in ((0.0, 30.0), (-8.0, 36.0), (0.1, 30.0))),
    ]
    found = [(fails(tree), prove_loop(tree, seconds=5.0)[0].verdict) for tree in policies]
    task, grid = get_task("cartpole"), cartpole.grid_of((0.2, 3.0), (400, 600))
    for numbers in ([9.8, -10.0, 0.02], [9.8, 10.0, 0.2], [400.0, 10.0, 0.02], [9.8, 0.1, 0.02]):
        other = with_dynamics(task, numbers)
        closed = reach(other.enclosure, balancing(), grid).closed
        failing = escapes(other, balancing(), 200, lambda state: abs(state[2]) > 0.2095)
        found.append((failing, "proved" if closed else "unknown"))
    for numbers in ([0.001, -0.0025], [0.0001, 0.0025]):
        other = with_dynamics(get_task("mountaincar"), numbers)
        (answer,) = prove_goal(rocking(), other, 5.0, True)
        found.append((not escapes(other, rocking(), 200, lambda x: x[0] >= 0.5), answer.verdict))
    wrong = sum(failing and verdict == "proved" for failing, verdict in found)
    failing = sum(fails for fails, _ in found)
    print(f"{len(found)} broken: {failing} fail in simulation, {wrong} of these are called proved")


def fails(tree: PolicyTree) -> bool:
    """Whether a policy fails in one of many simulated episodes."""
    task = get_task(tree.task)
    twin, generator = task.enclosure, np.random.default_rng(0)
    if task.name == "carfollowing":
        noise = scripts(task.step_limit)[:, :, np.newaxis].copy()
        starts = np.tile([30.0, 0.0, 0.0, 0.0, 1.0], (len(noise), 1))
        return bool(simulate(task, tree, starts, task.step_limit, noise)[1].any())
    starts = generator.uniform(twin.low, twin.high, (STARTS, len(twin.low)))
    ended = simulate(task, tree, starts, task.step_limit)[1]
    return bool(ended.any() if task.name == "cartpole" else not ended.all())


def with_dynamics(task: Task, numbers: list[float]) -> Task:
    """Return a task whose interval twin has other numbers."""
    return replace(task, enclosure=replace(task.enclosure, parameters=np.array(numbers)))


def escapes(task: Task, tree: PolicyTree, steps: int, there) -> bool:  # type: ignore[no-untyped-def]
    """Whether a corner of the starts, followed as a point with the twin's numbers, comes there."""
    twin = task.enclosure
    state, after, seen = (
        twin.high.copy(),
        np.empty((2, 2, len(twin.low))),
        np.empty((2, len(twin.low))),
    )
    for _ in range(steps):
        twin.observe(state, state, seen[0], seen[1])
        action = int(tree.actions(seen[:1])[0])
        twin.step(state, state, action, twin.parameters, after[0], after[1])
        state = after[:, 0].mean(axis=0)
        if there(state):
            return True
    return False


def boxes(count: int) -> None:
    """Compare interval twins with simulators on random boxes."""
    for name in TASKS:
        begin, generator, missed = monotonic(), np.random.default_rng(1), 0
        for _ in range(0, count, CHUNK):
            missed += outside(name, CHUNK, generator)
        print(f"{name}: {count:,} boxes, {missed} successors outside, {monotonic() - begin:.0f} s")


@njit
def advance(step, observe, program, numbers, states, noise):  # type: ignore[no-untyped-def]
    """Play one step of many episodes."""
    seen, nothing = np.empty(program[0]), np.zeros(0)
    for row in range(len(states)):
        observe(states[row], nothing, seen)
        step(states[row], decide(program, numbers, seen), noise[row], nothing)


def played(
    task: Task, tree: PolicyTree, states: Floats, steps: int, noise: Floats
) -> Iterator[Floats]:
    """Yield the states of many episodes after each step, the first ones too."""
    simulator = task.simulator
    yield states
    for time in range(steps):
        pushes = np.ascontiguousarray(noise[:, time])
        advance(simulator.step, simulator.observe, *tree.flat, states, pushes)
        yield states


def tube(tree: PolicyTree, answer: Answer, count: int, generator: np.random.Generator) -> int:
    """Play MountainCar, which must not take longer than is proved for its part of the starts."""
    edges, steps = np.array(answer.evidence["edges"]), np.array(answer.evidence["steps"])
    late = 0
    for _ in range(0, count, CHUNK):
        starts = np.zeros((CHUNK, 2))
        starts[:, 0] = generator.uniform(-0.6, -0.4, CHUNK)
        taken, ended = simulate(get_task("mountaincar"), tree, starts, 200)
        part = np.searchsorted(edges, starts[:, 0], side="right") - 1
        late += int((~ended | (taken > steps[part])).sum())
    return late


def cells(tree: PolicyTree, answer: Answer, count: int, generator: np.random.Generator) -> int:
    """Play 200 steps of CartPole, which must stay in the cells."""
    runs, counts = answer.evidence["runs"], answer.evidence["counts"]
    low, size = np.array(answer.evidence["low"]), np.array(answer.evidence["size"])
    inside = np.repeat(np.arange(len(runs)) % 2 == 1, runs).reshape(counts)
    left = 0
    for _ in range(0, count, CHUNK):
        out = np.zeros(CHUNK, dtype=np.bool_)
        starts = generator.uniform(-0.05, 0.05, (CHUNK, 4))
        for states in played(get_task("cartpole"), tree, starts, 200, np.zeros((CHUNK, 200, 0))):
            places = np.floor((states[:, 2:] - low) / size).astype(int)
            known = ((places >= 0) & (places < counts)).all(axis=1)
            places[~known] = 0
            out |= ~known | ~inside[tuple(places.T)]
        left += int(out.sum())
    return left


def cars(tree: PolicyTree, answer: Answer, count: int, generator: np.random.Generator) -> int:
    """Play CarFollowing with hostile cars ahead; gaps must be those that are proved."""
    push = answer.evidence.get("acceleration", 1.0)
    steps = 800 if answer.evidence else gaps_of(tree, 1.0, 800).rounds
    gaps = gaps_of(tree, push, MOST_ROUNDS if answer.evidence else steps)
    return sum(leaving(tree, gaps, push, steps, generator) for _ in range(0, count, CHUNK))


def leaving(
    tree: PolicyTree, gaps: Gaps, push: float, steps: int, generator: np.random.Generator
) -> int:
    """Return in how many episodes a gap is not among those that are held."""
    starts = np.zeros((CHUNK, 5))
    starts[:, 0], starts[:, 4] = generator.uniform(29.7, 30.3, CHUNK), generator.choice([-1.0, 1.0])
    held = int(generator.integers(1, 60))
    pushes = generator.choice([-push, push, push / 2], (CHUNK, steps // held + 1, 1))
    noise = np.repeat(pushes, held, axis=1)[:, :steps]
    out = np.zeros(CHUNK, dtype=np.bool_)
    for states in played(get_task("carfollowing"), tree, starts, steps, noise):
        gap, relative = states[:, 0] - states[:, 1], states[:, 2] - states[:, 3]
        kept = np.zeros(CHUNK, dtype=np.bool_)
        for side in (0.0, -1e-9):  # a velocity between two cells belongs to either
            cell = np.clip(np.floor(relative / CELL + side).astype(int) + HALF, 0, 2 * HALF - 1)
            place = (cell, (states[:, 3] * 4).astype(int), (states[:, 4] > 0).astype(int))
            kept |= (gaps.low[place] - BLUR <= gap) & (gap <= gaps.high[place] + BLUR)
        out |= ~kept
    return int(out.sum())


PLAYERS = {"tube": tube, "cells": cells, "gaps": cars, "carfollowing": cars}


def episodes(trees: list[PolicyTree], count: int) -> None:
    """Play proved policies: none may leave what is proved."""
    for tree in trees:
        for answer in prove_loop(tree):
            player = PLAYERS.get(answer.evidence.get("kind", tree.task))
            if player is not None and answer.verdict == "proved":
                left = player(tree, answer, count, np.random.default_rng(0))
                print(f"{tree.task}: {left} of {count:,} episodes leave what is {answer}")


def certificates(trees: list[PolicyTree]) -> None:
    """Compare the processor time of finding a proof with that of checking its certificate."""
    for tree in trees:
        prove_loop(tree)  # kernels are loaded
        with tempfile.TemporaryDirectory() as folder:
            begin = process_time()
            answers = prove_loop(tree)
            found = process_time()
            path = Path(folder) / "proof.json"
            write_certificate(path, tree, answers)
            held = check_certificate(path, tree)
            print(
                f"{tree.task}: found in {found - begin:.2f} s, {len(held)} claims checked in "
                f"{process_time() - found:.2f} s, a changed number is {refusal(path, tree)}"
            )


def refusal(path: Path, tree: PolicyTree) -> str:
    """Change one number of a certificate and tell what becomes of it."""
    content = json.loads(path.read_text())
    evidence = content["proofs"][0]["evidence"]
    evidence["steps" if "steps" in evidence else "low"][0] += 1
    path.write_text(json.dumps(content))
    try:
        check_certificate(path, tree)
    except CertificateError:
        return "refused"
    return "NOT refused"


def main() -> None:
    """Run what is asked for."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("words", nargs="*")
    parser.add_argument("--count", type=int, default=1_000_000)
    options = parser.parse_args()
    parts = {
        "broken": broken_policies,
        "boxes": lambda: boxes(options.count),
        "episodes": lambda: episodes(trees, options.count),
        "certificates": lambda: certificates(trees),
        "claims": lambda: random_claims(options.count),
    }
    files = [word for word in options.words if word not in parts]
    trees = [load(file) for file in files] or [rocking(), balancing(), following()]
    for word in [word for word in options.words if word in parts] or parts:
        parts[word]()


if __name__ == "__main__":
    main()
