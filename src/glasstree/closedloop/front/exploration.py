"""The search over structure and weights together: an archive of the best of each complexity.

docs/algorithm.md, section 11.
"""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from glasstree.closedloop.front import plainer, richer
from glasstree.closedloop.front.archive import Archive, Entry
from glasstree.closedloop.front.neighbours import divided, in_turn, neighbours, screened
from glasstree.closedloop.front.thresholds import find_thresholds
from glasstree.closedloop.front.tuning import Games, Trial
from glasstree.closedloop.options import FrontOptions
from glasstree.data.collection import visited_states
from glasstree.data.dataset import Dataset
from glasstree.episodes.evaluation import check_fit
from glasstree.episodes.seeds import Purpose
from glasstree.policy.arrays import Floats
from glasstree.policy.document import dumps, loads
from glasstree.policy.tree import Leaf, PolicyTree, Split

VISITED = 1000  # states, about, that a tree comes to; changes and first steps are measured on them
TOGETHER = 8  # trials that see the same archive, whatever the number of workers
FROM_FRONT = 0.7  # of the parents are on the front, the others anywhere in the archive
FINISHING = 0.65  # of the steps are spent before the front alone has children
TUNED = 0.6  # of these children are the parents themselves, tuned for longer, the better half more
IDLE = 0.25  # of the steps without a change of the front end the search, if its best is perfect
LONGEST = 3  # variables of single rules whose neighbours are screened first, one after another
LINES = 2  # of them, the best of each complexity first
OFFERED = 0.1  # of the steps may rank trees that are offered
SCREENED = 6  # of so many rounds of trials, one is of the screened neighbours of one tree
LINE_STEP = 1.0  # first step of a line, which is far from tuned
STEPS = (2.5, 1.0, 0.4, 0.15)  # first steps, as shares of a rule's reach

Change = Callable[[], PolicyTree | None]


