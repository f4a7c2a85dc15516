"""One C99 function without allocation, library calls or pow, in double or single precision."""

from typing import Literal

import numpy as np

from glasstree.errors import OptionError
from glasstree.formats.shared.code import Dialect, Names, added, branches, header, indented
from glasstree.formats.shared.names import plain
from glasstree.formats.shared.traversal import raw_variables, scaled_variables
from glasstree.policy import PolicyTree
from glasstree.policy.scaling import HIGHEST, LOWEST

PRINTED = frozenset(range(32, 127)) - frozenset(b'"\\?')
Precision = Literal["double", "float"]

GUARDS = """\
#include <float.h>

#if defined(__FAST_MATH__) || (defined(__FINITE_MATH_ONLY__) && __FINITE_MATH_ONLY__)
#error "fast-math changes decisions; compile without it"
#endif
#ifndef FLT_EVAL_METHOD
#error "compile this as C99, C++11 or later"
#elif FLT_EVAL_METHOD != 0 && FLT_EVAL_METHOD != 16
#error "excess precision changes decisions; on x86 compile with -msse2 -mfpmath=sse"
#endif
#ifdef __clang__
#pragma float_control(precise, on)
#endif
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC optimize ("fp-contract=off,no-unsafe-math-optimizations")
#else
#pragma STDC FP_CONTRACT OFF
#endif
"""

WIDE = """\
typedef char double_has_64_bits[sizeof 1.0 == 8 ? 1 : -1]; /* else use --precision float */
"""

SCALED = """\
static {real} scaled({real} value, {real} minimum, {real} span)
{{
    const {real} result = {one} + (value - minimum) / span;
    return result < {lowest} ? {lowest} : result > {highest} ? {highest} : result;
}}
"""

MAGNITUDE = """\
static {real} magnitude({real} value)
{{
    return value < {zero} ? -value : value;
}}
"""


def to_c(tree: PolicyTree, note: str = "", precision: Precision = "double") -> str:
    """Write a policy as C99 with one function, int policy(const double state[]).

    Where actions are continuous it returns a pointer to the numbers of the action.
    """
    names = Names.of(tree)
    answer = "{}" if tree.levels is None else "policy_levels[{}]"
    named = "an index into policy_actions" if tree.levels is None else "one of policy_levels"
    signature = f"policy(const {precision} state[{tree.n_variables}])"
    signature = f"int {signature}" if tree.levels is None else f"const {precision} *{signature}"
    number = _double if precision == "double" else _single
    dialect = Dialect(
        number=number,
        absolute="magnitude",
        value=lambda name, terms: added(terms, f"const {precision} {name} =", ";", brackets=False),
        choice=lambda test, body: [f"if ({test}) {{", *indented(body), "}"],
        answer=lambda action: (
            f"return {answer.format(action)}; /* {_comment(plain(tree.action_names[action]))} */"
        ),
        negation="!({})",
    )
    body = [
        *(f"const {precision} {names.raw[j]} = state[{j}];" for j in raw_variables(tree)),
        *(_scaled(tree, j, names.scaled[j], precision) for j in scaled_variables(tree)),
        *branches(tree, names, dialect),
    ]
    if not _varies(tree) and not raw_variables(tree):
        body.insert(0, "(void)state;")
    lines = [
        "/*",
        *(f" * {_comment(line)}".rstrip() for line in header(tree, note)),
        " */",
        "",
        *_helpers(tree, precision),
        f"const char *const policy_actions[{len(tree.action_names)}] = {{",
        *(f"    {_string(name)}," for name in tree.action_names),
        "};",
        "",
        *_levels(tree, precision),
        f"/* Return the action, {named}, of a state. */",
        f"{signature};",
        "",
        signature,
        "{",
        *indented(body),
        "}",
    ]
    return "\n".join(lines) + "\n"


def _levels(tree: PolicyTree, precision: Precision) -> list[str]:
    """Write the vectors that actions stand for where these are continuous."""
    if tree.levels is None:
        return []
    number = _double if precision == "double" else _single
    rows = [", ".join(map(number, level)) for level in tree.levels.tolist()]
    size = f"[{len(rows)}][{tree.levels.shape[1]}]"
    return [
        f"const {precision} policy_levels{size} = {{",
        *(f"    {{{row}}}," for row in rows),
        "};",
        "",
    ]


def _helpers(tree: PolicyTree, precision: Precision) -> list[str]:
    """Write what the function calls, and nothing that it does not."""
    number = _double if precision == "double" else _single
    parts = [WIDE] if precision == "double" else []
    if _varies(tree):
        parts.append(SCALED)
    if any(split.rule.modulus for split in tree.splits()):
        parts.append(MAGNITUDE)
    words = {
        "real": precision,
        "zero": number(0.0),
        "one": number(1.0),
        "lowest": number(LOWEST),
        "highest": number(HIGHEST),
    }
    return [GUARDS, *(part.format(**words) for part in parts)]


def _varies(tree: PolicyTree) -> bool:
    """Tell whether any variable that is not constant is scaled."""
    return any(tree.scaling.span[variable] > 0 for variable in scaled_variables(tree))


def _scaled(tree: PolicyTree, variable: int, name: str, precision: Precision) -> str:
    number = _double if precision == "double" else _single
    span = float(tree.scaling.span[variable])
    if span == 0:
        return f"const {precision} {name} = {number(1.0)};"
    check_span(span, precision)
    low = number(float(tree.scaling.minimum[variable]))
    return f"const {precision} {name} = scaled(state[{variable}], {low}, {number(span)});"


def check_span(span: float, precision: Precision) -> None:
    """Refuse a range by which single precision cannot divide."""
    if precision == "float" and np.float32(span) == 0:
        raise OptionError(f"the range {span} is too small for single precision; use double")


def _double(value: float) -> str:
    return repr(value)


def _single(value: float) -> str:
    with np.errstate(over="ignore"):
        single = np.float32(value)
    if not np.isfinite(single):
        raise OptionError(f"{value} is too large for single precision; use double")
    return f"{single!s}f"


def _comment(text: str) -> str:
    """Keep a comment from ending, nesting or holding a trigraph."""
    return text.replace("*/", "* /").replace("/*", "/ *").replace("??", "? ?")


def _string(text: str) -> str:
    """Write a string of UTF-8 bytes; what C might misread becomes an octal escape."""
    letters = text.replace("\0", "\\0").encode("utf-8", "backslashreplace")
    return '"' + "".join(chr(b) if b in PRINTED else f"\\{b:03o}" for b in letters) + '"'
