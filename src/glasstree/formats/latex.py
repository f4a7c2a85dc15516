"""Rules for a paper: an algorithm in the style of algorithm2e and a table of equations."""

import re
from dataclasses import dataclass

from glasstree.formats.shared.names import plain, visible
from glasstree.formats.shared.traversal import Place, is_raw, places, scaled_variables, traverse
from glasstree.formats.text import short
from glasstree.policy import Leaf, PolicyTree, Split
from glasstree.policy.formula import Units, formula
from glasstree.policy.notation import interval, one_sided

SPECIAL = {
    "\\": r"\textbackslash{}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "|": r"\textbar{}",
    '"': "{''}",
    **{letter: "\\" + letter for letter in "{}$&#_%"},
}
GREEK_LETTERS = "αβγδεζηθικλμνξπρστυφχψωΓΔΘΛΞΠΣΦΨΩ"
GREEK_WORDS = """
    alpha beta gamma delta epsilon zeta eta theta iota kappa lambda mu nu xi pi rho sigma tau
    upsilon phi chi psi omega Gamma Delta Theta Lambda Xi Pi Sigma Phi Psi Omega
"""
GREEK = dict(zip(GREEK_LETTERS, GREEK_WORDS.split(), strict=True))


@dataclass(frozen=True)
class LatexStyle:
    """Formulas as the paper sets them; a hat marks a normalised variable."""

    symbols: tuple[str, ...]
    fractions: bool = False
    at_most: str = r"\leq"
    at_least: str = r"\geq"

    def number(self, value: float) -> str:
        """Write a number, with a power of ten where it is small or large."""
        mantissa, _, exponent = short(value).partition("e")
        return rf"{mantissa} \times 10^{{{exponent}}}" if exponent else mantissa

    def base(self, variable: int, shift: float, units: Units) -> str:
        """Write a variable with a hat, or with its shift."""
        symbol = self.symbols[variable]
        if units == "normalised":
            return rf"\widehat{{{symbol}}}"
        if not shift:
            return f"{{{symbol}}}"
        return rf"\left({symbol} {'-' if shift < 0 else '+'} {self.number(abs(shift))}\right)"

    def product(self, coefficient: str, factors: list[tuple[str, int]]) -> str:
        """Write powers side by side, or as a fraction."""
        above = [(base, exponent) for base, exponent in factors if exponent > 0]
        below = [(base, -exponent) for base, exponent in factors if exponent < 0]
        if not self.fractions or not below:
            return r"\,".join(filter(None, [coefficient, _powers(factors)])) or "1"
        upper = r"\,".join(filter(None, [coefficient, _powers(above)])) or "1"
        return rf"\frac{{{upper}}}{{{_powers(below)}}}"

    def modulus(self, inside: str) -> str:
        """Write an absolute value with bars that grow."""
        return rf"\left| {inside} \right|"


def to_latex(tree: PolicyTree, note: str = "") -> str:
    """Write a policy as LaTeX: an algorithm, and a table in original units where that differs."""
    lines = [
        r"% Needs \usepackage[ruled,vlined]{algorithm2e} and \usepackage{amsmath}.",
        *([f"% {plain(note)}"] if note else []),
        r"\begin{algorithm}",
        rf"\caption{{Rules{_task(tree)}.{_constants(tree)}}}",
        *_algorithm(tree),
        r"\end{algorithm}",
    ]
    return "\n".join(lines + _table(tree)) + "\n"


def text_of(name: str) -> str:
    """Escape a name for LaTeX text; letters beyond Latin-1 and Greek become their code.

    >>> print(text_of("50% _a"))
    50\\% \\_a
    """
    return "".join(_letter(letter) for letter in visible(name))


def symbol_of(name: str) -> str:
    """Set a name as a mathematical symbol where it looks like one, as text otherwise.

    >>> print(symbol_of("theta"), symbol_of("x0"), symbol_of("v_rel"))
    \\theta x_{0} v_{\\text{rel}}
    """
    match = re.fullmatch(r"([^\W\d_]+)(?:_?([0-9]+)|_([A-Za-z0-9]+))?", name)
    stem = GREEK.get(match[1], match[1]) if match else ""
    if match is None or not (stem in GREEK.values() or (len(stem) == 1 and stem.isascii())):
        return rf"\text{{{text_of(name)}}}"
    head = f"\\{stem}" if stem in GREEK.values() else stem
    if match[2]:
        return f"{head}_{{{match[2]}}}"
    return rf"{head}_{{\text{{{match[3]}}}}}" if match[3] else head


def symbols(names: tuple[str, ...]) -> tuple[str, ...]:
    """Set names as symbols; those that would look alike stay text."""
    written = [symbol_of(name) for name in names]
    return tuple(
        symbol if written.count(symbol) == 1 else rf"\text{{{text_of(name)}}}"
        for name, symbol in zip(names, written, strict=True)
    )


def _letter(letter: str) -> str:
    if letter in SPECIAL:
        return SPECIAL[letter]
    if letter in GREEK:
        return rf"$\{GREEK[letter]}$"
    return letter if ord(letter) < 256 else f"[U+{ord(letter):04X}]"


def _powers(factors: list[tuple[str, int]]) -> str:
    return "".join(base if power == 1 else f"{base}^{{{power}}}" for base, power in factors)


def _task(tree: PolicyTree) -> str:
    return f" for {text_of(tree.task)}" if tree.task else ""


def _constants(tree: PolicyTree) -> str:
    if not scaled_variables(tree):
        return ""
    low = ", ".join(short(float(value)) for value in tree.scaling.minimum)
    high = ", ".join(short(float(value)) for value in tree.scaling.maximum)
    return rf" Normalisation constants: $x^{{\min}} = [{low}]$, $x^{{\max}} = [{high}]$."


def _algorithm(tree: PolicyTree) -> list[str]:
    style = LatexStyle(symbols(tree.state_names))

    def leaf(node: Leaf, place: Place) -> list[str]:
        return [f"Action = {text_of(tree.action_names[node.action])}"]

    def split(node: Split, place: Place, left: list[str], right: list[str]) -> list[str]:
        written = formula(node.rule, tree.scaling, "normalised")
        when = (interval if node.rule.raw else one_sided)(written, style)
        return [rf"\eIf{{${when}$}}", "{", *left, "}", "{", *right, "}"]

    return traverse(tree, leaf, split)


def _table(tree: PolicyTree) -> list[str]:
    style = LatexStyle(symbols(tree.state_names), fractions=True)
    rows = [
        rf"{place.number} & $\displaystyle {_rule(node, tree, style)}$ \\\hline"
        for place, node in places(tree)
        if isinstance(node, Split)
    ]
    if not rows or is_raw(tree):
        return []
    return [
        "",
        r"\begin{table}",
        r"\centering",
        rf"\caption{{Rules{_task(tree)} in original units; a node whose rule holds goes left.}}",
        r"\begin{tabular}{|c|l|}\hline",
        r"{\bf Node} & {\bf Rule} \\\hline",
        *rows,
        r"\end{tabular}",
        r"\end{table}",
    ]


def _rule(node: Split, tree: PolicyTree, style: LatexStyle) -> str:
    return interval(formula(node.rule, tree.scaling, "original"), style)
