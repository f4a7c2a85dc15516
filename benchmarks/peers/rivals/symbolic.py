"""gplearn: one formula an action, by genetic programming: one against the rest, or its value."""

import re

import numpy as np

from glasstree.data import Dataset
from glasstree.policy.arrays import Floats, Ints
from glasstree.tasks import Task

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

    def text(self, task: Task) -> str:
        """Print each formula; x stands for the deviation of x from its mean, in deviations."""
        written = [self._named(str(program), task) for program in self.programs]
        names = [task.action_names[action] for action in self.present]
        if len(written) == 1:
            return f"{names[-1]} if {written[0]} > 0 else {names[0]}"
        lines = [f"{name}: {formula}" for name, formula in zip(names, written, strict=True)]
        return "\n".join(["the largest of", *lines])

    @staticmethod
    def _named(formula: str, task: Task) -> str:
        return re.sub(r"X(\d+)", lambda found: task.state_names[int(found[1])], formula)


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


def fit_values(data: Dataset, values: Floats, size: int, seed: int) -> Sized:
    """Search a formula of each action's value, less the mean of all actions' in its state."""
    from gplearn.genetic import SymbolicRegressor

    rows = np.random.default_rng(seed).permutation(len(data))[:SAMPLES]
    centre, scale = data.states.mean(axis=0), data.states.std(axis=0) + 1e-9
    scaled = (data.states[rows] - centre) / scale
    targets = values[rows] - values[rows].mean(axis=1, keepdims=True)
    targets = targets / (targets.std() + 1e-9)
    if targets.shape[1] == 2:
        targets = targets[:, 1:] - targets[:, :1]
    programs = []
    for target in targets.T:
        model = SymbolicRegressor(
            population_size=POPULATION,
            generations=GENERATIONS,
            parsimony_coefficient=10.0**-size,
            metric="mse",
            random_state=seed,
        )
        programs.append(model.fit(scaled, target)._program)
    return Formulas(programs, np.arange(data.n_actions), centre, scale)


GPLEARN = Rival(
    *("gplearn", "gplearn, actions", "parsimony 10^-"),
    fit=fit,
    sizes=(2, 3),
    arm_sizes=(3,),
    lander_sizes=(3,),
    weighs=False,
    rounds=2,
    packages=("gplearn.genetic",),
)
VALUES = Rival(
    *("gpvalues", "gplearn, values", "parsimony 10^-"),
    fit_values=fit_values,
    sizes=(2, 3),
    arm_sizes=(3,),
    lander_sizes=(3,),
    weighs=False,
    rounds=2,
    packages=("gplearn.genetic",),
)
