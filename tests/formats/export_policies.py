"""Policies for the tests of exports: the paper's, random ones, and any that hypothesis finds."""

from dataclasses import replace
from pathlib import Path

import numpy as np
from hypothesis import strategies as st

from glasstree.policy import Leaf, Node, PolicyTree, Rule, Scaling, Split, load

EXAMPLES = Path(__file__).parents[2] / "examples" / "policies"
PAPER = ("cartpole", "carfollowing", "mountaincar", "psm5")

HOSTILE_STATES = (
    'he said "no"',
    "it's",
    "*/ int main(void) { return 1; } /*",
    "line\nbreak\r\n",
    "if",
    "lambda",
    "größe θ 速度 😀",
    "<b>&amp;</b></script><!--",
    r"\frac{1}{0} $x$ #1 50% a_b ^~",
    "??/",
    "end with \\",
    "\u202eright to left\u2028",
    "\x00nul\x1b",
    "rule_0",
    "policy",
    "state",
    "{braces}",
    "%s %n {0}",
    "]]>",
    "exp",
    "main",
    "scaled",
)
HOSTILE_ACTIONS = (
    'left"',
    "*/ right /*",
    "'''\n\"\"\"",
    "</script><b>",
    "\\",
    "速度\u2029",
    "$\\alpha$ & % # _ { } ~ ^",
    "??/ ??=",
    "\x00",
)


def paper(task: str) -> PolicyTree:
    """Load one of the paper's printed trees."""
    return load(EXAMPLES / f"paper_{task}.json")


def random_tree(
    seed: int, depth: int, width: int = 8, actions: int = 4, share: float = 0.0
) -> PolicyTree:
    """Make a full tree whose rules really divide the range, a share of them over raw values."""
    generator = np.random.default_rng(seed)

    def node(levels: int) -> Node:
        if levels == 0:
            return Leaf(int(generator.integers(actions)))
        raw = share > 0 and bool(generator.random() < share)
        exponents = generator.integers(0 if raw else -3, 4, (generator.integers(1, 4), width))
        exponents *= generator.random(exponents.shape) < 0.4
        weights = generator.uniform(-1, 1, len(exponents))
        inside = generator.uniform(1, 2, (99, width))
        if raw:
            inside = scaling.minimum + (inside - 1) * scaling.span
        values = Rule(exponents, weights, 0.0).value(inside)
        modulus = float(generator.uniform(0, 0.5)) if generator.random() < 0.5 else None
        if raw and modulus is not None:
            modulus *= float(values.std())
        rule = Rule(exponents, weights, -float(np.median(values)), modulus, raw)
        return Split(rule, node(levels - 1), node(levels - 1))

    minimum = generator.normal(size=width) * 10
    scaling = Scaling(minimum, minimum + generator.exponential(size=width) * 5)
    return PolicyTree(
        node(depth),
        scaling,
        tuple(f"x{j}" for j in range(width)),
        tuple(f"action {k}" for k in range(actions)),
    )


def chain(depth: int, pattern: str) -> PolicyTree:
    """Make a tree that is deep and thin; the pattern of l and r says where it goes on."""
    node: Node = Leaf(1)
    for level in range(depth):
        rule = Rule([[1, -1]], [1.0], -1.0 + 0.005 * (level - depth / 2))
        left = pattern[level % len(pattern)] == "l"
        node = Split(rule, node, Leaf(0)) if left else Split(rule, Leaf(level % 2), node)
    return PolicyTree(node, Scaling([0.0, -1.0], [1.0, 1.0]), ("a", "b"), ("off", "on"))


def line() -> PolicyTree:
    """Make the plain line that balances CartPole's pole."""
    rule = Rule([[0, 0, 1, 0], [0, 0, 0, 1]], [-1.0, -0.04], 0.0, raw=True)
    cartpole = paper("cartpole")
    return replace(cartpole, root=Split(rule, Leaf(1, (30.0, 5.0)), Leaf(0, (1.0, 29.0))))


