"""States on which an export must agree with its tree: ordinary, borderline, far out and absurd."""

import numpy as np

from glasstree.policy import PolicyTree, Rule, Split
from glasstree.policy.arrays import Bools, Floats
from glasstree.policy.tree import walk

# of the states of a check
SHARES = {"inside the range": 0.3, "on the boundaries": 0.3, "outside": 0.2, "extreme": 0.2}
BOUNDARY = "on the boundaries"
# the largest finite numbers
LARGEST = {"double": 1.7976931348623157e308, "float": 3.4028234663852886e38}
HALVINGS = 64  # of a segment across a boundary: its ends are then neighbours in float64
FEW = 1000  # states for the boundary of a rule that none of them comes to


def check_states(
    tree: PolicyTree, count: int = 100_000, precision: str = "double", seed: int = 0
) -> dict[str, Floats]:
    """Return (n, variables) states of each kind, `count` in all."""
    generator = np.random.default_rng(seed)
    sizes = {kind: int(share * count) for kind, share in SHARES.items()}
    sizes["extreme"] += count - sum(sizes.values())
    largest = LARGEST[precision]
    states = {
        "inside the range": _between(tree, generator, sizes["inside the range"], 0.0, 1.0),
        BOUNDARY: _boundary(tree, generator, sizes[BOUNDARY]),
        "outside": _between(tree, generator, sizes["outside"], -3.0, 4.0),
        "extreme": _extreme(tree, generator, sizes["extreme"], largest),
    }
    kind = np.float64 if precision == "double" else np.float32
    return {
        name: np.clip(values, -largest, largest).astype(kind).astype(np.float64)
        for name, values in states.items()
    }


def inside_states(tree: PolicyTree, count: int, seed: int = 0) -> Floats:
    """Return those of `count` check states that lie inside the range that was seen."""
    share = int(SHARES["inside the range"] * count)
    return _between(tree, np.random.default_rng(seed), share, 0.0, 1.0)


def _between(
    tree: PolicyTree, generator: np.random.Generator, count: int, low: float, high: float
) -> Floats:
    """Draw states between shares of the range that was seen; a constant one moves a little."""
    share = generator.uniform(low, high, (count, tree.n_variables))
    span = np.where(tree.scaling.span > 0, tree.scaling.span, 1.0)
    with np.errstate(over="ignore"):
        moved = tree.scaling.minimum + share * span
    return np.clip(moved, -LARGEST["double"], LARGEST["double"])


def _extreme(
    tree: PolicyTree, generator: np.random.Generator, count: int, largest: float
) -> Floats:
    """Combine zeros, denormals, the largest numbers, and the ends of ranges and clips."""
    columns = []
    for low, span in zip(tree.scaling.minimum.tolist(), tree.scaling.span.tolist(), strict=True):
        ends = np.array([low + share * span for share in (-0.5, 0.0, 0.5, 1.0, 1.5)])
        ends = np.clip(ends, -largest, largest)
        values = np.concatenate(
            [
                [0.0, -0.0, 5e-324, -5e-324, 1e-300, 1e-45, 1.0, -1.0, 1e10, -1e10],
                [largest, -largest, largest / 2, -largest / 2],
                *(ends, *_beside(ends)),
            ]
        )
        columns.append(generator.choice(values, count))
    return np.column_stack(columns)


@np.errstate(over="ignore")
def _beside(numbers: Floats) -> tuple[Floats, Floats]:
    """Return the numbers just below and just above."""
    return np.nextafter(numbers, -np.inf), np.nextafter(numbers, np.inf)


def _boundary(tree: PolicyTree, generator: np.random.Generator, count: int) -> Floats:
    """Walk to both sides of each rule's boundary until two states are neighbours."""
    near = _between(tree, generator, count, -0.5, 1.5)
    if not tree.n_rules:
        return near
    share = -(-count // (2 * tree.n_rules))
    nodes = (node for _, node in walk(tree.root))
    found = [
        _neighbours(node.rule, tree, near[rows] if len(rows) else near[:FEW], share, generator)
        for node, rows in zip(nodes, tree.apply(near), strict=True)
        if isinstance(node, Split)
    ]
    return np.concatenate([*found, near])[:count]


def _neighbours(
    rule: Rule, tree: PolicyTree, pool: Floats, pairs: int, generator: np.random.Generator
) -> Floats:
    """Return states just left and just right of a rule; none if it never changes its mind."""

    def goes_left(states: Floats) -> Bools:
        with np.errstate(all="ignore"):
            result: Bools = tree.values(rule, states) <= 0
        return result

    left = goes_left(pool)
    if left.all() or not left.any():
        return np.zeros((0, tree.n_variables))
    first = generator.choice(pool[left], pairs)
    second = generator.choice(pool[~left], pairs)
    for _ in range(HALVINGS):
        middle = first / 2 + second / 2
        side = goes_left(middle)[:, np.newaxis]
        first = np.where(side, middle, first)
        second = np.where(side, second, middle)
    return np.concatenate([first, second])
