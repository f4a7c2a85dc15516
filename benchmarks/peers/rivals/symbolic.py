"""gplearn: one formula an action, by genetic programming, one against the rest."""

import numpy as np

from glasstree.data import Dataset
from glasstree.policy.arrays import Floats, Ints

from .base import Rival, Sized

POPULATION, GENERATIONS, SAMPLES = 200, 12, 1000


class Formulas:
    """The action of the largest formula; of two actions one formula tells which."""

    splits = 0

    def __init__(self, programs: list, present: Ints, centre: Floats, scale: Floats) -> None:
        self.programs, self.present = programs, present
        self.centre, self.scale = centre, scale
        self.occurrences = sum(
            isinstance(symbol, int) for program in programs for symbol in program.program
        )
        self.complexity = complexity([len(program.program) for program in programs])

    def actions(self, states: Floats) -> Ints:
        """Return one action a state."""
        scaled = (np.asarray(states, dtype=np.float64) - self.centre) / self.scale
        scores = [np.broadcast_to(p.execute(scaled), len(scaled)) for p in self.programs]
        if len(scores) == 1:
            scores.insert(0, np.zeros(len(scaled)))
        return self.present[np.argmax(scores, axis=0)].astype(np.int64)


def complexity(nodes: list[int]) -> int:
    """Count the nodes of formulas, their comparisons with each other or with 0, and the actions.

    >>> complexity([3])  # x + y >= 0, and two actions
    7
    >>> complexity([3, 1, 5])
    14
    """
    compared = 2 if len(nodes) == 1 else len(nodes) - 1
    return sum(nodes) + compared + max(2, len(nodes))


def fit(data: Dataset, size: int, seed: int) -> Sized:
    """Search formulas; a variable or function more must be worth 10^-size of the log loss."""
    from gplearn.genetic import SymbolicClassifier

    rows = np.random.default_rng(seed).permutation(len(data))[:SAMPLES]
    present, codes = np.unique(data.actions[rows], return_inverse=True)
    centre, scale = data.states.mean(axis=0), data.states.std(axis=0) + 1e-9
    scaled = (data.states[rows] - centre) / scale
    programs = []
    for code in range(len(present)) if len(present) > 2 else [1]:
        model = SymbolicClassifier(
            population_size=POPULATION,
            generations=GENERATIONS,
            parsimony_coefficient=10.0**-size,
            random_state=seed,
        )
        programs.append(model.fit(scaled, codes == code)._program)
    return Formulas(programs, present, centre, scale)


GPLEARN = Rival(
    *("gplearn", "gplearn", fit, "parsimony 10^-"),
    sizes=(2, 3),
    arm_sizes=(3,),
    lander_sizes=(3,),
    weighs=False,
    rounds=2,
)
