"""Everything that glasstree raises on purpose.

GlasstreeError
|-- DataError           states, actions or tables that cannot be learnt from
|-- PolicyFileError     a policy document that is broken, foreign or too new
|-- OracleError         an oracle that cannot be loaded or misbehaves
|-- TaskError           an environment that is unknown, unsuitable or misbehaves
|-- RunError            a run folder that is in the way, foreign or damaged
|-- EngineError         workers that cannot be reached or that keep dying
|-- ClaimError          a claim that cannot be read or says nothing
|-- CertificateError    a certificate that does not hold
|-- OptionError         an option with a value that makes no sense
|-- ExportError         an export that cannot be run, or that differs from its tree
|   `-- ToolMissingError    a program that would run an export is not installed
|-- MissingExtraError   an optional package that is not installed
`-- Interrupted         the user stopped the work
"""

from collections.abc import Iterable
from difflib import get_close_matches


class GlasstreeError(Exception):
    """Base of all errors; its text is one sentence that says what to do."""


class DataError(GlasstreeError, ValueError):
    """States, actions or tables that cannot be learnt from."""


class PolicyFileError(GlasstreeError, ValueError):
    """A policy document that is broken, foreign or too new."""


class OracleError(GlasstreeError, ValueError):
    """An oracle that cannot be loaded or misbehaves."""


class TaskError(GlasstreeError, ValueError):
    """An environment that is unknown, unsuitable or misbehaves."""


class RunError(GlasstreeError):
    """A run folder that is in the way, foreign or damaged."""


class EngineError(GlasstreeError):
    """Workers that cannot be reached or that keep dying."""


class ClaimError(GlasstreeError, ValueError):
    """A claim that cannot be read or says nothing."""


class CertificateError(GlasstreeError, ValueError):
    """A certificate that does not hold."""


class OptionError(GlasstreeError, ValueError):
    """An option with a value that makes no sense."""


class ExportError(GlasstreeError):
    """An export that cannot be run, or that differs from its tree."""


class ToolMissingError(ExportError):
    """A program that would run an export is not installed."""

    def __init__(self, tool: str) -> None:
        super().__init__(f"{tool} was not found")


class MissingExtraError(GlasstreeError, ImportError):
    """An optional package that is not installed."""

    def __init__(self, what: str, extra: str) -> None:
        super().__init__(
            f"{what} needs an optional package; install it with: pip install 'glasstree[{extra}]'"
        )
        self._given = (what, extra)

    def __reduce__(self) -> tuple[type, tuple[str, str]]:
        return type(self), self._given


class Interrupted(GlasstreeError):
    """The user stopped the work."""


def unknown(kind: str, name: str, known: Iterable[str]) -> str:
    """Describe an unknown name, with the nearest known one.

    >>> unknown("task", "cartpol", ["cartpole", "acrobot"])
    "unknown task 'cartpol'; did you mean 'cartpole'?"
    """
    names = sorted(known)
    near = get_close_matches(name, names, n=1, cutoff=0.5)
    hint = f"did you mean '{near[0]}'?" if near else f"known: {', '.join(names)}"
    return f"unknown {kind} {name!r}; {hint}"
