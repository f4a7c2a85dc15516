"""The language of claims: `gap < 28 and v_rel < 0 => brake`, read by a grammar.

claim       = [condition "=>"] action
condition   = both {"or" both};  both = single {"and" single}
single      = "not" single | "(" condition ")" | sum {comparison sum} | sum "in" "[" sum "," sum "]"
sum         = product {("+" | "-") product};  product = factor {"*" factor}
factor      = number | name | "-" factor | "abs" "(" sum ")" | "(" sum ")"
action      = some {"or" some};  some = "not" some | "(" action ")" | name | "in" "{" names "}"

A name with other signs than letters, digits and _ is written in quotes.
"""

from collections.abc import Callable, Sequence
from typing import NoReturn, TypeVar

from glasstree.errors import ClaimError, unknown
from glasstree.prove.claims.syntax import (
    HELP,
    All,
    Claim,
    Condition,
    Expression,
    Modulus,
    Negative,
    Not,
    Number,
    Product,
    Some,
    Sum,
    Token,
    Variable,
    exact,
    less,
    minus,
    tokens_of,
)

Inner = TypeVar("Inner")
DEEPEST = 50
CONDITIONS = ("<", "<=", ">", ">=", "in", "and", "or", "not")


class Reader:
    """Reads one claim about the variables and actions of a policy."""

    def __init__(
        self, text: str, variables: Sequence[str], actions: Sequence[str], units: Sequence[str]
    ) -> None:
        self.text = text
        self.variables, self.actions, self.units = variables, actions, units
        self.tokens = tokens_of(text)
        self.place = self.depth = 0

    def claim(self) -> Claim:
        """Read a whole claim."""
        arrows = sum(token.text == "=>" and token.kind == "sign" for token in self.tokens)
        if arrows > 1:
            raise ClaimError(f"{self.text!r} has more than one =>; make it one claim each")
        condition: Condition = All(())
        if arrows:
            condition = self.condition()
            self.expect("=>")
        allowed = self.action()
        self.end()
        if not allowed or len(allowed) == len(self.actions):
            which = "no action" if not allowed else "every action"
            raise ClaimError(f"{self.text!r} allows {which}; name some of: {self.names()}")
        return Claim(self.text.strip(), condition, allowed)

    def whole_condition(self) -> Condition:
        """Read a condition and nothing after it."""
        condition = self.condition()
        self.end()
        return condition

    def condition(self) -> Condition:
        """Read parts with or between them."""
        parts = [self.both()]
        while self.skip("or"):
            parts.append(self.both())
        return parts[0] if len(parts) == 1 else Some(tuple(parts))

    def both(self) -> Condition:
        """Read parts with and between them."""
        parts = [self.single()]
        while self.skip("and"):
            parts.append(self.single())
        return parts[0] if len(parts) == 1 else All(tuple(parts))

    def single(self) -> Condition:
        """Read a negation, a condition in brackets, or a comparison."""
        if self.skip("not"):
            return Not(self.deeper(self.single))
        if self.now("(") and self.bracket_compares():
            self.expect("(")
            inner = self.deeper(self.condition)
            self.expect(")")
            return inner
        return self.comparison()

    def comparison(self) -> Condition:
        """Read sums with signs of comparison between them, or a sum in an interval."""
        left = self.sum()
        if self.skip("in"):
            self.expect("[")
            low = self.sum()
            self.expect(",")
            high = self.sum()
            self.expect("]")
            return All((Negative(less(low, left), False), Negative(less(left, high), False)))
        parts: list[Condition] = []
        while self.peek().text in ("<", "<=", ">", ">=") and self.peek().kind == "sign":
            sign = self.next().text
            right = self.sum()
            small, large = (left, right) if sign.startswith("<") else (right, left)
            parts.append(Negative(less(small, large), len(sign) == 1))
            left = right
        if not parts:
            self.wrong("a comparison with <, <=, >, >= or in [a, b]")
        return parts[0] if len(parts) == 1 else All(tuple(parts))

    def sum(self) -> Expression:
        """Read products with + or - between them."""
        left = self.product()
        while self.now("+") or self.now("-"):
            sign = self.next().text
            right = self.product()
            left = Sum(left, right if sign == "+" else minus(right))
        return left

    def product(self) -> Expression:
        """Read factors with * between them."""
        left = self.factor()
        while self.skip("*"):
            left = Product(left, self.factor())
        return left

    def factor(self) -> Expression:
        """Read a number, a variable, a sign, a modulus or brackets."""
        if self.skip("-"):
            return minus(self.deeper(self.factor))
        if self.skip("abs"):
            self.expect("(")
            inner = Modulus(self.deeper(self.sum))
            self.expect(")")
            return inner
        if self.skip("("):
            bracket = self.deeper(self.sum)
            self.expect(")")
            return bracket
        token = self.peek()
        if token.kind == "number":
            self.next()
            self.refuse_units()
            return Number(exact(token.text))
        if token.kind != "name":
            self.wrong("a number or a variable")
        self.next()
        if token.text not in self.variables:
            raise ClaimError(f"{unknown('variable', token.text, self.variables)} in {self.text!r}")
        return Variable(list(self.variables).index(token.text))

    def action(self) -> frozenset[int]:
        """Read actions with or between them."""
        found = self.some_action()
        while self.skip("or"):
            found |= self.some_action()
        return found

    def some_action(self) -> frozenset[int]:
        """Read an action, a negation, brackets, or a set of actions."""
        if self.skip("not"):
            return frozenset(range(len(self.actions))) - self.deeper(self.some_action)
        if self.skip("("):
            inner = self.deeper(self.action)
            self.expect(")")
            return inner
        if not self.skip("in"):
            return frozenset([self.action_name()])
        self.expect("{")
        names = {self.action_name()}
        while self.skip(","):
            names.add(self.action_name())
        self.expect("}")
        return frozenset(names)

    def action_name(self) -> int:
        """Read the name of an action; signs and digits need no quotes."""
        token = self.peek()
        sign = ""
        if token.kind == "sign" and token.text in "+-" and token.text:
            sign, token = self.next().text, self.peek()
        if token.kind not in ("name", "number"):
            self.wrong(f"an action, one of: {self.names()}")
        self.next()
        name = sign + token.text
        if name not in self.actions:
            raise ClaimError(f"{unknown('action', name, self.actions)} in {self.text!r}")
        return list(self.actions).index(name)

    def refuse_units(self) -> None:
        """Say that numbers are written without units."""
        token = self.peek()
        if token.kind == "name":
            known = ", ".join(
                f"{name} in {unit}"
                for name, unit in zip(self.variables, self.units, strict=True)
                if unit
            )
            where = f" ({known})" if known else ""
            raise ClaimError(
                f"{token.text!r} after a number in {self.text!r} is not understood; write numbers "
                f"without units, in those of the policy{where}"
            )

    def names(self) -> str:
        """Name the actions."""
        return ", ".join(self.actions)

    def deeper(self, read: Callable[[], Inner]) -> Inner:
        """Read something inside something."""
        self.depth += 1
        if self.depth > DEEPEST:
            raise ClaimError(f"a claim has at most {DEEPEST} things inside each other")
        inner = read()
        self.depth -= 1
        return inner

    def bracket_compares(self) -> bool:
        """Whether the bracket that comes next holds a condition, not a sum."""
        open_brackets = 0
        for token in self.tokens[self.place :]:
            if token.kind == "sign":
                open_brackets += (token.text == "(") - (token.text == ")")
                if token.text in CONDITIONS:
                    return True
            if open_brackets == 0:
                break
        return False

    def peek(self) -> Token:
        """Return the next token; an empty one at the end."""
        return self.tokens[self.place] if self.place < len(self.tokens) else Token("end", "")

    def next(self) -> Token:
        """Take the next token."""
        token = self.peek()
        self.place += 1
        return token

    def now(self, sign: str) -> bool:
        """Whether a sign comes next."""
        token = self.peek()
        return token.kind == "sign" and token.text == sign

    def skip(self, sign: str) -> bool:
        """Take a sign if it comes next."""
        if not self.now(sign):
            return False
        self.place += 1
        return True

    def expect(self, sign: str) -> None:
        """Take a sign that must come next."""
        if not self.skip(sign):
            self.wrong(repr(sign))

    def end(self) -> None:
        """Make sure that nothing is left."""
        if self.place < len(self.tokens):
            self.wrong("its end")

    def wrong(self, expected: str) -> NoReturn:
        """Say what was expected where."""
        token = self.peek()
        found = f"{token.text!r}" if token.kind != "end" else "its end"
        raise ClaimError(f"{self.text!r} has {found} where {expected} should be; {HELP}")
