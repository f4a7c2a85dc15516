"""The figures of a content, for the page and as files."""

import io
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import matplotlib
from markupsafe import Markup
from matplotlib.figure import Figure

from glasstree.formats.shared.palette import INK
from glasstree.policy.document import write_atomically
from glasstree.report import charts, maps, sketch
from glasstree.report.content import ORACLE, Content

STYLE = {
    "svg.fonttype": "none",
    "font.family": "sans-serif",
    "font.size": 10,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.titlesize": 10,
    "axes.titleweight": "bold",
    "legend.frameon": False,
    **dict.fromkeys(("text.color", "axes.edgecolor", "axes.labelcolor"), INK),
    **dict.fromkeys(("xtick.color", "ytick.color", "axes.titlecolor"), INK),
}
Painter = Callable[[Figure], None]


@dataclass(frozen=True)
class Drawing:
    """A figure that can be painted: a file's name, words, and how large it is in inches."""

    name: str
    title: str
    caption: str
    paint: Painter
    size: tuple[float, float] = (6.0, 3.2)
    wide: bool = False
    in_page: bool = True


def drawings(content: Content) -> Iterator[Drawing]:
    """Yield every figure for which a content has what it needs."""
    yield from _maps(content)
    yield from _regions(content)
    yield from _times(content)
    yield from _front(content)
    kept = content.lasting if content.front else content.stages
    rewards = {s.name: s.rewards for s in kept if s.rewards is not None}
    if rewards:
        words = "Rewards of single unseen episodes."
        yield Drawing("rewards", "Rewards", words, lambda figure: charts.rewards(figure, rewards))
    if content.curve.get("best"):
        words = "Closed-loop training: reward of the best policy so far and mean of those tried."
        yield Drawing(
            "training", "Training", words, lambda figure: charts.training(figure, content.curve)
        )
    for stage in content.stages:
        if (tree := stage.tree) is not None:
            size = sketch.size_of(tree)
            yield Drawing(
                f"tree_{stage.name.replace(' ', '_')}",
                f"Tree, {stage.name}",
                f"The tree, {stage.name}, with the states of each action that came to a node.",
                lambda figure, tree=tree: sketch.tree(figure, tree),  # type: ignore[misc]
                size,
                in_page=False,
            )


def _front(content: Content) -> Iterator[Drawing]:
    if content.front and all("ci95" in view.figures for view in content.front):
        told = (content.front, content.shown, content.oracle_stage)
        words = (
            "The best policy of each complexity: symbols as printed, rewards with 95 % intervals."
        )
        yield Drawing(
            "front", "Front", words, lambda figure: charts.front(figure, *told), in_page=False
        )


def _regions(content: Content) -> Iterator[Drawing]:
    for number, claim in enumerate(content.claims, 1):
        if (region := claim.region) is not None:
            played = [start[-1].states for start in content.starts]
            names = [content.policy.state_names[variable] for variable in region.variables]
            yield Drawing(
                f"proved_{number}",
                "What is proved",
                f"Proved: {claim.text}. All that can occur, and episodes that were played.",
                lambda figure, region=region, played=played, names=names: maps.region(  # type: ignore[misc]
                    figure, region, played, names
                ),
            )


def _maps(content: Content) -> Iterator[Drawing]:
    visited = [episode.states for start in content.starts for episode in start]
    policies: dict[str, Any] = {content.final.name: content.policy}
    if content.oracle is not None:
        policies = {ORACLE: content.oracle, **policies}
    for number, cut in enumerate(maps.slices(content.policy, visited, content.seen), 1):
        who = "Oracle and tree" if content.oracle is not None else "The tree"
        yield Drawing(
            f"map_{number}",
            "Actions over states",
            f"{who}: the action over {cut.words(content.policy)}. "
            "Lines are the boundaries of the rules.",
            lambda figure, cut=cut: maps.paint(figure, content.policy, policies, cut),  # type: ignore[misc]
            (4.4 * len(policies) + 0.6, 3.6),
            wide=len(policies) > 1,
            in_page=False,
        )


def _times(content: Content) -> Iterator[Drawing]:
    if not content.starts:
        return
    names = {ORACLE, *(stage.name for stage in content.lasting), content.shown.name}
    start = [episode for episode in content.starts[0] if episode.policy in names]
    tree = content.policy
    yield Drawing(
        "actions",
        "Actions over time",
        "The action at every step, from the same start.",
        lambda figure: charts.actions(figure, start, tree.action_names),
        (6.0, 0.75 * len(start) + 1.1),
        in_page=False,
    )
    variable = charts.telling_variable(content)
    name = tree.state_names[variable]
    yield Drawing(
        "gap" if name == "gap" else "state",
        "A variable over time",
        f"{name} over time, from the same start.",
        lambda figure: charts.variable(figure, start, tree, variable, content.scene),
        in_page=False,
    )


def painted(drawing: Drawing) -> Figure:
    """Paint a drawing."""
    figure = Figure(figsize=drawing.size, layout="constrained")
    drawing.paint(figure)
    return figure


def svg_of(drawing: Drawing) -> Markup:
    """Return a drawing as SVG that stands inside a page: its ink is the page's."""
    text = saved(drawing, "svg").decode()
    text = text[text.index("<svg") :].replace(INK, "currentColor")
    text = re.sub(r"<metadata>.*?</metadata>", "", text, flags=re.DOTALL)
    text = re.sub(r'(\bid="|url\(#|xlink:href="#|\bhref="#)', rf"\1{drawing.name}-", text)
    opening = Markup('<svg role="img" aria-label="{}" ').format(drawing.title)
    return Markup(text.replace("<svg ", opening, 1))


def write_figures(content: Content, folder: Path) -> list[Path]:
    """Write every figure as PNG and SVG, and return the paths."""
    folder.mkdir(parents=True, exist_ok=True)
    written = []
    for drawing in drawings(content):
        for kind in ("png", "svg"):
            path = folder / f"{drawing.name}.{kind}"
            write_atomically(path, saved(drawing, kind))
            written.append(path)
    return written


def saved(drawing: Drawing, kind: str) -> bytes:
    """Return a drawing as a file of a kind, png or svg."""
    buffer = io.BytesIO()
    with matplotlib.rc_context({**STYLE, "svg.hashsalt": drawing.name}):
        figure = painted(drawing)
        options = {"metadata": {"Date": None}} if kind == "svg" else {"dpi": 160}
        figure.savefig(buffer, format=kind, transparent=kind == "svg", **options)
    return buffer.getvalue()
