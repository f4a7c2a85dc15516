"""Terms and factors without which a tree controls as well are dropped."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial

import numpy as np

from glasstree import progress
from glasstree.closedloop.objective import as_good, worth
from glasstree.closedloop.options import ReoptimisationOptions, ShorteningOptions
from glasstree.closedloop.parameters import normalised_parameters
from glasstree.closedloop.weights import WeightSearch
from glasstree.data.collection import visited_states
from glasstree.episodes.seeds import Purpose, episode_seeds
from glasstree.policy.arrays import Floats
from glasstree.policy.rule import Rule
from glasstree.policy.tree import PolicyTree
from glasstree.runs import RunStore
from glasstree.runs.store import SHORTER
from glasstree.tasks.base import Task

STAGE = "shorten"
SAMPLE = 4000


def shorten(
    tree: PolicyTree,
    task: Task,
    options: ShorteningOptions,
    search: ReoptimisationOptions,
    seed: int,
    store: RunStore | None = None,
) -> PolicyTree:
    """Return the tree without what the objective does not need, or the tree itself."""
    if not tree.n_rules:
        return tree
    progress.emit(progress.Stage(STAGE, total=options.trials + options.retunings))
    training = episode_seeds(Purpose.SHORTEN, seed, options.episodes)
    whole = worth(tree, task, training, search)
    states = _sample(visited_states(tree, task, seed, SAMPLE))

    def is_enough(shorter: PolicyTree) -> bool:
        return as_good(worth(shorter, task, training, search), whole, options.tolerance)

    current = _drop_one_by_one(tree, states, is_enough, options.trials)
    short = replace(search, generations=options.generations)
    share, store = options.share, store or RunStore()
    for number in range(options.retunings):
        drops = max(1, round(share * current.n_exponents))
        shorter = _drop_several(current, states, drops)
        if shorter is current:
            break
        retuned = store.policy(
            f"{SHORTER}/{number:02d}.json", partial(retune, shorter, task, short, seed)
        )
        if is_enough(retuned):
            current = retuned
        elif drops == 1:
            break
        else:
            share /= 2
        _tell(current, options.trials + number + 1)
    choosing = episode_seeds(Purpose.CHOOSE, seed, options.choosing_episodes)
    old, now = (worth(found, task, choosing, search) for found in (tree, current))
    return current if as_good(now, old, options.tolerance) else tree


def retune(tree: PolicyTree, task: Task, options: ReoptimisationOptions, seed: int) -> PolicyTree:
    """Search the weights of one tree for a few generations."""
    search = WeightSearch(tree, task, options, seed)
    while search.generation < options.generations and not search.saturated:
        search.advance()
    return search.tree.with_parameters(normalised_parameters(tree, search.elites[0][1]))


def _drop_one_by_one(
    tree: PolicyTree, states: Floats, is_enough: Callable[[PolicyTree], bool], trials: int
) -> PolicyTree:
    current, refused = tree, set[Rule]()
    for trial in range(trials):
        drops = [found for found in _drops(current, states) if found[1] not in refused]
        if not drops:
            break
        _, new, shorter = min(drops, key=lambda found: found[0])
        if is_enough(shorter):
            current = shorter
        else:
            refused.add(new)
        _tell(current, trial + 1)
    return current


def _drop_several(tree: PolicyTree, states: Floats, count: int) -> PolicyTree:
    """Return the tree with so many exponents less, those that decide least, one by one."""
    enough = tree.n_exponents - count
    while tree.n_exponents > enough:
        drops = list(_drops(tree, states))
        if not drops:
            break
        tree = min(drops, key=lambda found: found[0])[2]
    return tree


def _tell(tree: PolicyTree, done: int) -> None:
    progress.emit(progress.Advance(STAGE, done, {"exponents": float(tree.n_exponents)}))


def _sample(states: Floats) -> Floats:
    return states[:: max(1, len(states) // SAMPLE)]


def _drops(tree: PolicyTree, states: Floats) -> Iterator[tuple[float, Rule, PolicyTree]]:
    """Yield each tree with one factor or term less, with the share of decisions that changes."""
    normalised = tree.scaling.normalise(states)
    actions = tree.actions(states)
    for number, split in enumerate(tree.splits()):
        for rule in shorter_rules(split.rule, normalised):
            shorter = tree.with_rule(number, rule)
            yield float((shorter.actions(states) != actions).mean()), rule, shorter


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
