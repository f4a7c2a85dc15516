"""Names from outside, made safe: shown to people, or turned into identifiers of code."""

import keyword
import re
from collections.abc import Sequence

WORDS = """
    auto break case char const continue default do double else enum extern float for goto if
    inline int long register restrict return short signed sizeof static struct switch typedef
    union unsigned void volatile while asm alignas alignof bool constexpr nullptr static_assert
    thread_local typeof typeof_unqual true false
    and_eq bitand bitor char8_t char16_t char32_t co_await co_return co_yield compl concept
    const_cast consteval constinit decltype dynamic_cast explicit friend mutable namespace
    noexcept not_eq operator or_eq reinterpret_cast requires static_cast template typeid
    typename using virtual wchar_t xor xor_eq
    arguments await catch class debugger delete eval export finally function implements import
    in instanceof interface let new null package private protected public super this throw try
    undefined var with yield
    abs max min scaled magnitude main module policy state linux unix i386
    Abs Eq Math Max Min Piecewise Symbol normalised original rules scaling
"""
RESERVED = frozenset(WORDS.split()) | frozenset(keyword.kwlist) | frozenset(keyword.softkwlist)
RESERVED_SHAPES = re.compile(r"rule_\d+|(FLT|DBL|LDBL|DECIMAL)_[A-Z_]+")


def visible(name: str) -> str:
    """Show a name on one line: what does not print, and the backslash, become escapes.

    >>> visible("gap\\n")
    'gap\\\\n'
    """
    return "".join(
        letter
        if letter.isprintable() and letter != "\\"
        else letter.encode("unicode_escape", "surrogatepass").decode()
        for letter in name
    )


def plain(name: str) -> str:
    """Show a name in ASCII only, for comments and strings of code.

    >>> plain("größe")
    'gr\\\\xf6\\\\xdfe'
    """
    return visible(name).encode("ascii", "backslashreplace").decode()


def bracketed(name: str) -> str:
    """Show a name inside a formula; one that is not a word stands in brackets.

    >>> bracketed("theta"), bracketed("left leg")
    ('theta', '[left leg]')
    """
    shown = visible(name)
    return shown if re.fullmatch(r"[^\W\d][\w.]*", shown) else f"[{shown}]"


def identifiers(names: Sequence[str]) -> list[str]:
    """Turn names into different ASCII identifiers that are valid in Python, C and JavaScript.

    >>> identifiers(["theta", "2 x", "if", "theta!"])
    ['theta', 'v2_x', 'if_2', 'theta_3']
    """
    chosen: list[str] = []
    for number, name in enumerate(names):
        word = re.sub(r"[^0-9A-Za-z]+", "_", name).strip("_")[:40]
        if not word or word[0].isdigit():
            word = f"v{word or number}"
        if _taken(word, chosen):
            word = f"{word}_{number}"
        while _taken(word, chosen):
            word += "_"
        chosen.append(word)
    return chosen


def _taken(word: str, chosen: list[str]) -> bool:
    return word in RESERVED or word in chosen or RESERVED_SHAPES.fullmatch(word) is not None
