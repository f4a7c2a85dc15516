"""A sample of weight k counts as k equal samples, wherever impurity is measured or reduced."""

import numpy as np
import pytest
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis

from glasstree import NLDTClassifier
from glasstree.openloop import GrowthOptions, ParsimoniousSearch, grow
from glasstree.openloop.lower.discriminants import best_discriminant
from glasstree.openloop.lower.moments import standardise
from glasstree.openloop.lower.paper.evolution import member_impurity
from glasstree.openloop.lower.paper.sqp import SoftImpurity
from glasstree.openloop.lower.projection import exact_edges, mean_square, scan
from glasstree.openloop.lower.scanning import ScanSolver
from glasstree.openloop.lower.structure import NodeData, Structure
from glasstree.openloop.lower.terms import power_terms
from glasstree.openloop.upper.relaxation import relaxed_loss
from glasstree.policy.rule import Rule
from glasstree.policy.tree import Split

EXPONENTS = np.array([[1, 0], [0, -2]])
WEIGHTS = np.array([0.8, -0.5])


def weighted(seed: int = 0) -> tuple[NodeData, NodeData]:
    """Return noisy samples with whole weights, and the same with each repeated instead."""
    generator = np.random.default_rng(seed)
    columns = generator.uniform(1, 2, (2, 60))
    side = WEIGHTS @ power_terms(columns, EXPONENTS) > 0.9
    labels = np.where(generator.random(60) < 0.3, ~side, side).astype(np.int64)
    weights = generator.integers(1, 9, 60)
    rows = np.repeat(np.arange(60), weights)
    one = NodeData(columns, labels, weights.astype(np.float64), 2)
    many = NodeData(columns[:, rows].copy(), labels[rows], np.ones(len(rows)), 2)
    return one, many


def arguments(data: NodeData) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """Return what kernels ask of a node."""
    return data.columns, data.labels, data.sample_weights, data.counts


def test_compiled_terms_are_the_rules_own() -> None:
    columns = np.random.default_rng(0).uniform(1, 2, (2, 20))
    exponents = np.array([[1, 0], [0, -2], [3, -1]])
    known = Rule(exponents, np.ones(3), 0.0).terms(columns.T).T
    assert power_terms(columns, exponents) == pytest.approx(known, rel=1e-15)


@pytest.mark.parametrize("modulus", [False, True])
@pytest.mark.parametrize("seed", range(3))
def test_exact_edges_are_those_of_repeated_samples(modulus: bool, seed: int) -> None:
    one, many = (
        exact_edges(*arguments(data), EXPONENTS, modulus, WEIGHTS) for data in weighted(seed)
    )
    assert one == pytest.approx(many)


def test_exact_edges_lie_where_the_weight_is() -> None:
    columns, labels = np.array([[1.0, 1.2, 1.4, 1.6]]), np.array([0, 1, 0, 1])
    for weights, edge in (([5.0, 3.0, 1.0, 1.0], 1.1), ([1.0, 1.0, 3.0, 5.0], 1.5)):
        data = NodeData(columns, labels, np.array(weights), 2)
        found = exact_edges(*arguments(data), np.array([[1]]), False, np.ones(1))
        assert found[0] == pytest.approx(0.16)
        assert found[2] == pytest.approx(edge)


@pytest.mark.parametrize("modulus", [False, True])
def test_binned_edges_are_those_of_repeated_samples(modulus: bool) -> None:
    found = []
    for data in weighted():
        centred = WEIGHTS @ power_terms(data.columns, EXPONENTS) - 0.9
        found.append(scan(centred, *arguments(data)[1:], 0.3, modulus, 64))
    assert found[0] == pytest.approx(found[1])