def both() -> PolicyTree:
    """Make a tree that reads the same variables as they are and normalised."""
    band = Split(Rule([[2, 0, 1, 0]], [0.5], -30.25, 4.5, raw=True), Leaf(2), Leaf(1))
    first = Split(Rule([[1, 0, 0, 0], [0, 1, 0, 0]], [1.0, -2.5], -6.0, raw=True), band, Leaf(0))
    return mixed().with_root(Split(mixed().splits()[0].rule, first, mixed().splits()[1]))


def hostile(depth: int = 1) -> PolicyTree:
    """Make a tree whose names try to break out of every format."""
    width = len(HOSTILE_STATES)
    tree = random_tree(0, depth, width, len(HOSTILE_ACTIONS))
    exponents = np.eye(width, dtype=np.int64)
    root = Split(Rule(exponents, np.ones(width), -1.5 * width), Leaf(0), tree.root)
    root = Split(Rule(exponents, np.ones(width), -1.5 * width, raw=True), Leaf(0), root)
    for action in range(1, len(HOSTILE_ACTIONS)):
        root = Split(Rule(exponents[:1], [1.0], -1.0 - 0.1 * action), Leaf(action), root)
    return PolicyTree(
        root, tree.scaling, HOSTILE_STATES, HOSTILE_ACTIONS, ("*/\n%",) * width, "a*/\n<task>"
    )


def mixed() -> PolicyTree:
    """Make a small tree with counts, a constant variable, a modulus and an unused variable."""
    inner = Split(Rule([[0, 1, 0, 0]], [1.0], -1.25, 0.5), Leaf(1, (3.0, 40.0, 7.0)), Leaf(2), ())
    root = Split(
        Rule([[1, -2, 0, 0], [3, 0, 1, 0], [0, 0, 0, 0]], [0.123456789, -1e-7, 0.25], -0.3),
        Leaf(0, (120.0, 0.0, 0.0)),
        inner,
        (123.0, 40.0, 7.0),
    )
    return PolicyTree(
        root,
        Scaling([0.0, -2.5, 4.0, 0.0], [10.0, 2.5, 4.0, 1.0]),
        ("speed", "left leg", "gear", "radio"),
        ("brake", "hold", "go"),
        ("m/s", "", "", "dB"),
    )


numbers = st.one_of(
    st.floats(-1, 1),
    st.floats(allow_nan=False, allow_infinity=False),
    st.sampled_from([0.0, -0.0, 5e-324, -5e-324, 1e-310, 1.7976931348623157e308, 1e-300]),
)


@st.composite
def policies(draw: st.DrawFn, deepest: int = 4) -> PolicyTree:
    """Draw any policy: any depth, exponents and coefficients, constant variables, one leaf only."""
    width = draw(st.integers(1, 4))
    actions = draw(st.integers(1, 4))

    def node(levels: int) -> Node:
        if levels == 0 or draw(st.integers(0, 3)) == 0:
            return Leaf(draw(st.integers(0, actions - 1)))
        terms, raw = draw(st.integers(0, 3)), draw(st.booleans())
        row = st.lists(st.integers(0 if raw else -6, 6), min_size=width, max_size=width)
        exponents = draw(st.lists(row, min_size=terms, max_size=terms))
        weights = draw(st.lists(numbers, min_size=terms, max_size=terms))
        rule = Rule(
            np.reshape(np.array(exponents, dtype=np.int64), (terms, width)),
            weights,
            draw(numbers),
            draw(st.none() | numbers),
            raw,
        )
        return Split(rule, node(levels - 1), node(levels - 1))

    limits = st.floats(-1e6, 1e6)
    low = draw(st.lists(limits, min_size=width, max_size=width))
    spans = st.one_of(st.just(0.0), st.floats(1e-3, 1e6))
    span = draw(st.lists(spans, min_size=width, max_size=width))
    return PolicyTree(
        node(draw(st.integers(0, deepest))),
        Scaling(low, np.add(low, span)),
        tuple(draw(st.lists(st.text(min_size=1), min_size=width, max_size=width, unique=True))),
        tuple(draw(st.lists(st.text(min_size=1), min_size=actions, max_size=actions, unique=True))),
    )
