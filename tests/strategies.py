"""Random rules, scalings, trees and states for property tests."""

import numpy as np
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from glasstree.policy import Leaf, Node, PolicyTree, Rule, Scaling, Split
from glasstree.policy.arrays import Floats

EXTREME = 1e300
numbers = st.floats(-EXTREME, EXTREME)
weights = st.floats(-1.0, 1.0)
names = st.text(min_size=1, max_size=8)


@st.composite
def scalings(draw: st.DrawFn, width: int) -> Scaling:
    """Ranges of any size, constant and tiny ones among them."""
    low = draw(st.lists(numbers, min_size=width, max_size=width))
    spans = st.one_of(st.just(0.0), st.floats(0.0, 1e-300), st.floats(0.0, EXTREME))
    high = [value + draw(spans) for value in low]
    return Scaling(low, high)


@st.composite
def rules(draw: st.DrawFn, width: int) -> Rule:
    """Rules of up to three terms with exponents from -3 to 3, or 0 to 3 over raw values."""
    terms, raw = draw(st.integers(1, 3)), draw(st.booleans())
    powers = st.integers(0 if raw else -3, 3)
    exponents = draw(arrays(np.int64, (terms, width), elements=powers))
    factors = draw(st.lists(weights, min_size=terms, max_size=terms))
    return Rule(exponents, factors, draw(weights), draw(st.none() | st.floats(0.0, 1.0)), raw)


@st.composite
def nodes(draw: st.DrawFn, width: int, n_actions: int, depth: int) -> Node:
    """Trees of at most so many rules on a way."""
    counts = tuple(draw(st.lists(st.floats(0, 1e6), min_size=n_actions, max_size=n_actions)))
    if depth == 0 or draw(st.integers(0, 3)) == 0:
        return Leaf(draw(st.integers(0, n_actions - 1)), counts)
    below = nodes(width, n_actions, depth - 1)
    return Split(draw(rules(width)), draw(below), draw(below), counts)


@st.composite
def trees(draw: st.DrawFn) -> PolicyTree:
    """Whole policies with names and units of any characters."""
    width, n_actions = draw(st.integers(1, 4)), draw(st.integers(1, 4))
    return PolicyTree(
        root=draw(nodes(width, n_actions, depth=2)),
        scaling=draw(scalings(width)),
        state_names=tuple(draw(st.lists(names, min_size=width, max_size=width, unique=True))),
        action_names=tuple(
            draw(st.lists(names, min_size=n_actions, max_size=n_actions, unique=True))
        ),
        units=tuple(draw(st.lists(st.text(max_size=4), min_size=width, max_size=width))),
        task=draw(st.none() | names.filter(lambda name: ":" not in name)),
    )


@st.composite
def states_of(draw: st.DrawFn, scaling: Scaling) -> Floats:
    """States inside, on the edges of, and far beyond the ranges of a scaling."""
    width, rows = len(scaling.minimum), draw(st.integers(1, 12))
    inside = draw(arrays(np.float64, (rows, width), elements=st.floats(-1.0, 2.0)))
    with np.errstate(over="ignore"):
        states = scaling.minimum + inside * scaling.span
    states = np.clip(states, -EXTREME, EXTREME)
    far = draw(arrays(np.bool_, (rows, width), elements=st.integers(0, 5).map(lambda n: n == 0)))
    states[far] = draw(numbers)
    return states
