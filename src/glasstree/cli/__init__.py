"""The command line: words in, pipeline calls, tables out."""

import sys
import traceback
from importlib import import_module
from pkgutil import iter_modules

import typer

from glasstree.errors import GlasstreeError, Interrupted

app = typer.Typer(
    name="glasstree",
    help="See-through policies: a black-box controller in, a few nonlinear rules out.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
)


@app.callback()
def options(
    debug: bool = typer.Option(False, "--debug", help="Show the traceback of an error."),
) -> None:
    """See-through policies: a black-box controller in, a few nonlinear rules out."""


def register() -> None:
    """Import the modules of this package, each of which adds its command to the app."""
    for module in iter_modules(__path__):
        import_module(f"{__name__}.{module.name}")


def main(arguments: list[str] | None = None) -> None:
    """Run the command line; expected errors become one sentence and an exit code."""
    words = sys.argv[1:] if arguments is None else arguments
    debug = "--debug" in words
    register()
    try:
        app([word for word in words if word != "--debug"])
    except Interrupted as error:
        fail(error, 130, debug)
    except (GlasstreeError, OSError) as error:
        fail(error, 2, debug)


def fail(error: Exception, code: int, debug: bool) -> None:
    """Say what went wrong in one line on standard error and leave."""
    if debug:
        traceback.print_exception(error)
    typer.echo(f"glasstree: {' '.join(str(error).split())}", err=True)
    sys.exit(code)
