"""Options that commands share, declared once: a command takes a group as one argument."""

import inspect
import json
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, fields, is_dataclass
from shlex import quote
from typing import Annotated, Any, get_type_hints

import typer

from glasstree.cli.arguments import ImportOption
from glasstree.cli.console import AddressOption, EngineOption, WorkersOption

Explained = Annotated[str | None, typer.Option(help="What to explain; by default the task's own.")]


@dataclass(frozen=True)
class Chosen:
    """Options that decide the result; those that are not given suit the task."""

    recipe: Annotated[str | None, typer.Option(help="default, or paper: its GA, no dagger.")] = None
    data: Annotated[
        str | None,
        typer.Option(
            help="Training states: dagger, regular, balanced, or a log: minari:ID or a file."
        ),
    ] = None
    samples: Annotated[
        int | None,
        typer.Option(
            help="States to train and test on; with dagger to test on.", show_default="10000"
        ),
    ] = None
    depth: Annotated[int | None, typer.Option(help="Most rules between root and leaf.")] = None
    terms: Annotated[int | None, typer.Option(help="Most terms per rule.", show_default="3")] = None
    solver: Annotated[
        str | None, typer.Option(help="Weights: scan, rga or sqp.", show_default="scan")
    ] = None
    parsimony: Annotated[
        float | None,
        typer.Option(
            help="Impurity that one more exponent in a rule must be worth.", show_default="0.005"
        ),
    ] = None
    episodes: Annotated[
        int | None, typer.Option(help="Unseen episodes for the figures.", show_default="1000")
    ] = None
    seed: Annotated[
        int | None,
        typer.Option(min=0, max=2**31 - 1, help="Same seed, same result.", show_default="0"),
    ] = None


@dataclass(frozen=True)
class Kept:
    """The folder of a run."""

    resume: Annotated[bool, typer.Option("--resume", help="Continue a stopped run.")] = False
    overwrite: Annotated[bool, typer.Option("--overwrite", help="Replace a run.")] = False


@dataclass(frozen=True)
class Own:
    """What users say of an environment of theirs; runs and policies keep it."""

    module: ImportOption = None
    names: Annotated[
        str | None, typer.Option(help="Names of the variables, with commas between them.")
    ] = None
    units: Annotated[str | None, typer.Option(help="Their units, such as m,m/s,,rad.")] = None
    actions: Annotated[
        str | None, typer.Option(help="Names of the actions, such as off,half,full.")
    ] = None
    step_limit: Annotated[
        int | None, typer.Option(min=1, help="Longest episode of an own environment.")
    ] = None
    env_kwargs: Annotated[
        str | None, typer.Option(help="Arguments of an own environment, such as pump=0.7,size=3.")
    ] = None
    success: Annotated[
        str | None, typer.Option(help="survived, reached, or a bound such as 'reward >= 195'.")
    ] = None

    def words(self) -> dict[str, Any]:
        """Return what was said, as get_task takes it."""
        return said(
            module=self.module,
            state_names=_list(self.names),
            units=_list(self.units),
            actions=_list(self.actions),
            step_limit=self.step_limit,
            env_kwargs=None if self.env_kwargs is None else arguments(self.env_kwargs),
            success=self.success,
        )

    def again(self) -> str:
        """Return what was said, to say it again on a command line."""
        return "".join(
            f" {option_of(name)} {quote(str(value))}"
            for name, value in vars(self).items()
            if value is not None
        )


def arguments(text: str) -> dict[str, Any]:
    """Read arguments of an environment: name=value with commas between them, or a JSON object.

    >>> arguments("pump=0.7,slippery=false,map=8x8")
    {'pump': 0.7, 'slippery': False, 'map': '8x8'}
    """
    from glasstree.errors import OptionError

    pairs = [word.partition("=") for word in text.split(",")]
    if text.lstrip().startswith("{"):
        try:
            found: dict[str, Any] = json.loads(text)
        except ValueError as error:
            raise OptionError(f"--env-kwargs: not a JSON object: {error}") from None
        return found
    if not all(name.isidentifier() and sign for name, sign, _ in pairs):
        raise OptionError(f"--env-kwargs needs name=value, with commas between them, got {text!r}")
    return {name: value(word) for name, _, word in pairs}


def value(text: str) -> Any:
    """Return the number, truth or text that a word means."""
    with suppress(ValueError):
        return json.loads(text.lower() if text in ("True", "False") else text)
    return text


def _list(text: str | None) -> list[str] | None:
    return None if text is None else text.split(",")


@dataclass(frozen=True)
class Working:
    """Where the work runs; it never changes the result."""

    workers: WorkersOption = 0
    engine: EngineOption = "local"
    address: AddressOption = None


def option_of(name: str) -> str:
    """Return the option that sets a field of a group.

    >>> option_of("step_limit"), option_of("module")
    ('--step-limit', '--import')
    """
    return f"--{'import' if name == 'module' else name.replace('_', '-')}"


def said(*groups: Any, **words: Any) -> dict[str, Any]:
    """Return the options that were given on the command line, by name."""
    every = {name: value for group in groups for name, value in vars(group).items()} | words
    return {name: value for name, value in every.items() if value is not None}


def with_groups(command: Callable[..., None]) -> Callable[..., None]:
    """Let each field of a command's groups be an option of its own.

    >>> with_groups(lambda: None)()
    """
    hints = get_type_hints(command, include_extras=True)
    groups: dict[str, Any] = {}
    parameters: list[inspect.Parameter] = []
    for name, parameter in inspect.signature(command).parameters.items():
        kind = hints.get(name, parameter.annotation)
        if is_dataclass(kind):
            groups[name] = kind
            own = get_type_hints(kind, include_extras=True)
            parameters += [_option(one.name, own[one.name], one.default) for one in fields(kind)]
        else:
            parameters.append(_option(name, kind, parameter.default))

    def call(**words: Any) -> None:
        made = {
            name: kind(**{field.name: words.pop(field.name) for field in fields(kind)})
            for name, kind in groups.items()
        }
        command(**made, **words)

    call.__name__, call.__doc__, call.__module__ = (
        command.__name__,
        command.__doc__,
        command.__module__,
    )
    call.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]
    call.__annotations__ = {one.name: one.annotation for one in parameters}
    return call


def _option(name: str, kind: Any, default: Any) -> inspect.Parameter:
    keyword = inspect.Parameter.KEYWORD_ONLY
    return inspect.Parameter(name, keyword, default=default, annotation=kind)
