"""What the commands share: the console, JSON output, progress bars."""

import ctypes
import json
import os
import re
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager, nullcontext, redirect_stdout, suppress
from pathlib import Path
from shutil import which
from time import monotonic
from typing import Annotated, Any

import typer
from rich.box import SIMPLE_HEAD
from rich.console import Console, RenderableType
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    TaskID,
    TextColumn,
    TimeElapsedColumn,
)
from rich.table import Column, Table
from rich.text import Text

from glasstree import progress
from glasstree.cli import STOPPED
from glasstree.cli.ahead import compiling_ahead
from glasstree.errors import Interrupted

console = Console(markup=False, highlight=False)
messages = Console(stderr=True, markup=False, highlight=False)

DECIMAL = re.compile(r"\d+\.\d+(e-?\d+)?")
MOST_ROWS = 12  # of a front that is still growing
LOG_SECONDS = 30.0  # between two lines of progress where there is no terminal

JsonOption = Annotated[bool, typer.Option("--json", help="Print one JSON object and nothing else.")]
ParsimonyOption = Annotated[
    float, typer.Option(help="Impurity that one more exponent in a rule must be worth.")
]
WorkersOption = Annotated[
    int, typer.Option(min=0, help="Cores to use; 0 for all. The result does not depend on it.")
]
EngineOption = Annotated[
    str,
    typer.Option("--engine", help="Who plays the episodes of slow tasks: local, dask or ray."),
]
AddressOption = Annotated[
    str | None,
    typer.Option("--address", help="Cluster as HOST:PORT; without it, one on this machine."),
]
SeedOption = Annotated[
    int, typer.Option("--seed", min=0, max=2**31 - 1, help="Same seed, same result.")
]


def print_json(result: Mapping[str, Any]) -> None:
    """Write one JSON object to standard output."""
    typer.echo(json.dumps(result, allow_nan=False))


def fits(columns: Sequence[str], rows: Sequence[Sequence[str]]) -> bool:
    """Tell whether a table fits the terminal with its heads on one line."""
    longest = [max(map(len, column)) for column in zip(columns, *rows, strict=True)]
    return sum(longest) + 3 * len(longest) + 1 <= console.width


def print_table(
    title: str,
    columns: Sequence[str],
    rows: Sequence[Sequence[str]],
    text: str | tuple[str, ...] = (),
) -> None:
    """Write a table; the first column is text, the others are figures, but for long texts."""
    texts = (text,) if isinstance(text, str) else text
    widths = [max((len(row[number]) for row in rows), default=0) for number in range(len(columns))]
    needed = sum(
        width + 3 for column, width in zip(columns, widths, strict=True) if column not in texts
    )
    narrow = needed > console.width
    table = Table(box=SIMPLE_HEAD, collapse_padding=narrow, pad_edge=not narrow)
    for number, (column, longest) in enumerate(zip(columns, widths, strict=True)):
        is_text = not number or column in texts
        table.add_column(
            column,
            justify="left" if is_text else "right",
            no_wrap=number == 0,
            min_width=None if column in texts else longest,
        )
    for row in rows:
        table.add_row(*row)
    console.print(Text(title, style="bold"), soft_wrap=True)
    console.print(table)


def program() -> str:
    """Return the name under which this program can be called again."""
    called = Path(sys.argv[0])
    return str(called) if called.name == "glasstree" and not which("glasstree") else "glasstree"


def figure(value: float | None, digits: int = 2) -> str:
    """Format a figure for a table.

    >>> figure(1234.5678), figure(None)
    ('1,234.57', '-')
    """
    return "-" if value is None else f"{value:,.{digits}f}"


def percent(value: float | None) -> str:
    """Format a share for a table.

    >>> percent(0.995)
    '99.5 %'
    """
    return "-" if value is None else f"{100 * value:.1f} %"


@contextmanager
def output_aside() -> Iterator[None]:
    """Send what users' code prints, from Python or from C, to standard error in the block."""
    with ExitStack() as stack:
        if sys.stdout is not None:
            sys.stdout.flush()
        with suppress(OSError):  # a closed output cannot be spoilt
            kept = os.dup(1)
            stack.callback(os.close, kept)
            stack.callback(os.dup2, kept, 1)
            os.dup2(2, 1)
        stack.callback(_flush_c)
        stack.enter_context(redirect_stdout(sys.stderr))
        yield