@pytest.mark.parametrize("modulus", [False, True])
def test_every_measure_of_a_split_is_that_of_repeated_samples(modulus: bool) -> None:
    member = np.array([*WEIGHTS, -0.9, 0.1])
    found = []
    for data in weighted():
        terms = power_terms(data.columns, EXPONENTS)
        logs, target = np.log(data.columns), np.where(data.labels == 1, 1.0, -1.0)
        soft = SoftImpurity(data, terms, modulus, member)
        soft.softness = 0.1
        scratch = np.empty((2, len(data))), np.empty(len(data))
        centred = WEIGHTS @ terms - 0.9
        square = mean_square(centred, data.sample_weights, data.counts)
        loss = relaxed_loss(
            *(logs, target, data.sample_weights, EXPONENTS.astype(float), member),
            *(modulus, *scratch),
        )
        hard = member_impurity(terms, *arguments(data)[1:], modulus, member)
        moments = standardise(terms, data.sample_weights)
        value, slope = soft(member)
        found.append([*moments.ravel(), square, hard, value, *slope, loss])
    assert found[0] == pytest.approx(found[1])


@pytest.mark.parametrize("modulus", [False, True])
def test_a_solution_is_that_of_repeated_samples(modulus: bool) -> None:
    structure, solver, found = Structure.of(EXPONENTS, modulus), ScanSolver(), []
    for data in weighted():
        rough = solver.solve(data, [structure], np.random.default_rng(0), np.inf)[0]
        found.append(solver.polish(data, data, structure, rough))
    one, many = found
    assert one.impurity == pytest.approx(many.impurity)
    assert one.weights == pytest.approx(many.weights)
    assert one.bias == pytest.approx(many.bias)


def test_sampling_keeps_the_weight_of_every_class() -> None:
    labels = np.repeat([0, 1, 2], [900, 90, 10])
    weights = np.choose(labels, [0.5, 3.0, 20.0])
    data = NodeData(np.random.default_rng(0).uniform(1, 2, (2, 1000)), labels, weights, 3)
    part = data.sample(100, np.random.default_rng(1))
    assert len(part) < 130
    assert part.counts == pytest.approx(data.counts)


def test_fishers_direction_is_that_of_linear_discriminant_analysis() -> None:
    generator = np.random.default_rng(0)
    flat, steep = np.array([[3.0, 0.0], [0.0, 0.3]]), np.array([[0.3, 0.0], [0.0, 3.0]])
    samples = np.vstack(
        [generator.normal(size=(900, 2)) @ flat, generator.normal(size=(100, 2)) @ steep + 2.0]
    )
    labels = np.repeat([0, 1], [900, 100])
    known = LinearDiscriminantAnalysis(solver="lsqr").fit(samples, labels).coef_[0]
    data = NodeData(np.ascontiguousarray(samples.T), labels, np.ones(1000), 2)
    chosen = np.zeros(2)
    best_discriminant(*arguments(data), np.array([[0, 1]]), False, 128, chosen)
    assert chosen == pytest.approx(known / np.linalg.norm(known), abs=1e-3)


@pytest.mark.parametrize("light, edge", [(1.375, 1.75), (1.625, 1.25)])
def test_a_tree_splits_where_the_weight_is(light: float, edge: float) -> None:
    states = np.random.default_rng(0).uniform(1, 2, (400, 1))
    labels = (states[:, 0] * 4).astype(np.int64) % 2
    weights = np.where(np.abs(states[:, 0] - light) < 0.125, 0.1, 1.0)
    options = GrowthOptions(max_depth=1, search=ParsimoniousSearch(terms=1))
    root = grow(states, labels, 2, options, 0, weights)
    assert isinstance(root, Split)
    goes_left = root.rule.value(np.array([[edge - 0.02], [edge + 0.02]])) <= 0.0
    assert goes_left.tolist() in ([True, False], [False, True])
    assert sum(root.counts) == pytest.approx(weights.sum())


def test_the_weights_of_classes_and_samples_reach_the_tree() -> None:
    X = np.random.default_rng(0).uniform(size=(200, 1))
    y = (X[:, 0] > 0.5).astype(np.int64)
    weights = np.where(X[:, 0] > 0.75, 2.0, 1.0)
    model = NLDTClassifier(max_depth=1, class_weight={0: 3.0, 1: 0.5}, random_state=0)
    known = np.bincount(y, weights * np.where(y == 0, 3.0, 0.5))
    assert model.fit(X, y, weights).tree_.root.counts == pytest.approx(tuple(known))
