"""Policy files: versioned, validated, readable JSON that is data and nothing else."""

from pathlib import Path
from typing import Annotated, Literal

import msgspec
import numpy as np

from glasstree.errors import PolicyFileError, TaskError
from glasstree.files.strict_json import DuplicateKeyError, parse
from glasstree.files.writing import write_atomically as write_atomically
from glasstree.policy.arrays import MOST_ACTIONS, MOST_VARIABLES
from glasstree.policy.rule import Rule
from glasstree.policy.scaling import Scaling
from glasstree.policy.sources.encoding import Encoding, Kind, Part, Source
from glasstree.policy.sources.plant import Plant, names_no_module
from glasstree.policy.tree import Leaf, Node, PolicyTree, Split, fold

FORMAT = "glasstree-policy"
VERSION = 3
READABLE = (1, 2, 3)  # version 1 has no rules in original units, version 2 no table
PLAIN_VERSION = 2  # of a document without a table, which older readers know
DEEPEST = 100  # rules on the way of a state: walks over a tree are recursive
LARGEST_EXPONENT = 100  # of a document: powers are repeated products
DELIVERED = "policy.json"  # in the folder of a run
LARGEST = 1 << 24  # bytes of a document: far more than its rules may fill
MOST_RULES = 1023  # a full tree of depth 10: more are no explanation
MOST_EXPONENTS = 1 << 22  # terms x variables of all rules, most of them zero: 32 MiB
Units = Literal["normalised", "original"]
WAY_OUT = "write it again, or take it from a copy"


class Struct(msgspec.Struct, forbid_unknown_fields=True):
    """Base of the records: a field that nobody knows is an error."""


class TermRecord(Struct):
    """One weighted power law."""

    weight: float
    exponents: dict[str, int]


class RuleRecord(Struct):
    """The terms of f, its bias, the width where the modulus is set, and the units that it reads."""

    terms: list[TermRecord]
    bias: float
    width: float | None = None
    units: Units = "normalised"


class NodeRecord(Struct, omit_defaults=True):
    """A leaf has an action; a split has a rule, a left and a right."""

    action: str | None = None
    rule: RuleRecord | None = None
    left: "NodeRecord | None" = None
    right: "NodeRecord | None" = None
    counts: list[Annotated[float, msgspec.Meta(ge=0)]] = []


class StateRecord(Struct):
    """A state variable and the range that normalises it."""

    name: str
    unit: str
    minimum: float
    maximum: float


class SourceRecord(Struct, omit_defaults=True):
    """The column of a table that a variable is made from."""

    column: str
    kind: Kind = "number"
    part: Part = ""
    unknown: float = 0.0
    levels: list[str] = []


class TableRecord(Struct):
    """How a table's columns become the states: one source a state."""

    sources: list[SourceRecord]
    gaps: list[str]


class Document(Struct, omit_defaults=True):
    """A whole policy file; environment tells how that of a user is made."""

    format: str
    version: int
    task: str | None
    states: list[StateRecord]
    actions: list[str]
    tree: NodeRecord
    table: TableRecord | msgspec.UnsetType = msgspec.UNSET
    environment: Plant | None = None


def dumps(tree: PolicyTree) -> str:
    """Return the document of a tree as indented JSON."""
    if tree.n_rules > MOST_RULES:
        raise PolicyFileError(
            f"the tree has {tree.n_rules:,} rules, and a policy file holds {MOST_RULES:,}; grow a "
            "smaller one, such as by --depth"
        )
    document = Document(
        format=FORMAT,
        version=VERSION if tree.encoding else PLAIN_VERSION,
        task=tree.task,
        states=[
            StateRecord(name, unit, float(low), float(high))
            for name, unit, low, high in zip(
                tree.state_names,
                tree.units,
                tree.scaling.minimum,
                tree.scaling.maximum,
                strict=True,
            )
        ],
        actions=list(tree.action_names),
        tree=_node_record(tree),
        table=_table_record(tree.encoding) if tree.encoding else msgspec.UNSET,
        environment=tree.plant,
    )
    return msgspec.json.format(msgspec.json.encode(document), indent=2).decode() + "\n"


def loads(text: str | bytes) -> PolicyTree:
    """Return the tree of a document, or say what is wrong with it."""
    if len(text) > LARGEST:
        raise PolicyFileError(f"not a policy document: it has over {LARGEST:,} bytes; {WAY_OUT}")
    _check_header(text)
    try:
        document = msgspec.json.decode(text, type=Document)
        return _tree(document)
    except TaskError as error:
        raise PolicyFileError(str(error)) from None
    except (msgspec.DecodeError, ValueError, OverflowError, RecursionError) as error:
        raise PolicyFileError(f"not a valid policy document: {error}; {WAY_OUT}") from None


def save(tree: PolicyTree, path: str | Path) -> None:
    """Write a policy file, all of it or nothing."""
    try:
        write_atomically(path, dumps(tree).encode())
    except OSError as error:
        reason = error.strerror or str(error)
        raise PolicyFileError(f"cannot write policy file {str(path)!r}: {reason}") from None


def load(path: str | Path) -> PolicyTree:
    """Read a policy file, or the one in the folder of a run."""
    if Path(path).is_dir():
        path = Path(path) / DELIVERED
    try:
        with Path(path).open("rb") as file:
            text = file.read(LARGEST + 1)
    except FileNotFoundError:
        raise PolicyFileError(
            f"there is no policy file {str(path)!r}; `glasstree run TASK` writes one, and --oracle "
            "names an oracle"
        ) from None
    except OSError as error:
        reason = error.strerror or str(error)
        raise PolicyFileError(f"cannot read policy file {str(path)!r}: {reason}") from None
    try:
        return loads(text)
    except PolicyFileError as error:
        raise PolicyFileError(f"{path}: {error}") from None


