"""`glasstree explain`: what the rules say, or why one state leads to one action."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from math import isfinite
from pathlib import Path
from typing import Annotated

import typer

from glasstree.cli import app
from glasstree.cli.arguments import SepOption
from glasstree.cli.console import JsonOption, print_json


@app.command()
def explain(
    policy: Annotated[str, typer.Argument(help="A policy file, or the folder of a run.")],
    state: Annotated[
        str | None, typer.Option(help="Numbers in original units, such as 0.1,-0.2,0,0.")
    ] = None,
    data: Annotated[
        Path | None, typer.Option(help="A CSV or Parquet file with a row to explain.")
    ] = None,
    row: Annotated[int | None, typer.Option(help="Its number below the header, from 1.")] = None,
    sep: SepOption = None,
    as_json: JsonOption = False,
) -> None:
    """Explain a policy: every rule of it, or what it does in one state, or row, and why."""
    from glasstree.errors import OptionError
    from glasstree.explain import explanation_text, reading_text
    from glasstree.policy import load
    from glasstree.workflows.policies import explain as say

    if (data is None) != (row is None) or (state is not None and row is not None):
        raise OptionError("give --state, or --data with --row")
    tree = load(policy)
    if data is not None and row is not None:
        from glasstree.explain.cells import row_text
        from glasstree.workflows.scoring import explain_row

        found = explain_row(tree, data, row, sep=sep)
        if as_json:
            print_json({"policy": policy, "row": row, **asdict(found)})
            return
        typer.echo(row_text(found, f"row {row}"), nl=False)
        return
    if state is None:
        reading = say(tree)
        if as_json:
            rules = [{**asdict(rule), "corners": _corners(rule.corners)} for rule in reading.rules]
            print_json({"used": reading.used, "unused": reading.unused, "rules": rules})
            return
        typer.echo(reading_text(reading), nl=False)
        return
    values = numbers(state or "", tree.state_names)
    explanation = say(tree, values)
    if as_json:
        result = asdict(explanation)
        for flip in result["flips"]:
            flip["share"] = flip["share"] if isfinite(flip["share"]) else None
        print_json({"policy": policy, "state": values, **result})
        return
    typer.echo(explanation_text(explanation, values, tree.state_names), nl=False)


def numbers(text: str, names: Sequence[str]) -> list[float]:
    """Read one number per variable, divided by commas or spaces."""
    from glasstree.errors import OptionError

    try:
        values = [float(word) for word in text.replace(",", " ").split()]
    except ValueError:
        raise OptionError(f"--state takes numbers divided by commas, not {text!r}") from None
    if len(values) != len(names):
        raise OptionError(
            f"--state takes {len(names)} numbers ({', '.join(names)}), not {len(values)}; say "
            f"--state {','.join(['0'] * len(names))}, for example"
        )
    return values


def _corners(corners: Mapping[tuple[str, ...], str]) -> list[dict[str, object]]:
    return [{"ends": list(ends), "side": side} for ends, side in corners.items()]
