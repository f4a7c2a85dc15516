"""How structures change: crossover, mutation, and all one-step edits.

docs/algorithm.md, section 5.
"""

from collections.abc import Iterator, Sequence
from typing import Protocol

import numpy as np

from glasstree.openloop.lower.structure import Structure
from glasstree.policy.arrays import Floats, Ints

CROSSOVER = 0.5  # share of children that mix the terms of two parents
UNIFORM_SHARE = 0.3  # share of drawn variables that does not depend on what they tell


class HasStructure(Protocol):
    """A member of a population."""

    @property
    def structure(self) -> Structure:
        """Its structure."""
        ...


class Variation:
    """Makes children of a population sorted from best to worst.

    gains: (variables,), how much each variable tells by itself; promising ones are drawn more.
    """

    def __init__(
        self, terms: int, largest_exponent: int, gains: Floats, generator: np.random.Generator
    ) -> None:
        self.terms, self.largest = terms, largest_exponent
        self.generator = generator
        n = len(gains)
        share = gains / gains.sum() if gains.sum() > 0 else np.full(n, 1 / n)
        self.chances = (1 - UNIFORM_SHARE) * share + UNIFORM_SHARE / n

    def promising(self, count: int) -> Ints:
        """Return the variables that tell most by themselves."""
        return np.sort(np.argsort(-self.chances, kind="stable")[:count])

    def child(self, population: Sequence[HasStructure]) -> Structure:
        """Return a changed copy of one parent, or a mixture of two."""
        first = self._parent(population)
        rows = [row.copy() for row in first.exponents]
        modulus = first.modulus
        if self.generator.random() < CROSSOVER:
            second = self._parent(population)
            rows += [row.copy() for row in second.exponents]
            keep = self.generator.permutation(len(rows))[
                : self.generator.integers(1, self.terms + 1)
            ]
            rows = [rows[k] for k in np.sort(keep)]
            modulus = modulus if self.generator.random() < 0.5 else second.modulus
        for _ in range(1 + self.generator.binomial(2, 0.3)):
            rows, modulus = self._mutate(rows, modulus)
        return Structure.of(np.array(rows), modulus)

    def _parent(self, population: Sequence[HasStructure]) -> Structure:
        return population[int(self.generator.integers(len(population), size=2).min())].structure

    def _mutate(self, rows: list[Ints], modulus: bool) -> tuple[list[Ints], bool]:
        kind = self.generator.random()
        if kind < 0.1:
            return rows, not modulus
        if kind < 0.25 and len(rows) < self.terms:
            row = np.zeros_like(rows[0])
            row[self._variable()] = self._exponent()
            return [*rows, row], modulus
        row = rows[self.generator.integers(len(rows))]
        used = np.flatnonzero(row)
        if kind < 0.4 or not len(used):
            row[self._variable()] = self._exponent()
        elif kind < 0.55:
            row[self.generator.choice(used)] = 0
        elif kind < 0.7:
            old = self.generator.choice(used)
            row[self._variable()] = row[old]
            row[old] = 0
        else:
            chosen = self.generator.choice(used)
            step = self.generator.choice([-2, -1, 1, 2])
            row[chosen] = np.clip(row[chosen] + step, -self.largest, self.largest)
        return rows, modulus

    def _variable(self) -> int:
        return int(self.generator.choice(len(self.chances), p=self.chances))

    def _exponent(self) -> int:
        size = self.generator.integers(1, self.largest + 1)
        return int(size if self.generator.random() < 0.5 else -size)


def neighbours(
    structure: Structure, terms: int, largest: int, variables: Ints
) -> Iterator[Structure]:
    """Yield every structure that is one edit away."""
    exponents = structure.exponents
    yield Structure.of(exponents, not structure.modulus)
    for term, row in enumerate(exponents):
        yield Structure.of(np.delete(exponents, term, axis=0), structure.modulus)
        for variable in np.union1d(variables, np.flatnonzero(row)):
            for value in {0, row[variable] - 1, row[variable] + 1, -row[variable]}:
                if abs(value) <= largest and value != row[variable]:
                    changed = exponents.copy()
                    changed[term, variable] = value
                    yield Structure.of(changed, structure.modulus)
    yield from powers(structure, largest)
    yield from quotients(structure, largest)
    if len(exponents) < terms:
        for variable in variables:
            for value in (-1, 1):
                row = np.zeros(exponents.shape[1], dtype=np.int64)
                row[variable] = value
                yield Structure.of(np.vstack([exponents, row]), structure.modulus)


def powers(structure: Structure, largest: int) -> Iterator[Structure]:
    """Yield every structure with one term inverted, or raised to another power or root."""
    for term, row in enumerate(structure.exponents):
        root = row // np.gcd.reduce(row)
        for power in range(-largest, largest + 1):
            if power and np.abs(power * root).max() <= largest:
                changed = structure.exponents.copy()
                changed[term] = power * root
                yield Structure.of(changed, structure.modulus)


def quotients(structure: Structure, largest: int) -> Iterator[Structure]:
    """Yield the rule divided by each of its terms, which without a modulus splits the same way.

    The bias becomes the weight of the inverse term, whose weight becomes the bias.
    """
    if structure.modulus:
        return
    for term, row in enumerate(structure.exponents):
        changed = structure.exponents - row
        changed[term] = -row
        if np.abs(changed).max() <= largest:
            yield Structure.of(changed, False)


def pairs(structure: Structure, largest: int) -> Iterator[Structure]:
    """Yield every structure in which two of the exponents that are there move by one."""
    places = np.argwhere(structure.exponents)
    for second in range(1, len(places)):
        for first in range(second):
            for steps in ((1, 1), (1, -1), (-1, 1), (-1, -1)):
                changed = structure.exponents.copy()
                for place, step in zip((first, second), steps, strict=True):
                    changed[tuple(places[place])] += step
                if np.abs(changed).max() <= largest:
                    yield Structure.of(changed, structure.modulus)
