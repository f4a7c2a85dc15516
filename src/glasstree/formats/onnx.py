"""The policy as an ONNX graph of standard operators, for runtimes and verifiers."""

from typing import Any

import numpy as np

from glasstree.errors import MissingExtraError, OptionError
from glasstree.formats.c import Precision, check_span
from glasstree.formats.shared.code import header
from glasstree.formats.shared.traversal import Place, raw_variables, scaled_variables, traverse
from glasstree.policy import Leaf, PolicyTree, Rule, Split
from glasstree.policy.arrays import Floats
from glasstree.policy.scaling import HIGHEST, LOWEST

OPSET = 18  # of 2022: old enough for runtimes in use, with all that is needed
IR_VERSION = 8  # the one that belongs to it


class Graph:
    """Nodes and constants, each named once."""

    def __init__(self, helper: Any, numpy_helper: Any, real: type[np.floating[Any]]) -> None:
        self._helper = helper
        self._numpy_helper = numpy_helper
        self._real = real
        self._constants: dict[tuple[str, bytes], str] = {}
        self.nodes: list[Any] = []
        self.initializers: list[Any] = []

    def node(self, operator: str, *inputs: str, name: str = "", **attributes: int) -> str:
        """Add an operator and return the name of its output."""
        output = name or f"{operator.lower()}_{len(self.nodes)}"
        self.nodes.append(self._helper.make_node(operator, list(inputs), [output], **attributes))
        return output

    def real(self, value: float) -> str:
        """Add a real constant."""
        with np.errstate(over="ignore"):
            number = self._real(value)
        if np.isinf(number) and np.isfinite(value):
            raise OptionError(f"{value} is too large for single precision; use double")
        return self._constant(np.asarray(number))

    def factor(self, value: float) -> str:
        """Add a number to multiply or divide by.

        Runtimes drop a factor that single precision takes for one; a zero that depends on
        the state hides it from them.
        """
        hide = self._real is np.float64 and value != 1.0 and abs(value - 1.0) < 1e-6
        return self.node("Add", self.real(value), self._zero()) if hide else self.real(value)

    def summand(self, value: float) -> str:
        """Add a number to add or subtract; one that single precision takes for zero is hidden."""
        hide = self._real is np.float64 and value != 0.0 and abs(value) < 1e-40
        if not hide:
            return self.real(value)
        return self.node("Mul", self.real(value), self.node("Add", self.real(1.0), self._zero()))

    def _zero(self) -> str:
        column = self.node("Gather", "state", self.integer(0), axis=1)
        near = self.node("Clip", column, self.real(1.0), self.real(2.0))
        return self.node("Sub", near, near)

    def table(self, values: Floats) -> str:
        """Add a table of real constants."""
        return self._constant(values.astype(self._real))

    def integer(self, value: int) -> str:
        """Add an integer constant."""
        return self._constant(np.asarray(value, dtype=np.int64))

    def _constant(self, array: Any) -> str:
        key = (f"{array.dtype} {array.shape}", array.tobytes())
        if key not in self._constants:
            name = f"constant_{len(self._constants)}"
            self._constants[key] = name
            self.initializers.append(self._numpy_helper.from_array(array, name))
        return self._constants[key]


def to_onnx(tree: PolicyTree, note: str = "", precision: Precision = "double") -> bytes:
    """Write a policy as an ONNX model: (n, variables) states in, n actions out.

    Where actions are continuous, the action of a state is a row of numbers.
    """
    try:
        from onnx import TensorProto, checker, helper, numpy_helper
    except ImportError:
        raise MissingExtraError("the onnx format", "onnx") from None
    kind = TensorProto.DOUBLE if precision == "double" else TensorProto.FLOAT
    graph = Graph(helper, numpy_helper, np.float64 if precision == "double" else np.float32)
    for variable in scaled_variables(tree):
        if tree.scaling.span[variable] > 0:
            check_span(float(tree.scaling.span[variable]), precision)
    _fill(graph, tree)
    model = helper.make_model(
        helper.make_graph(
            graph.nodes,
            "policy",
            [helper.make_tensor_value_info("state", kind, ["n", tree.n_variables])],
            [
                helper.make_tensor_value_info("action", TensorProto.INT64, ["n"])
                if tree.levels is None
                else helper.make_tensor_value_info("action", kind, ["n", tree.levels.shape[1]])
            ],
            graph.initializers,
        ),
        opset_imports=[helper.make_opsetid("", OPSET)],
        ir_version=IR_VERSION,
        producer_name="glasstree",
        doc_string="\n".join(header(tree, note)),
    )
    checker.check_model(model, full_check=True)
    content: bytes = model.SerializeToString(deterministic=True)
    return content


