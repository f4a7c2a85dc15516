"""JSON that means one thing: no key twice, and every number finite."""

import json
from math import isfinite
from typing import Any


def parse(text: str | bytes) -> Any:
    """Return plain values, or raise ValueError with what is wrong.

    >>> parse('{"a": 1, "a": 2}')
    Traceback (most recent call last):
    glasstree.files.strict_json.DuplicateKeyError: the key 'a' appears twice
    """
    words = text.decode() if isinstance(text, bytes) else text
    try:
        return json.loads(
            words, object_pairs_hook=_unique, parse_constant=_refuse, parse_float=_finite
        )
    except RecursionError:
        raise ValueError("it is nested too deeply") from None


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        keys = [key for key, _ in pairs]
        twice = next(key for key in keys if keys.count(key) > 1)
        raise DuplicateKeyError(f"the key {twice!r} appears twice")
    return found


def _finite(word: str) -> float:
    number = float(word)
    return number if isfinite(number) else _refuse(word)


def _refuse(word: str) -> float:
    raise ValueError(f"{word} is not a finite number")


class DuplicateKeyError(ValueError):
    """A key that stands in an object twice."""
