"""Lines over raw values, such as default runs give, for the tasks whose loops are proved."""

import numpy as np

from glasstree.policy import Leaf, Node, PolicyTree, Rule, Scaling, Split

SEEN = {
    "cartpole": ([-2.4, -2.0, -0.2, -2.0], [2.4, 2.0, 0.2, 2.0]),
    "mountaincar": ([-1.2, -0.07], [0.6, 0.07]),
    "carfollowing": ([10.0, -8.0, -1.0], [60.0, 8.0, 1.0]),
}
NAMES = {
    "cartpole": (("x", "v", "theta", "omega"), ("left", "right")),
    "mountaincar": (("x", "v"), ("left", "none", "right")),
    "carfollowing": (("gap", "v_rel", "a_last"), ("brake", "accelerate")),
}


def line(task: str, weights: list[float], bias: float, left: int, right: int) -> PolicyTree:
    """Return the policy with one rule: weights times values + bias <= 0 goes left."""
    used = np.flatnonzero(weights)
    exponents = np.zeros((len(used), len(weights)), dtype=int)
    exponents[np.arange(len(used)), used] = 1
    rule = Rule(exponents, np.array(weights)[used], bias, raw=True)
    return PolicyTree(
        Split(rule, Leaf(left), Leaf(right)), Scaling(*SEEN[task]), *NAMES[task], task=task
    )


def balancing(lever: float = 0.1) -> PolicyTree:
    """CartPole: push to where the pole will be."""
    return line("cartpole", [0.0, 0.0, 1.0, lever], 0.0, 0, 1)


def rocking(slope: float = 0.0082, bias: float = 0.0039) -> PolicyTree:
    """MountainCar: push with the motion, v >= slope x + bias."""
    return line("mountaincar", [slope, -1.0], bias, 2, 0)


def following(weight: float = 8.0, bias: float = 36.0) -> PolicyTree:
    """CarFollowing: brake where gap + weight v_rel <= bias."""
    return line("carfollowing", [1.0, weight, 0.0], -bias, 0, 1)


def random_tree(generator: np.random.Generator, n_variables: int, n_rules: int) -> PolicyTree:
    """Return a tree of power laws and raw polynomials with three actions."""

    def rule() -> Rule:
        terms = int(generator.integers(1, 4))
        raw = bool(generator.integers(2))
        powers = generator.integers(0 if raw else -2, 3, (terms, n_variables))
        powers[generator.random(powers.shape) < 0.5] = 0
        weights = generator.normal(size=terms)
        width = abs(generator.normal()) if generator.random() < 0.3 else None
        return Rule(powers, weights, generator.normal(), width, raw)

    def node(rules: int) -> Node:
        if rules == 0:
            return Leaf(int(generator.integers(3)))
        left = int(generator.integers(rules))
        return Split(rule(), node(left), node(rules - 1 - left))

    low = generator.uniform(-2.0, 0.0, n_variables)
    high = low + generator.uniform(0.5, 3.0, n_variables)
    names = tuple(f"x{i}" for i in range(n_variables))
    return PolicyTree(node(n_rules), Scaling(low, high), names, ("a", "b", "c"))


def random_claim(generator: np.random.Generator, tree: PolicyTree) -> str:
    """Return a claim about some variables of a tree, with numbers from its range."""
    parts = []
    for variable in generator.choice(tree.n_variables, min(2, tree.n_variables), replace=False):
        low, high = tree.scaling.minimum[variable], tree.scaling.maximum[variable]
        number = low + (high - low) * generator.uniform(0.2, 0.8)
        parts.append(f"{tree.state_names[variable]} {generator.choice(['<', '>='])} {number:.3f}")
    word = generator.choice([" and ", " or "])
    action = generator.choice(["a", "not b", "in {a, c}", "not a"])
    return f"{word.join(parts)} => {action}"