def _flush_c() -> None:
    with suppress(OSError, AttributeError, TypeError):
        ctypes.CDLL(None).fflush(None)


@contextmanager
def showing_progress(quiet: bool = False, learning: Sequence[str] | None = None) -> Iterator[None]:
    """Show events as bars on standard error while the block runs; Ctrl-C ends it cleanly.

    learning: tasks of a command, perhaps none, for which kernels are compiled on two cores.
    """
    ahead = nullcontext() if learning is None else progress.listening(compiling_ahead(learning))
    with ahead, _drawing(quiet):
        yield


@contextmanager
def _drawing(quiet: bool) -> Iterator[None]:
    try:
        if quiet:
            with output_aside():
                yield
        else:
            with Bars() as bars, progress.listening(bars.hear):
                yield
    except KeyboardInterrupt as error:
        raise Interrupted(STOPPED) from error


class Growing(Progress):
    """Bars, and below them on a terminal the front that the search has found so far."""

    front: tuple[tuple[int, float, str], ...] = ()

    def get_renderables(self) -> Iterator[RenderableType]:
        """Yield the bars, then the front."""
        yield self.make_tasks_table(self.tasks)
        if self.front and self.console.is_terminal:
            yield front_so_far(self.front[-MOST_ROWS:])


def front_so_far(rows: Sequence[tuple[int, float, str]]) -> Table:
    """Return the front as a table; rewards are those of training, numbers have few digits."""
    table = Table(title="the front so far", title_justify="left", box=SIMPLE_HEAD)
    for name in ("symbols", "reward in training"):
        table.add_column(name, justify="right", no_wrap=True, min_width=len(name))
    table.add_column("first rule, about", no_wrap=True, overflow="ellipsis")
    for symbols, reward, rule in rows:
        table.add_row(str(symbols), figure(reward), DECIMAL.sub(_shorter, rule))
    return table


def _shorter(number: re.Match[str]) -> str:
    return f"{float(number[0]):.3g}"


class Bars:
    """A listener that draws one bar per stage; in a log file, a line now and then."""

    def __init__(self) -> None:
        whole = Column(no_wrap=True)
        self._progress = Growing(
            TextColumn("{task.description}", table_column=whole),
            BarColumn(bar_width=16),
            MofNCompleteColumn(table_column=whole),
            TimeElapsedColumn(table_column=whole),
            TextColumn("{task.fields[figures]}", table_column=Column(ratio=1)),
            console=messages,
            expand=True,
        )
        self._bars: dict[str, TaskID] = {}
        self._told_compiling = False
        self._told = monotonic()

    def __enter__(self) -> "Bars":
        self._progress.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._finish()
        self._progress.front = ()  # the command itself says what came out
        self._progress.stop()

    def hear(self, event: progress.Event) -> None:
        """Draw an event."""
        match event:
            case progress.Compiling():
                if not self._told_compiling:
                    messages.print("compiling kernels, once for this installation ...")
                self._told_compiling = True
            case progress.Stage(name, total):
                self._finish(endless_only=True)
                if name in self._bars:
                    self._progress.reset(self._bars[name], total=total)
                else:
                    self._bars[name] = self._progress.add_task(name, total=total, figures="")
            case progress.Advance(stage, step, figures):
                words = "  ".join(f"{name} {value:,.5g}" for name, value in figures.items())
                if stage in self._bars:
                    self._progress.update(self._bars[stage], completed=step, figures=words)
                    self._log(self._bars[stage])
            case progress.Found(front):
                self._progress.front = front
            case progress.Note(text):
                messages.print(text)

    def _log(self, bar: TaskID) -> None:
        if messages.is_terminal or monotonic() - self._told < LOG_SECONDS:
            return
        self._told = monotonic()
        stage = self._progress.tasks[bar]
        of = "" if stage.total is None else f" of {stage.total:.0f}"
        words = f"{stage.description}: {stage.completed:.0f}{of}  {stage.fields['figures']}"
        messages.print(words.rstrip(), soft_wrap=True)

    def _finish(self, endless_only: bool = False) -> None:
        for bar in self._progress.tasks:
            if endless_only and bar.total is not None:
                continue
            self._progress.update(bar.id, total=bar.completed or 1, completed=bar.completed or 1)