def _fill(graph: Graph, tree: PolicyTree) -> None:
    """Add all nodes; what does not depend on the state is worked out here, not by the runtime."""
    raw = {j: _column(graph, j) for j in raw_variables(tree)}
    scaled = {
        j: _scaled(graph, tree, j) for j in scaled_variables(tree) if tree.scaling.span[j] > 0
    }

    def leaf(node: Leaf, place: Place) -> str:
        return graph.integer(node.action)

    def split(node: Split, place: Place, left: str, right: str) -> str:
        rule, width = node.rule, node.rule.width
        value = _value(graph, rule, raw if rule.raw else scaled)
        if isinstance(value, float):
            return left if (value if width is None else abs(value) - width) <= 0.0 else right
        size = value if width is None else graph.node("Abs", value)
        goes_left = graph.node("LessOrEqual", size, graph.real(width or 0.0))
        return graph.node("Where", goes_left, left, right)

    action = traverse(tree, leaf, split)
    batch = graph.node("Shape", "state", start=0, end=1)
    if tree.levels is None:
        graph.node("Expand", action, batch, name="action")
        return
    chosen = graph.node("Expand", action, batch)
    graph.node("Gather", graph.table(tree.levels), chosen, name="action", axis=0)


def _column(graph: Graph, variable: int) -> str:
    return graph.node("Gather", "state", graph.integer(variable), axis=1)


def _scaled(graph: Graph, tree: PolicyTree, variable: int) -> str:
    low, span = float(tree.scaling.minimum[variable]), float(tree.scaling.span[variable])
    column = _column(graph, variable)
    share = graph.node("Div", graph.node("Sub", column, graph.summand(low)), graph.factor(span))
    moved = graph.node("Add", graph.real(1.0), share)
    return graph.node("Clip", moved, graph.real(LOWEST), graph.real(HIGHEST))


def _value(graph: Graph, rule: Rule, variables: dict[int, str]) -> str | float:
    """Add the sum of a rule; a number if no term depends on the state."""
    total: str | float = 0.0
    for weight, row in zip(rule.weights.tolist(), rule.exponents, strict=True):
        used = [variable for variable in np.flatnonzero(row).tolist() if variable in variables]
        factors = [_power(graph, variables[variable], int(row[variable])) for variable in used]
        if not factors:
            total = _sum(graph, total, weight)
            continue
        product = factors[0]
        for factor in factors[1:]:
            product = graph.node("Mul", product, factor)
        total = _sum(graph, total, graph.node("Mul", graph.factor(weight), product))
    return _sum(graph, total, rule.bias)


def _sum(graph: Graph, first: str | float, second: str | float) -> str | float:
    if isinstance(first, float) and isinstance(second, float):
        return first + second
    if first == 0.0:
        return second
    names = [graph.summand(part) if isinstance(part, float) else part for part in (first, second)]
    return graph.node("Add", *names)


def _power(graph: Graph, base: str, exponent: int) -> str:
    product = base
    for _ in range(abs(exponent) - 1):
        product = graph.node("Mul", product, base)
    # Runtimes fuse 1 / x * y into y / x, which rounds differently, but leave a reciprocal alone.
    return graph.node("Reciprocal", product) if exponent < 0 else product