class Exploration:
    """Varies what the archive holds, tunes it, and keeps what is best for its complexity."""

    def __init__(self, games: Games, data: Dataset, options: FrontOptions, seed: int) -> None:
        self.games, self.data, self.options, self.seed = games, data, options, seed
        self.archive = Archive(options.keep)
        self.steps, self.number, self.improved = 0, 0, 0
        self.lines: dict[int, PolicyTree] = {}  # by the numbers of their trials, as the next
        self.near: dict[int, PolicyTree] = {}
        self._visited: dict[int, tuple[PolicyTree, Floats]] = {}

    def begin(self, trees: Sequence[PolicyTree], lines: Sequence[PolicyTree] = ()) -> None:
        """Rank the first trees, constant actions and thresholds; the first trials tune lines."""
        constant = [trees[0].with_root(Leaf(a)) for a in range(len(trees[0].action_names))]
        for tree in [*constant, *trees, *lines]:
            self._add(*self.games.entry(plainer.merged(tree.over_raw_values())))
        if self.options.lines:
            thresholds, steps = find_thresholds(trees[0], self.games, self.number)
            for entry in thresholds:
                self._add(entry, 0)
            self.steps += steps
            self.number += TOGETHER
        first = [line.over_raw_values() for line in lines[:TOGETHER]]
        self.lines = dict(enumerate(first, self.number))
        self.improved = self.steps

    def offer(self, trees: Sequence[PolicyTree]) -> None:
        """Rank trees that are not behind what is there, until a share of the steps is spent."""
        end = self.steps + OFFERED * self.options.steps
        for tree in trees:
            raw = plainer.merged(tree.over_raw_values())
            if raw.complexity <= self.options.most and self.steps < end:
                rival = self.archive.best_within(raw.complexity)
                self._add(*self.games.entry(raw, rival))
        self.improved = self.steps

    @property
    def done(self) -> bool:
        """Whether all steps are spent, or nothing can improve any more."""
        return self.steps >= self.options.steps or self.settled

    @property
    def settled(self) -> bool:
        """Whether the best is perfect, and as plain as can be or the front idle for long.

        Compiled steps cost next to nothing, and are all spent.
        """
        if self.games.task.simulator is not None:
            return False
        best = self.archive.front()[-1].tree
        idle = self.steps - self.improved >= IDLE * self.options.steps
        return (idle or not best.n_rules) and self.games.is_perfect(best)

    def advance(self) -> None:
        """Tune a few trials side by side, and let them into the archive in order."""
        before = [(entry.complexity, entry.mean) for entry in self.archive.front()]
        self.near = dict(enumerate(self._near(), self.number))
        trials = [self._trial(n) for n in range(self.number, self.number + TOGETHER)]
        for result in self.games.side_by_side(self.games.tune, trials):
            self._add(*result)
        self.number += TOGETHER
        if before != [(entry.complexity, entry.mean) for entry in self.archive.front()]:
            self.improved = self.steps
        held = {id(entry.tree) for entry in self.archive.entries()}
        self._visited = {key: found for key, found in self._visited.items() if key in held}

    def _add(self, entry: Entry | None, steps: int) -> bool:
        self.steps += steps
        return entry is not None and self.archive.add(entry)

    def _near(self) -> list[PolicyTree]:
        """Return the best neighbours of a few trees, in the rounds that are for them."""
        turn = self.number // TOGETHER - 1
        if not self.options.lines or not turn:
            return []
        if turn <= LONGEST:
            parents = self._plainest(turn)
        elif turn % SCREENED == 0:
            front = self.archive.front()
            parents = [front[turn // SCREENED % len(front)].tree]
        else:
            return []
        found = [
            one
            for tree in parents
            for near in (neighbours, divided)
            for one in near(tree, self.states_of(tree))
        ]
        fitting = [one for one in found if one.complexity <= self.options.most]
        near, steps = screened(fitting, self.games, self.number, TOGETHER)
        self.steps += steps
        return near

    def _plainest(self, variables: int) -> list[PolicyTree]:
        """Return the best trees of one rule over so many variables, the best of a size first."""
        lines = [
            entry
            for entry in self.archive.entries()
            if entry.tree.n_rules == 1 and entry.tree.n_exponents == variables
        ]
        return in_turn([one.tree for one in sorted(lines, key=lambda one: -one.mean)])[:LINES]

    def _trial(self, number: int) -> Trial:
        """Choose a parent and change it, or tune it longer; the number decides all chances."""
        if number in self.lines:
            return self._long_trial(self.lines[number], number, LINE_STEP)
        generator = np.random.default_rng([self.seed, int(Purpose.VARY), number, 0])
        if number in self.near:
            near = self.near[number]
            return self._short_trial(near, number, self.states_of(near), generator)
        finishing = self.steps >= FINISHING * self.options.steps
        on_front = finishing or generator.random() < FROM_FRONT
        pool = self.archive.front() if on_front else self.archive.entries()
        tuned = finishing and generator.random() < TUNED
        if tuned and number % 2:
            pool = pool[len(pool) // 2 :]
        place = number % len(pool) if tuned else int(generator.integers(len(pool)))
        parent = pool[place].tree
        if tuned and parent.n_rules:
            return self._long_trial(parent, number, STEPS[generator.integers(len(STEPS))])
        states = self.states_of(parent)
        tree = self._changed(parent, states, generator) or parent
        if tree.complexity > self.options.most:
            tree = parent
        return self._short_trial(tree, number, states, generator)

    def _short_trial(
        self, tree: PolicyTree, number: int, states: Floats, generator: np.random.Generator
    ) -> Trial:
        budget = self.options.generations, self.options.episodes
        rival = self.archive.best_within(tree.complexity)
        step = STEPS[generator.integers(len(STEPS))]
        return Trial(tree, number, *budget, step, states, rival)

    def _long_trial(self, tree: PolicyTree, number: int, step: float) -> Trial:
        budget = self.options.longest, self.options.longest_episodes
        rival = self.archive.best_within(tree.complexity)
        return Trial(tree, number, *budget, step, self.states_of(tree), rival)

    def _changed(
        self, tree: PolicyTree, states: Floats, generator: np.random.Generator
    ) -> PolicyTree | None:
        """Return the tree after the first change, in a random order, that can be made."""
        labelled = (self.data.states, self.data.actions)
        entries = self.archive.entries()
        other = entries[generator.integers(len(entries))].tree
        changes: list[Change] = [
            lambda: richer.with_split(tree, *labelled, generator),
            lambda: richer.with_split(tree, *labelled, generator),
            lambda: richer.relabelled(tree, generator),
        ]
        if tree.n_rules:
            place, side = int(generator.integers(tree.n_rules)), bool(generator.integers(2))
            changes += [
                lambda: plainer.without_split(tree, place, side),
                lambda: plainer.lined(tree, place, _arriving(tree, place, states)),
                lambda: _one(list(plainer.shorter(tree, states)), generator),
                lambda: _one(list(plainer.shorter(tree, states)), generator),
                lambda: plainer.even(tree, place),
                lambda: tree,
                lambda: richer.with_term(tree, place, states, generator),
                lambda: richer.with_twin(tree, place, states, generator),
                lambda: richer.with_factor(tree, place, states, generator),
                lambda: richer.exchanged(tree, place, states, generator),
                lambda: richer.grafted(tree, other, generator),
            ]
        for chosen in generator.permutation(len(changes)).tolist():
            changed = changes[chosen]()
            if changed is not None and changed.n_rules:
                return changed
        return None

    def state(self) -> dict[str, Any]:
        """Return all that is needed to go on, as plain values."""
        cells = [[dumps(entry.tree) for entry in cell] for cell in self.archive.cells.values()]
        kept = {"number": self.number, "steps": self.steps, "cells": cells}
        return (
            kept if self.games.task.simulator is not None else {**kept, "improved": self.improved}
        )

    def restore(self, state: dict[str, Any]) -> None:
        """Go on from a saved state; its trees are ranked again, with the same scores."""
        self.number, self.steps = state["number"], state["steps"]
        self.improved = state.get("improved", 0)
        for cell in state["cells"]:
            trees = [loads(text) for text in cell]
            for tree in trees:
                check_fit(tree, self.games.task)
            entries = [self.games.ranked(tree) for tree in trees]
            self.archive.cells[entries[0].complexity] = entries

    def states_of(self, tree: PolicyTree) -> Floats:
        """Return states that a tree comes to; they are played once."""
        if id(tree) not in self._visited:
            found = visited_states(tree, self.games.task, self.seed, VISITED)
            some = found[:: max(1, len(found) // VISITED)]
            self._visited[id(tree)] = tree, some  # the tree is kept, lest another one gets its id
        return self._visited[id(tree)][1]


def _arriving(tree: PolicyTree, number: int, states: Floats) -> Floats:
    """Return the states that come to the number-th split."""
    places = [place for place, node in enumerate(plainer.nodes(tree)) if isinstance(node, Split)]
    return states[tree.apply(states)[places[number]]]


def _one(trees: list[PolicyTree], generator: np.random.Generator) -> PolicyTree | None:
    return trees[generator.integers(len(trees))] if trees else None
