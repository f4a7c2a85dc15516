"""What a page tells: a policy, the stages that led to it, and episodes that were recorded."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from glasstree.policy import PolicyTree, Scaling
from glasstree.policy.arrays import Bools, Floats, Ints, Policy

ORACLE = "oracle"


@dataclass(frozen=True)
class Stage:
    """One row of the table: an oracle (no tree) or a tree, with its figures where it was scored."""

    name: str
    tree: PolicyTree | None = None
    figures: Mapping[str, Any] = field(default_factory=dict)
    rewards: Floats | None = None


@dataclass(frozen=True)
class View:
    """A policy that a page can show, with its figures where it was scored."""

    name: str
    tree: PolicyTree
    figures: Mapping[str, Any] = field(default_factory=dict)

    @cached_property
    def key(self) -> int:
        """What tells it from the others of a front: its number of printed symbols."""
        return self.tree.complexity


@dataclass(frozen=True)
class Episode:
    """One episode of one policy: states (n, variables) and actions (n,)."""

    policy: str
    states: Floats
    actions: Ints
    reward: float
    success: bool | None = None


@dataclass(frozen=True)
class Region:
    """All states that can occur, over two variables: a bitmap between two corners."""

    variables: tuple[int, int]
    low: Floats
    high: Floats
    inside: Bools


@dataclass(frozen=True)
class Claim:
    """What is claimed of the loop, whether it is proved, why, and the states that it rests on."""

    text: str
    verdict: str
    reason: str
    region: Region | None = None


@dataclass(frozen=True)
class Held:
    """How a policy holds up: figures of every combination of arguments that vary, in their order.

    worse says what else is not as it was, such as noise.
    """

    policy: str
    worse: str
    vary: Mapping[str, tuple[Any, ...]]
    episodes: int
    seed: int
    figures: tuple[Mapping[str, Any], ...]


@dataclass(frozen=True)
class Content:
    """Everything that a page shows; each start holds episodes of several policies from one state.

    claims are those of the policy that the run took, with `claimed` symbols.

    Where there is a front, the policy is one of its, and the page can show every other one.
    scene says how to draw a state: its kind, and what that kind needs to know; unknown is what
    nobody can say of the policy.
    """

    name: str
    title: str
    policy: PolicyTree
    stages: tuple[Stage, ...] = ()
    front: tuple[View, ...] = ()
    curve: Mapping[str, list[float]] = field(default_factory=dict)
    starts: tuple[tuple[Episode, ...], ...] = ()
    scene: Mapping[str, Any] = field(default_factory=lambda: {"kind": "generic"})
    oracle: Policy | None = None
    oracle_parameters: int | None = None
    step_limit: int | None = None
    agreement: float | None = None
    seconds: float | None = None
    claims: tuple[Claim, ...] = ()
    claimed: int | None = None
    unknown: str | None = None
    held: tuple[Held, ...] = ()

    @property
    def final(self) -> Stage:
        """The stage of the policy that the page is about."""
        trees = [stage for stage in self.stages if stage.tree is not None]
        return trees[-1] if trees else Stage("policy", self.policy)

    @property
    def seen(self) -> Scaling:
        """The ranges of the states that were learnt from; those of later trees may be rounded."""
        trees = [stage.tree for stage in self.stages if stage.tree is not None]
        return (trees[0] if trees else self.policy).scaling

    @property
    def lasting(self) -> tuple[Stage, ...]:
        """The stages that stay on the page whichever policy it shows."""
        return tuple(stage for stage in self.stages if stage is not self.final)

    @property
    def views(self) -> tuple[View, ...]:
        """The policies that the page can show: those of the front, or the final one alone."""
        return self.front or (View(self.final.name, self.policy, self.final.figures),)

    @property
    def shown(self) -> View:
        """The view that the page opens with."""
        return next(view for view in self.views if view.key == self.policy.complexity)

    @property
    def oracle_stage(self) -> Stage | None:
        """The oracle's row, if it was scored."""
        return next((stage for stage in self.stages if stage.name == ORACLE), None)
