"""Rules typeset as HTML with MathML, one formula per term, so that a long sum can wrap."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from markupsafe import Markup, escape

from glasstree.formats.latex import GREEK
from glasstree.formats.shared.drawing import RAISED
from glasstree.formats.shared.names import visible
from glasstree.formats.shared.wording import worded
from glasstree.formats.text import TextStyle, short
from glasstree.policy import PolicyTree, Rule
from glasstree.policy.formula import Units
from glasstree.policy.notation import readable

LETTERS = {word: letter for letter, word in GREEK.items()}


@dataclass(frozen=True)
class MathStyle:
    """Formulas as MathML; a hat marks a normalised variable."""

    symbols: tuple[str, ...]
    at_most: str = "≤"
    at_least: str = "≥"

    def number(self, value: float) -> str:
        """Write a number, with a power of ten where it is small or large.

        >>> MathStyle(()).number(1.5e-7)
        '1.5×10⁻⁷'
        """
        mantissa, _, exponent = short(value).partition("e")
        return f"{mantissa}×10{exponent.translate(RAISED)}" if exponent else mantissa

    def base(self, variable: int, shift: float, units: Units) -> str:
        """Write a variable with a hat, or with its shift."""
        symbol = self.symbols[variable]
        if units == "normalised":
            return f'<mover accent="true">{symbol}<mo stretchy="false">^</mo></mover>'
        if not shift:
            return symbol
        sign, size = "−" if shift < 0 else "+", self.number(abs(shift))
        return f"<mrow><mo>(</mo>{symbol}<mo>{sign}</mo><mn>{size}</mn><mo>)</mo></mrow>"

    def product(self, coefficient: str, factors: list[tuple[str, int]]) -> str:
        """Write powers side by side, over what they are divided by."""
        above = [_power(base, exponent) for base, exponent in factors if exponent > 0]
        below = [_power(base, -exponent) for base, exponent in factors if exponent < 0]
        number = [f"<mn>{coefficient}</mn>"] if coefficient else []
        space = '<mspace width="0.17em"></mspace>'
        upper = space.join([*number, *above]) or "<mn>1</mn>"
        if not below:
            return f"<math>{upper}</math>"
        lower = space.join(below)
        fraction = f"<mfrac><mrow>{upper}</mrow><mrow>{lower}</mrow></mfrac>"
        return f'<math display="inline" class="fraction">{fraction}</math>'

    def modulus(self, inside: str) -> str:
        """Write an absolute value with bars."""
        return f"|{inside}|"


def _power(base: str, exponent: int) -> str:
    return base if exponent == 1 else f"<msup>{base}<mn>{exponent}</mn></msup>"


def symbols(names: Sequence[str]) -> tuple[str, ...]:
    """Set names as symbols; those that would look alike stay text."""
    written = [symbol(name) for name in names]
    return tuple(
        mark if written.count(mark) == 1 else text(name)
        for name, mark in zip(names, written, strict=True)
    )


def lettered(names: Sequence[str]) -> tuple[str, ...]:
    """Put Greek letters in the place of their names, if all names stay different.

    >>> lettered(["theta1", "x"])
    ('θ1', 'x')
    """
    pattern = rf"({'|'.join(LETTERS)})(\d*)"
    written = [
        LETTERS[match[1]] + match[2] if (match := re.fullmatch(pattern, name)) else name
        for name in names
    ]
    return tuple(written if len(set(written)) == len(written) else names)


def symbol(name: str) -> str:
    """Set a name as a mathematical symbol where it looks like one, as text otherwise.

    >>> print(symbol("theta1"), symbol("left leg"))
    <msub><mi>θ</mi><mn>1</mn></msub> <mtext>left leg</mtext>
    """
    match = re.fullmatch(r"([^\W\d_]+)(?:_?([0-9]+)|_([A-Za-z0-9]+))?", name)
    if match is None or (match[3] and len(LETTERS.get(match[1], match[1])) > 1):
        return text(name)
    stem = LETTERS.get(match[1], match[1])
    if match[2]:
        return f"<msub><mi>{stem}</mi><mn>{match[2]}</mn></msub>"
    return (
        f"<msub><mi>{stem}</mi><mtext>{match[3]}</mtext></msub>" if match[3] else f"<mi>{stem}</mi>"
    )


def text(name: str) -> str:
    """Set a name as text, whatever it holds."""
    return Markup("<mtext>{}</mtext>").format(visible(name))


def rule_html(rule: Rule, tree: PolicyTree, units: Units) -> Markup:
    """Typeset when a rule goes left; one about a single column of a table stays text."""
    if tree.encoding is not None and rule.exponents.any(axis=0).sum() == 1:
        return escape(worded(tree, rule, units, TextStyle(tree.state_names)))
    style = MathStyle(symbols(tree.state_names))
    whole = readable(rule, tree.scaling, units, style)
    pieces = re.split(r"(<math.*?</math>)", whole)
    outside = [_signs(piece) if number % 2 == 0 else piece for number, piece in enumerate(pieces)]
    return Markup("".join(outside))


def _signs(text: str) -> str:
    """Set signs and bars that stand between formulas; a sign stays with what follows it."""
    text = re.sub(r" ([−+≤≥]) ", " <b>\\1</b>\u00a0", text.replace("-", "−"))
    return text.replace("|", '<span class="bar">|</span>')
