"""Values with their first and second derivatives, as intervals over many boxes at once."""

from dataclasses import dataclass

import numpy as np

from glasstree.prove.vectors import Intervals, Operand


@dataclass(frozen=True)
class Jet:
    """Values (n,), their derivatives by k variables (k, n), and the second ones (k, k, n)."""

    value: Intervals
    slopes: Intervals
    bends: Intervals

    def __add__(self, other: "Jet | Operand") -> "Jet":
        if not isinstance(other, Jet):
            return Jet(self.value + other, self.slopes, self.bends)
        return Jet(self.value + other.value, self.slopes + other.slopes, self.bends + other.bends)

    def __neg__(self) -> "Jet":
        return Jet(-self.value, -self.slopes, -self.bends)

    def __sub__(self, other: "Jet") -> "Jet":
        return self + -other

    def __mul__(self, other: "Jet | float") -> "Jet":
        if not isinstance(other, Jet):
            return Jet(self.value * other, self.slopes * other, self.bends * other)
        crossed = outer(self.slopes, other.slopes) + outer(other.slopes, self.slopes)
        return Jet(
            self.value * other.value,
            self.slopes * other.value + other.slopes * self.value,
            self.bends * other.value + other.bends * self.value + crossed,
        )

    def __truediv__(self, other: "Jet") -> "Jet":
        inverse = Intervals.of(1.0) / other.value
        square = inverse**2
        return self * other.through(inverse, -square, square * inverse * 2.0)

    def through(self, value: Intervals, slope: Intervals, bend: Intervals) -> "Jet":
        """Return a function of this one, from its value and its first and second derivative."""
        bends = self.bends * slope + outer(self.slopes, self.slopes) * bend
        return Jet(value, self.slopes * slope, bends)

    def square(self) -> "Jet":
        """Return the square."""
        return self.through(self.value**2, self.value * 2.0, Intervals.of(2.0))

    def sin(self) -> "Jet":
        """Return the sine."""
        sine, cosine = self.value.sin(), self.value.cos()
        return self.through(sine, cosine, -sine)

    def cos(self) -> "Jet":
        """Return the cosine."""
        sine, cosine = self.value.sin(), self.value.cos()
        return self.through(cosine, -sine, -cosine)


def outer(first: Intervals, second: Intervals) -> Intervals:
    """Return all products of two lists of derivatives."""
    return Intervals(first.low[:, np.newaxis], first.high[:, np.newaxis]) * second


def variables(boxes: list[Intervals]) -> list[Jet]:
    """Return jets of k variables in n boxes, by themselves."""
    count, size = len(boxes), len(boxes[0].low)
    ones = np.broadcast_to(np.eye(count)[:, :, np.newaxis], (count, count, size))
    flat = Intervals.of(np.zeros((count, count, size)))
    return [Jet(box, Intervals.of(one), flat) for box, one in zip(boxes, ones, strict=True)]
