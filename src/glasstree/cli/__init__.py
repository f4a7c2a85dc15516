"""The command line: words in, pipeline calls, tables out."""

import io
import os
import signal
import sys
import threading
import traceback
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from pkgutil import walk_packages
from typing import Any, NoReturn, TextIO

import typer

from glasstree import __version__
from glasstree.errors import GlasstreeError, Interrupted
from glasstree.files.writing import FULL, way_out

STOPPED = "interrupted; what was finished is kept, nothing is half-written"
STOPPED_CODE = 130  # 128 and the number of the signal, as shells have it
TERMINATED_CODE = 143  # the same of SIGTERM

app = typer.Typer(
    name="glasstree",
    help="See-through policies: a black-box controller in, a few nonlinear rules out.",
    invoke_without_command=True,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
)


def tell_version(wanted: bool) -> None:
    """Print the version and exit."""
    if wanted:
        typer.echo(f"glasstree {__version__}")
        raise typer.Exit


@app.callback(epilog="Begin with: glasstree run cartpole. Every command has its --help.")
def options(
    context: typer.Context,
    debug: bool = typer.Option(False, "--debug", help="Show the traceback of an error."),
    version: bool = typer.Option(
        False, "--version", help="Show the version and exit.", callback=tell_version, is_eager=True
    ),
) -> None:
    """See-through policies: a black-box controller in, a few nonlinear rules out."""
    if context.invoked_subcommand is None:
        from glasstree.cli.welcome import welcome

        typer.echo(welcome())


def register() -> None:
    """Import the commands, each of which adds itself to the app."""
    commands = import_module(f"{__name__}.commands")
    for module in walk_packages(commands.__path__, f"{commands.__name__}."):
        import_module(module.name)


def main(arguments: list[str] | None = None) -> None:
    """Run the command line; errors become one sentence and an exit code."""
    words = sys.argv[1:] if arguments is None else arguments
    debug = "--debug" in words
    write_anything(sys.stdout)
    write_anything(sys.stderr)
    with terminated_like_interrupted() as asked:
        answer(words, debug, asked)


@contextmanager
def terminated_like_interrupted() -> Iterator[list[int]]:
    """Handle SIGTERM like Ctrl-C; the list tells whether it came."""
    asked: list[int] = []

    def end(number: int, frame: Any) -> None:
        asked.append(number)
        threading.excepthook = lambda _: None  # threads of workers that are ended have no say
        if len(asked) == 1:
            raise KeyboardInterrupt

    if threading.current_thread() is not threading.main_thread():
        yield asked
        return
    before, hook = signal.signal(signal.SIGTERM, end), threading.excepthook
    try:
        yield asked
    finally:
        signal.signal(signal.SIGTERM, before)
        threading.excepthook = hook


def answer(words: list[str], debug: bool, asked_to_end: list[int]) -> None:
    """Run a command and report its errors."""
    try:
        register()
        app([word for word in words if word != "--debug"])
    except (KeyboardInterrupt, Interrupted) as error:
        fail(error, STOPPED, TERMINATED_CODE if asked_to_end else STOPPED_CODE, debug)
    except GlasstreeError as error:
        fail(error, str(error), 2, debug)
    except OSError as error:
        fail(error, reason(error), 2, debug)
    except MemoryError as error:
        fail(error, "there is not enough memory for this; ask for less at a time", 2, debug)
    except Exception as error:
        what = f"{type(error).__name__}: {error}"
        fail(error, f"unexpected {what}; --debug shows where, please report it", 1, debug)
    except SystemExit as leaving:
        if leaving.code == STOPPED_CODE:
            fail(leaving, STOPPED, TERMINATED_CODE if asked_to_end else STOPPED_CODE, debug)
        if lost := flushed():
            fail(lost, f"standard output is cut: {reason(lost)}", 2, debug)
        raise


def write_anything(stream: TextIO) -> None:
    """Let a stream write the code of a character that it lacks instead of failing."""
    if isinstance(stream, io.TextIOWrapper):
        stream.reconfigure(errors="backslashreplace")


def flushed() -> OSError | None:
    """Flush standard output; if that fails, drop what is left and say why."""
    try:
        if sys.stdout is not None:  # None where it is closed
            sys.stdout.flush()
    except OSError as error:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return error
    return None


def reason(error: OSError) -> str:
    """Format an error of the operating system.

    >>> reason(FileNotFoundError(2, "No such file or directory", "states.csv"))
    "cannot use 'states.csv': No such file or directory"
    >>> reason(OSError(28, "No space left on device"))
    'cannot write: No space left on device; make room, or write elsewhere'
    """
    text = error.strerror or str(error)
    if error.errno in FULL:
        place = f"write {error.filename!r}" if error.filename else "write"
        return f"cannot {place}: {text}; {way_out(error)}, or write elsewhere"
    return f"cannot use {error.filename!r}: {text}" if error.filename else text


def fail(error: BaseException, sentence: str, code: int, debug: bool) -> NoReturn:
    """Say what went wrong in one line on standard error and exit."""
    if debug:
        traceback.print_exception(error)
    flushed()
    typer.echo(f"glasstree: {' '.join(sentence.split())}", err=True)
    sys.exit(code)
