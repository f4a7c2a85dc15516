"""The paper's lower level: a real-coded genetic algorithm over the weights of one rule."""

from dataclasses import dataclass

import numpy as np

from glasstree.openloop.lower.paper.dipoles import mixed_dipoles
from glasstree.openloop.lower.solver import SeparateSolver, solution_of_member
from glasstree.openloop.lower.structure import NodeData, Solution, Structure
from glasstree.openloop.lower.terms import power_terms


@dataclass(frozen=True)
class GeneticSolver(SeparateSolver):
    """Weights by a real-coded GA started from mixed dipoles, as the paper's authors ran it."""

    population: int = 40
    generations: int = 50
    patience: int = 5
    tolerance: float = 1e-4

    def solve_one(
        self, data: NodeData, structure: Structure, generator: np.random.Generator
    ) -> Solution:
        """Return the best split of one structure."""
        from glasstree.openloop.lower.paper.evolution import evolve_weights  # compiled if needed

        terms = power_terms(data.columns, structure.exponents)
        population = mixed_dipoles(
            terms, data.labels, structure.modulus, self.population, generator
        )
        impurity = evolve_weights(
            *(terms, data.labels, data.sample_weights, data.counts, structure.modulus),
            *(population, self.generations, self.patience, self.tolerance),
            generator,
        )
        return solution_of_member(population[0], impurity, structure)
