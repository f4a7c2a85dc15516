"""What the files of a run look like; everything that is read from one passes here."""

import tomllib
from pathlib import Path
from typing import Annotated, Any, TypeVar

import msgspec
from msgspec import Meta

from glasstree.errors import RunError
from glasstree.files.strict_json import parse

Count = Annotated[int, Meta(ge=0)]
Seed = Annotated[int, Meta(ge=0, lt=2**31)]
Share = Annotated[float, Meta(ge=0, le=1)]
Seconds = Annotated[float, Meta(ge=0)]
Shape = TypeVar("Shape")


class Chosen(msgspec.Struct):
    """The options that a page of a run needs, which may be all that a folder tells."""

    seed: Seed = 0
    episodes: Annotated[int, Meta(ge=1)] = 1000
    pick: str = "default"


class Config(msgspec.Struct):
    """config.toml: what a run is about; all but the first three are words about its task."""

    task: str
    oracle: str
    options: dict[str, Any]
    state_names: list[str] | None = None
    units: list[str] | None = None
    actions: list[str] | None = None
    module: str | None = None
    step_limit: Annotated[int, Meta(ge=1)] | None = None
    env_kwargs: dict[str, Any] | None = None
    success: str | None = None
    levels: list[list[float]] | None = None
    controls: list[str] | None = None
    train_vary: dict[str, Annotated[list[Any], Meta(min_length=1)]] | None = None

    def words(self) -> dict[str, Any]:
        """Return what is said about the task."""
        said = {name: getattr(self, name) for name in Config.__struct_fields__[3:]}
        return {name: value for name, value in said.items() if value is not None}


class Curve(msgspec.Struct):
    """curve.json: the best and the mean of each generation."""

    best: list[float] = []
    mean: list[float] = []


class WeightSearch(msgspec.Struct):
    """One search in closed_loop.state.json."""

    generation: Count
    improved: Count
    saturated: bool
    best: list[float]
    mean: list[float]
    pace: list[float] | None
    leaders: list[tuple[float, list[float]]]
    search: dict[str, Any] | None


class Figures(msgspec.Struct):
    """What a stage is worth."""

    mean_reward: float
    episode_sd: float
    batch_sd: float | None
    success_rate: Share | None
    ci95: tuple[float, float]
    episodes: Annotated[int, Meta(ge=1)]
    mean_steps: float


class Metrics(msgspec.Struct):
    """metrics.json, as far as a page needs it."""

    stages: dict[str, Figures] = {}
    closed_loop: Curve = msgspec.field(default_factory=Curve)
    test_accuracy: Share | None = None
    agreement: Share | None = None
    agreements: dict[str, Share] = {}  # of the policies of the front, by complexity
    seconds: Seconds | None = None


class Setting(Figures):
    """What a policy is worth under one setting of the environment's arguments."""

    setting: dict[str, Any]


class Measured(msgspec.Struct):
    """One entry of conditions.json: a policy, what was made worse, and every setting in turn."""

    policy: str
    vary: dict[str, Annotated[list[Any], Meta(min_length=1)]]
    noise: Annotated[float, Meta(ge=0)]
    delay: Count
    sticky: Share
    episodes: Annotated[int, Meta(ge=1)]
    seed: Seed
    settings: Annotated[list[Setting], Meta(min_length=1)]


class FrontRow(Figures):
    """One policy of the front in front.json: over unseen episodes, and over choosing ones."""

    complexity: Annotated[int, Meta(ge=1)]
    rules: Count
    rule_length: float
    depth: Count
    worth: float
    choosing: Figures


class FrontFigures(msgspec.Struct):
    """front.json: the policies of the front, and what is asked of the one that is taken."""

    bar: float
    objective: str
    policies: Annotated[list[FrontRow], Meta(min_length=1)]


class Archive(msgspec.Struct):
    """front.state.json: how far the search has come, and the policies that it holds."""

    number: Count
    steps: Count
    cells: list[Annotated[list[str], Meta(min_length=1)]]
    improved: Count = 0


# pairs of variables, and two weights and a bias each
Lines = list[tuple[tuple[Count, Count], tuple[float, float, float]]]


def read_json(path: Path, shape: Any = Any) -> Any:
    """Return the plain values of a file after their shape was checked."""
    try:
        value = parse(path.read_bytes())
        msgspec.convert(value, shape)
    except (OSError, ValueError, msgspec.ValidationError) as error:
        raise RunError(f"{path} is damaged: {error}") from None
    return value


def read_config(path: Path) -> dict[str, Any] | None:
    """Return the configuration of a run, or None where there is none of ours."""
    try:
        config = tomllib.loads(path.read_text())
        msgspec.convert(config, Config)
    except (OSError, ValueError, RecursionError, msgspec.ValidationError):
        return None
    return config


def checked(value: Any, shape: type[Shape], where: Path) -> Shape:
    """Return plain values as a record."""
    try:
        return msgspec.convert(value, shape)
    except msgspec.ValidationError as error:
        raise RunError(f"{where} is damaged: {error}") from None
