"""Terms and factors without which a tree controls as well are dropped."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from glasstree import progress
from glasstree.policy.arrays import Floats, Ints
from glasstree.policy.rule import Rule
from glasstree.policy.tree import Node, PolicyTree, Split, fold
from glasstree.rollout.collection import visited_states
from glasstree.rollout.scoring import play_candidates
from glasstree.rollout.seeds import Purpose, episode_seeds
from glasstree.tasks.base import Task

STAGE = "shorten"
SHORTENING = 1 << 23
SAMPLE = 4000


@dataclass(frozen=True)
class ShorteningOptions:
    """How much is tried: drops in all, episodes each; tolerance is in standard errors."""

    trials: int = 40
    episodes: int = 500
    choosing_episodes: int = 2000
    tolerance: float = 0.5
    workers: int = 1


def shorten(tree: PolicyTree, task: Task, options: ShorteningOptions, seed: int) -> PolicyTree:
    """Return the tree without what its reward does not need, or the tree itself."""
    if not tree.n_rules:
        return tree
    progress.emit(progress.Stage(STAGE, total=options.trials))
    training = episode_seeds(Purpose.TRAIN, seed, options.episodes, SHORTENING)
    current, refused = tree, set[Rule]()
    rewards = _rewards(tree, task, training, options)
    states = _sample(visited_states(tree, task, seed, SAMPLE))
    for trial in range(options.trials):
        drops = [found for found in _drops(current, states) if found[1] not in refused]
        if not drops:
            break
        _, new, shorter = min(drops, key=lambda found: found[0])
        found = _rewards(shorter, task, training, options)
        if _as_good(found, rewards, options.tolerance):
            current = shorter
        else:
            refused.add(new)
        figures = {"exponents": float(sum(split.rule.length for split in current.splits()))}
        progress.emit(progress.Advance(STAGE, trial + 1, figures))
    choosing = episode_seeds(Purpose.CHOOSE, seed, options.choosing_episodes)
    old, now = (_rewards(found, task, choosing, options) for found in (tree, current))
    return current if _as_good(now, old, options.tolerance) else tree


def _as_good(new: Floats, old: Floats, tolerance: float) -> bool:
    """Compare rewards of the same episodes: a loss may not exceed some standard errors."""
    difference = new - old
    error = float(difference.std()) / np.sqrt(len(difference))
    return bool(difference.mean() >= -tolerance * error)


def _rewards(tree: PolicyTree, task: Task, seeds: Ints, options: ShorteningOptions) -> Floats:
    candidate = tree.parameters()[np.newaxis]
    return play_candidates(tree, candidate, task, seeds, options.workers).rewards[0]


def _sample(states: Floats) -> Floats:
    return states[:: max(1, len(states) // SAMPLE)]


def _drops(tree: PolicyTree, states: Floats) -> Iterator[tuple[float, Rule, PolicyTree]]:
    """Yield each tree with one factor or term less, with the share of decisions that changes."""
    normalised = tree.scaling.normalise(states)
    actions = tree.actions(states)
    for split in tree.splits():
        for rule in shorter_rules(split.rule, normalised):
            shorter = _with_rule(tree, split, rule)
            yield float((shorter.actions(states) != actions).mean()), rule, shorter


def _with_rule(tree: PolicyTree, place: Split, rule: Rule) -> PolicyTree:
    def put(node: Split, left: Node, right: Node) -> Node:
        return Split(rule if node is place else node.rule, left, right, node.counts)

    return tree.with_root(fold(tree.root, lambda leaf: leaf, put))


def shorter_rules(rule: Rule, normalised: Floats) -> Iterator[Rule]:
    """Yield the rule with one factor, or one term, replaced by its mean over the states."""
    terms = rule.terms(normalised)
    for term, row in enumerate(rule.exponents):
        if rule.n_terms > 1:
            keep = np.arange(rule.n_terms) != term
            bias = rule.bias + rule.weights[term] * terms[:, term].mean()
            yield Rule(rule.exponents[keep], rule.weights[keep], bias, rule.width)
        used = np.flatnonzero(row)
        for variable in used if len(used) > 1 else ():
            exponents = rule.exponents.copy()
            exponents[term, variable] = 0
            if len({tuple(other) for other in exponents}) < len(exponents):
                continue
            single = Rule(exponents[term : term + 1], [1.0], 0.0).terms(normalised)[:, 0]
            weights = rule.weights.copy()
            weights[term] *= float(terms[:, term] @ single / (single @ single))
            yield Rule(exponents, weights, rule.bias, rule.width)
