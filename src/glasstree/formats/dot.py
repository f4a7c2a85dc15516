"""The tree as a Graphviz graph."""

from glasstree.formats.shared.names import plain, visible
from glasstree.formats.shared.palette import colour
from glasstree.formats.shared.traversal import Place, traverse
from glasstree.formats.shared.wording import worded
from glasstree.formats.text import TextStyle
from glasstree.policy import Leaf, PolicyTree, Split


def to_dot(tree: PolicyTree, note: str = "") -> str:
    """Write a policy as a Graphviz digraph."""
    style = TextStyle(tree.state_names)

    def leaf(node: Leaf, place: Place) -> tuple[int, list[str]]:
        name = visible(tree.action_names[node.action])
        fill = f'style="rounded,filled", fillcolor="{colour(node.action)}"'
        label = _label(f"node {place.number}", name, distribution(node.counts))
        return place.number, [f"n{place.number} [{label}, {fill}];"]

    def split(
        node: Split, place: Place, left: tuple[int, list[str]], right: tuple[int, list[str]]
    ) -> tuple[int, list[str]]:
        rule = worded(tree, node.rule, "normalised", style)
        label = _label(f"node {place.number}", rule, distribution(node.counts))
        edges = [
            f'n{place.number} -> n{left[0]} [label="yes"];',
            f'n{place.number} -> n{right[0]} [label="no"];',
        ]
        return place.number, [f"n{place.number} [{label}];", *left[1], *right[1], *edges]

    lines = [
        *([f"// {plain(note)}"] if note else []),
        "digraph policy {",
        '    node [shape=box, fontname="monospace"];',
        *(f"    {line}" for line in traverse(tree, leaf, split)[1]),
        "}",
    ]
    return "\n".join(lines) + "\n"


def distribution(counts: tuple[float, ...]) -> str:
    """Write how many states of each action came to a node.

    >>> distribution((9310.0, 690.0))
    '[9310, 690]'
    """
    return f"[{', '.join(f'{count:.10g}' for count in counts)}]" if counts else ""


def _label(*lines: str) -> str:
    escaped = [line.replace("\\", "\\\\").replace('"', '\\"') for line in lines if line]
    return 'label="' + "\\n".join(escaped) + '"'
