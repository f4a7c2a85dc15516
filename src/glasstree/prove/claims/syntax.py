"""What a claim is made of: expressions, conditions, and the pieces that its text is cut into."""

import re
from dataclasses import dataclass
from fractions import Fraction

from glasstree.errors import ClaimError

TOKEN = re.compile(
    r"\s*(?:(?P<number>\d+\.?\d*(?:[eE][+-]?\d+)?|\.\d+(?:[eE][+-]?\d+)?)"
    r"|(?P<name>[^\W\d]\w*)|(?P<quoted>'[^']*'|\"[^\"]*\")"
    r"|(?P<sign>=>|<=|>=|==|[-+*/<>=(){}\[\],|&!]))"
)
WORDS = ("and", "or", "not", "in", "abs")
LONGEST = 10_000
HELP = (
    "write for instance 'x < 0.5 and v > 0 => left', with and, or, not, sums and products, "
    "in [a, b], and in {a, b} for actions"
)


@dataclass(frozen=True)
class Number:
    """A number, exactly as it is written."""

    value: Fraction


@dataclass(frozen=True)
class Variable:
    """A variable of the state, by its place."""

    index: int


@dataclass(frozen=True)
class Sum:
    """first + second."""

    first: "Expression"
    second: "Expression"


@dataclass(frozen=True)
class Product:
    """first * second."""

    first: "Expression"
    second: "Expression"


@dataclass(frozen=True)
class Modulus:
    """|inner|."""

    inner: "Expression"


Expression = Number | Variable | Sum | Product | Modulus


@dataclass(frozen=True)
class Negative:
    """The expression is less than 0 or, unless strict, 0."""

    expression: Expression
    strict: bool


@dataclass(frozen=True)
class Not:
    """The condition does not hold."""

    inner: "Condition"


@dataclass(frozen=True)
class All:
    """Every part holds; with no part, always."""

    parts: tuple["Condition", ...]


@dataclass(frozen=True)
class Some:
    """At least one part holds."""

    parts: tuple["Condition", ...]


Condition = Negative | Not | All | Some


@dataclass(frozen=True)
class Claim:
    """Where the condition holds, the action is one of the allowed ones."""

    text: str
    condition: Condition
    allowed: frozenset[int]


@dataclass(frozen=True)
class Token:
    """A piece of text and what kind of piece it is."""

    kind: str
    text: str


def tokens_of(text: str) -> list[Token]:
    """Cut a text into numbers, names and signs."""
    if len(text) > LONGEST:
        raise ClaimError(f"a claim has at most {LONGEST:,} characters, got {len(text):,}")
    found: list[Token] = []
    place = 0
    while text[place:].strip():
        match = TOKEN.match(text, place)
        if match is None:
            wrong = text[place:].strip()[0]
            raise ClaimError(f"{wrong!r} in {text!r} is not understood; {HELP}")
        kind = str(match.lastgroup)
        word = match.group(kind)
        if kind == "quoted":
            found.append(Token("name", word[1:-1]))
        else:
            plain = "sign" if kind == "name" and word in WORDS else kind
            found.append(Token(plain, word))
        place = match.end()
    return found


def minus(expression: Expression) -> Expression:
    """Return the expression with the other sign."""
    if isinstance(expression, Number):
        return Number(-expression.value)
    return Product(Number(Fraction(-1)), expression)


def less(small: Expression, large: Expression) -> Expression:
    """Return what is negative where one expression is less than another."""
    return Sum(small, minus(large))


def exact(text: str) -> Fraction:
    """Read a number exactly as it is written, if a float64 can be near it."""
    if not abs(float(text)) < 1e300:
        raise ClaimError(f"the number {text} is too large; write one below 1e300")
    if float(text) == 0.0:
        return Fraction(0)
    return Fraction(text)
