"""The command line: words in, pipeline calls, tables out."""

import sys

import click
import typer

from glasstree.errors import GlasstreeError

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
    """Import the modules that add their commands to the app."""
    from glasstree.cli import evaluate, fit, run, tasks  # noqa: F401


def main(arguments: list[str] | None = None) -> None:
    """Run the command line; expected errors become one sentence and an exit code."""
    words = sys.argv[1:] if arguments is None else arguments
    debug = "--debug" in words
    words = [word for word in words if word != "--debug"]
    register()
    try:
        code = app(words, standalone_mode=False)
    except click.ClickException as error:
        error.show()
        sys.exit(error.exit_code)
    except (GlasstreeError, OSError) as error:
        if debug:
            raise
        fail(str(error), 2)
    except (KeyboardInterrupt, click.Abort):
        if debug:
            raise
        fail("interrupted; nothing half-written was left behind", 130)
    sys.exit(code if isinstance(code, int) else 0)


def fail(message: str, code: int) -> None:
    """Say what went wrong on standard error and leave."""
    click.echo(f"glasstree: {' '.join(message.split())}", err=True)
    sys.exit(code)
