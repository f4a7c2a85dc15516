"""Sums of products over many states, in one order on every processor, several at a time."""

from typing import Any

from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic

from glasstree.compiled import kernel, nothing, real, reals, reals2
from glasstree.policy.arrays import Floats

LANES = 8  # numbers of a vector of 512 bits


@intrinsic  # type: ignore[misc]
def products_of_lanes(typing: Any, row: Any, others: Any) -> Any:
    """Return the sums of a row's products with each of a tuple of rows, but for the last few.

    Eight sums per pair, one per lane, are added last: vectors without a licence to round otherwise.
    """
    count = len(others)

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        word, vector = ir.IntType(64), ir.VectorType(ir.DoubleType(), LANES)
        tuples = cgutils.unpack_tuple(builder, arguments[1], count)
        arrays = [
            context.make_array(row)(context, builder, value) for value in (arguments[0], *tuples)
        ]
        length = cgutils.unpack_tuple(builder, arrays[0].shape)[0]
        zeros = ir.Constant(vector, [0.0] * LANES)
        sums = [cgutils.alloca_once_value(builder, zeros) for _ in range(count)]
        blocks = builder.udiv(length, ir.Constant(word, LANES))
        with cgutils.for_range(builder, blocks) as loop:
            start = builder.mul(loop.index, ir.Constant(word, LANES))
            places = (builder.gep(array.data, [start]) for array in arrays)
            lanes = [
                builder.load(builder.bitcast(place, vector.as_pointer()), align=8)
                for place in places
            ]
            for total, other in zip(sums, lanes[1:], strict=True):
                product = builder.fmul(lanes[0], other)
                builder.store(builder.fadd(builder.load(total), product), total)
        totals = [added(builder, builder.load(total)) for total in sums]
        return context.make_tuple(builder, signature.return_type, totals)

    return types.UniTuple(types.float64, count)(row, others), generate


def added(builder: Any, lanes: Any) -> Any:
    """Add the lanes of a vector, neighbours first."""
    parts = [
        builder.extract_element(lanes, ir.Constant(ir.IntType(32), lane)) for lane in range(LANES)
    ]
    while len(parts) > 1:
        parts = [builder.fadd(*pair) for pair in zip(parts[::2], parts[1::2], strict=True)]
    return parts[0]


@kernel(real(reals, reals))
def dot(x: Floats, y: Floats) -> float:
    """Return the sum of the products of two rows."""
    total = products_of_lanes(x, (y,))[0]
    for i in range(len(x) // LANES * LANES, len(x)):
        total += x[i] * y[i]
    return total


@kernel(nothing(reals, reals))
def copy_row(source: Floats, target: Floats) -> None:
    """Fill in a row: compiled much sooner than an assignment to a slice."""
    for i in range(len(target)):
        target[i] = source[i]


@kernel(nothing(reals2, reals2))
def products_of_rows(rows: Floats, products: Floats) -> None:
    """Fill in rows @ rows.T, four rows at a time against one, so that each is read less often."""
    size, n = rows.shape
    for a in range(size):
        row = rows[a]
        for b in range(0, a + 1, 4):
            c, d, e = min(b + 1, a), min(b + 2, a), min(b + 3, a)
            p, q, r, s = rows[b], rows[c], rows[d], rows[e]
            one, two, three, four = products_of_lanes(row, (p, q, r, s))
            for i in range(n // LANES * LANES, n):
                one += row[i] * p[i]
                two += row[i] * q[i]
                three += row[i] * r[i]
                four += row[i] * s[i]
            products[a, b], products[a, c], products[a, d], products[a, e] = one, two, three, four
    for a in range(size):
        for b in range(a):
            products[b, a] = products[a, b]