def _check_header(text: str | bytes) -> None:
    try:
        header = parse(text)
    except DuplicateKeyError as error:
        raise PolicyFileError(f"not a valid policy document: {error}; {WAY_OUT}") from None
    except ValueError as error:
        raise PolicyFileError(f"not JSON, perhaps truncated: {error}; {WAY_OUT}") from None
    if not isinstance(header, dict) or header.get("format") != FORMAT:
        raise PolicyFileError(
            f"not a policy document: its 'format' is not {FORMAT!r}; give the policy.json of a run"
        )
    version = header.get("version")
    if isinstance(version, int) and version > VERSION:
        raise PolicyFileError(
            f"written by a newer glasstree (document version {version}, this one reads up to "
            f"{VERSION}); upgrade with: pip install --upgrade glasstree"
        )
    if version not in READABLE:
        raise PolicyFileError(f"unknown document version {version!r}; expected {VERSION}")


def _node_record(tree: PolicyTree) -> NodeRecord:
    def leaf(node: Leaf) -> NodeRecord:
        return NodeRecord(action=tree.action_names[node.action], counts=list(node.counts))

    def split(node: Split, left: NodeRecord, right: NodeRecord) -> NodeRecord:
        terms = [
            TermRecord(
                float(weight),
                {tree.state_names[j]: int(row[j]) for j in np.flatnonzero(row)},
            )
            for weight, row in zip(node.rule.weights, node.rule.exponents, strict=True)
        ]
        units: Units = "original" if node.rule.raw else "normalised"
        rule = RuleRecord(terms, node.rule.bias, node.rule.width, units)
        return NodeRecord(rule=rule, left=left, right=right, counts=list(node.counts))

    return fold(tree.root, leaf, split)


def _table_record(encoding: Encoding) -> TableRecord:
    sources = [
        SourceRecord(s.column, s.kind, s.part, s.unknown, list(s.levels)) for s in encoding.sources
    ]
    return TableRecord(sources, list(encoding.gaps))


def _encoding(record: TableRecord | msgspec.UnsetType) -> Encoding | None:
    if isinstance(record, msgspec.UnsetType):
        return None
    sources = (Source(s.column, s.kind, s.part, s.unknown, tuple(s.levels)) for s in record.sources)
    return Encoding(tuple(sources), tuple(record.gaps))


def _tree(document: Document) -> PolicyTree:
    names = [state.name for state in document.states]
    if not names or not document.actions:
        raise ValueError("at least one state variable and one action are needed")
    if len(names) > MOST_VARIABLES or len(document.actions) > MOST_ACTIONS:
        raise ValueError(f"more than {MOST_VARIABLES} variables or {MOST_ACTIONS} actions")
    _check_size(document.tree, len(names))
    return PolicyTree(
        root=_node(document.tree, names, document.actions),
        scaling=Scaling(
            [state.minimum for state in document.states],
            [state.maximum for state in document.states],
        ),
        state_names=tuple(names),
        action_names=tuple(document.actions),
        units=tuple(state.unit for state in document.states),
        encoding=_encoding(document.table),
        task=None if document.task is None else names_no_module(document.task),
        plant=document.environment,
    )


def _check_size(root: NodeRecord, variables: int) -> None:
    """Refuse a tree that is small on paper and huge in memory."""
    rules, terms, waiting = 0, 0, [root]
    while waiting:
        node = waiting.pop()
        if node.rule is not None:
            rules, terms = rules + 1, terms + len(node.rule.terms)
        waiting += [child for child in (node.left, node.right) if child is not None]
    if rules > MOST_RULES:
        raise ValueError(f"the tree has {rules:,} rules, more than {MOST_RULES:,}")
    if terms * variables > MOST_EXPONENTS:
        raise ValueError(f"{terms:,} terms of {variables:,} variables are too many")


def _node(record: NodeRecord, names: list[str], actions: list[str], depth: int = 0) -> Node:
    if depth > DEEPEST:
        raise ValueError(f"the tree is deeper than {DEEPEST} rules")
    if record.counts and len(record.counts) != len(actions):
        raise ValueError(f"'counts' needs one number for each of {len(actions)} actions")
    counts = tuple(record.counts)
    if record.rule is not None and record.left is not None and record.right is not None:
        if record.action is not None:
            raise ValueError("a node has either an 'action' or a 'rule', not both")
        left = _node(record.left, names, actions, depth + 1)
        right = _node(record.right, names, actions, depth + 1)
        return Split(_rule(record.rule, names), left, right, counts)
    if record.action is None or record.rule or record.left or record.right:
        raise ValueError("a node needs either an 'action', or a 'rule' with 'left' and 'right'")
    if record.action not in actions:
        raise ValueError(f"action {record.action!r} is not one of {', '.join(actions)}")
    return Leaf(actions.index(record.action), counts)


def _rule(record: RuleRecord, names: list[str]) -> Rule:
    exponents = np.zeros((len(record.terms), len(names)), dtype=np.int64)
    for row, term in zip(exponents, record.terms, strict=True):
        for name, exponent in term.exponents.items():
            if name not in names:
                raise ValueError(f"a rule uses {name!r}, which is not a state variable")
            if abs(exponent) > LARGEST_EXPONENT:
                raise ValueError(f"exponent {exponent} of {name!r} is beyond {LARGEST_EXPONENT}")
            row[names.index(name)] = exponent
    weights = [term.weight for term in record.terms]
    return Rule(exponents, weights, record.bias, record.width, record.units == "original")
