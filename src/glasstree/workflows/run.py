"""A run that is kept in a folder: what it was told, what each stage made, what that is worth."""

from collections.abc import Sequence
from functools import cached_property
from pathlib import Path
from typing import Any

from glasstree.closedloop.front import Front
from glasstree.closedloop.front.choice import front_from
from glasstree.errors import RunError
from glasstree.options import Options
from glasstree.policy import PolicyTree
from glasstree.policy.arrays import Floats
from glasstree.report import Content, write_comparison, write_figures, write_report
from glasstree.runs.content import read_content
from glasstree.runs.picking import pick
from glasstree.runs.reading import (
    config_of,
    curve_of,
    front_of,
    metrics_of,
    policies_of,
    rewards_of,
)
from glasstree.runs.shapes import Config
from glasstree.runs.store import CONFIG, PAGE
from glasstree.workflows.conditions import Held, called, others_beside, side_by_side
from glasstree.workflows.policies import task_of_policy
from glasstree.workflows.settings.config import read_options


class Run:
    """The folder of a run, read when it is asked for; no code that it names is executed.

    Only `report`, `figures` and `conditions` play episodes; code of an oracle that the folder names
    needs trust.
    """

    def __init__(self, folder: str | Path) -> None:
        self.folder = Path(folder)
        self._config: Config = config_of(self.folder)

    def __repr__(self) -> str:
        return f"Run({str(self.folder)!r}, task={self.task!r}, stages={list(self.policies)})"

    @property
    def task(self) -> str:
        """The name of the task."""
        return self._config.task

    @property
    def oracle(self) -> str:
        """The name of what is explained: an oracle that is shipped, a file, or module:function."""
        return self._config.oracle

    @cached_property
    def options(self) -> Options:
        """Everything else that decided the result."""
        return read_options(self._config.options, self.folder / CONFIG)

    @cached_property
    def policies(self) -> dict[str, PolicyTree]:
        """The policy of each stage that is finished, in their order."""
        return policies_of(self.folder)

    @property
    def policy(self) -> PolicyTree:
        """The policy of the last stage that is finished."""
        if not self.policies:
            raise RunError(f"{self.folder} has no policy yet; continue it with --resume")
        return list(self.policies.values())[-1]

    @cached_property
    def metrics(self) -> dict[str, Any]:
        """The figures of a finished run; those of each stage stand under "stages"."""
        return metrics_of(self.folder)

    @cached_property
    def curve(self) -> dict[str, list[float]]:
        """The best and the mean reward of each closed-loop generation."""
        return curve_of(self.folder)

    @cached_property
    def rewards(self) -> dict[str, Floats]:
        """The rewards of single unseen episodes, for the oracle and each stage."""
        return rewards_of(self.folder)

    @property
    def front(self) -> Front | None:
        """The best policy of each complexity, with figures; none if the run has no front."""
        known = front_of(self.folder)
        return None if known is None else front_from(*known)

    def pick(self, which: str | int) -> PolicyTree:
        """Pick another policy of the front: policy.json, metrics.json and the page follow.

        which is "best", "simplest", "default", or the most symbols that it may have.
        """
        pick(self.folder, which)
        for name in ("policies", "metrics"):
            self.__dict__.pop(name, None)
        return self.policy

    def content(self, *, module: str | None = None, trust: bool = False) -> Content:
        """Return what a page shows, with episodes that are played for it."""
        return read_content(self.folder, module, trust)

    def report(
        self, out: str | Path | None = None, *, module: str | None = None, trust: bool = False
    ) -> Path:
        """Write the page of the run; return where it is."""
        path = Path(out) if out is not None else self.folder / PAGE
        write_report(self.content(module=module, trust=trust), path)
        return path

    def conditions(
        self,
        *,
        beside: Sequence[str] = (),
        module: str | None = None,
        trust: bool = False,
        **words: Any,
    ) -> dict[str, list[Held]]:
        """Score the policy beside others where things are not as they were; the page will tell.

        Words are those of side_by_side, such as vary and noise; "oracle" is what the run explains.
        """
        policy, said = self.policy, {"module": module} if module else {}
        known = task_of_policy(policy, trust, **said)
        players = {called("", policy): policy, **others_beside(beside, known, trust, self.folder)}
        return side_by_side(players, known, keep=self.folder, **words)

    def figures(
        self, out: str | Path | None = None, *, module: str | None = None, trust: bool = False
    ) -> list[Path]:
        """Write the figures of the run into a folder; return where they are."""
        folder = Path(out) if out is not None else self.folder / "figures"
        return list(write_figures(self.content(module=module, trust=trust), folder))


def open_run(folder: str | Path) -> Run:
    """Open the folder of a run to read in it."""
    return Run(folder)


def report(
    *runs: str | Path | Run,
    out: str | Path | None = None,
    module: str | None = None,
    trust: bool = False,
) -> Path:
    """Write the page of a run, or one page that compares several; return where it is."""
    opened = [run if isinstance(run, Run) else open_run(run) for run in runs]
    if not opened:
        raise RunError("no run to report; name the folder of one")
    if len(opened) == 1:
        return opened[0].report(out, module=module, trust=trust)
    path = Path(out) if out is not None else Path("comparison.html")
    contents = [run.content(module=module, trust=trust) for run in opened]
    names = short_names([run.folder for run in opened])
    write_comparison(list(zip(names, contents, strict=True)), path)
    return path


def short_names(folders: Sequence[Path]) -> list[str]:
    """Name runs by the last part of their folders, or by all of it if names would repeat.

    >>> short_names([Path("a/x"), Path("b/x"), Path("b/y")])
    ['a/x', 'b/x', 'y']
    """
    last = [folder.resolve().name for folder in folders]
    return [
        name if last.count(name) == 1 else str(folder)
        for name, folder in zip(last, folders, strict=True)
    ]
