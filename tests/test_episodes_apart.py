"""Which episodes train, choose and judge: those of one purpose are never seen by another."""

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import gymnasium
import pytest

from glasstree import progress
from glasstree.closedloop import FrontOptions, ReengineeringOptions, ReoptimisationOptions
from glasstree.closedloop.front import exploration, stage
from glasstree.closedloop.front.tuning import Games
from glasstree.data import AggregationOptions, Dataset
from glasstree.episodes import Purpose, episode_seeds, evaluate
from glasstree.openloop import GrowthOptions
from glasstree.pipeline import Result, run_stages
from glasstree.policy import load
from glasstree.policy.arrays import Floats
from glasstree.runs.store import open_store
from glasstree.tasks import get_task
from glasstree.tasks.base import Environment
from toys import LAMP_TASK, SLOW_LAMP_TASK, STEPS, LampEnv, lamp_oracle, lamp_tree, little

NOTING = "glasstree-tests/NotingLamp-v0"
SEED = 7
OPTIONS = little(
    samples=60,
    episodes=15,
    growth=GrowthOptions(max_depth=1),
    aggregation=AggregationOptions(rounds=2, first=60, added=20, episodes=5),
    closed_loop=ReoptimisationOptions(
        generations=6, population=6, episodes=4, racing_episodes=5, choosing_episodes=15
    ),
    front=FrontOptions(
        steps=15_000,
        trial_generations=1,
        generations=2,
        longest=3,
        population=4,
        episodes=4,
        longest_episodes=6,
        racing_episodes=10,
        choosing_episodes=15,
        rounding_episodes=15,
    ),
    reengineering=ReengineeringOptions(states=50, episodes=15, choosing_episodes=15),
    seed=SEED,
)


@dataclass
class Notes:
    """The seeds of episodes by the stage that was told last, up to its last step and since."""

    stage: str = ""
    begun: dict[str, list[int]] = field(default_factory=dict)
    since: dict[str, list[int]] = field(default_factory=dict)
    longest: Counter[str] = field(default_factory=Counter)
    lengths: Counter[int] = field(default_factory=Counter)
    part: str = ""
    parts: dict[str, list[set[int]]] = field(default_factory=dict)
    elsewhere: set[int] = field(default_factory=set)

    def hear(self, event: progress.Event) -> None:
        """Tell stages apart, and what comes after the last step of each."""
        match event:
            case progress.Stage(name):
                self.stage = name
            case progress.Advance(name):
                self.begun.setdefault(name, []).extend(self.since.pop(name, []))

    def note(self, seed: int) -> None:
        """Keep a seed."""
        self.since.setdefault(self.stage, []).append(seed)
        (self.parts[self.part][-1] if self.part else self.elsewhere).add(seed)

    def inside(self, function: Callable[..., Any], part: str) -> Callable[..., Any]:
        """Return a function whose episodes are noted as a part of the front, call by call."""

        def call(*words: Any, **more: Any) -> Any:
            # what is scored with a purpose is scored to choose
            self.part = "choose" if "purpose" in more else part
            self.parts.setdefault(self.part, []).append(set())
            try:
                return function(*words, **more)
            finally:
                self.part = ""

        return call

    def of(self, part: str) -> set[int]:
        """All seeds of a part of the front."""
        return set().union(*self.parts[part])

    @property
    def everything(self) -> dict[str, set[int]]:
        """All seeds of each stage."""
        names = {*self.begun, *self.since}
        return {n: {*self.begun.get(n, ()), *self.since.get(n, ())} for n in names}


NOTES = Notes()
FOLLOWED = set(episode_seeds(Purpose.FOLLOW, SEED, 1000).tolist())


class NotingLampEnv(LampEnv):
    """LampEnv that notes its seeds."""

    def reset(self, *, seed: int | None = None, options: Any = None) -> tuple[Any, dict[str, Any]]:
        """Note the seed."""
        assert seed is not None
        NOTES.note(seed)
        self.time, self.seed = 0, seed
        return super().reset(seed=seed, options=options)

    def step(self, action: int) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        """Note how long the episode is."""
        self.time += 1
        NOTES.longest[NOTES.stage] = max(NOTES.longest[NOTES.stage], self.time)
        NOTES.lengths[self.seed] = max(NOTES.lengths[self.seed], self.time)
        return super().step(action)


if NOTING not in gymnasium.registry:
    gymnasium.register(NOTING, entry_point=NotingLampEnv)

TASK = replace(
    SLOW_LAMP_TASK, environment=Environment(NOTING, step_limit=STEPS), training_steps=2 * STEPS
)


PARTS = (
    (Games, "_halved", "tune"),
    (Games, "entry", "rank"),
    (Games, "_is_hopeless", "rank"),
    (Games, "is_perfect", "rank"),
    (stage, "rounded", "round"),
    (stage, "choose", "choose"),
    (stage, "trimmed", "visit"),
    (stage, "evaluate", "figures"),
)


def wrong_oracle(states: Floats) -> Any:
    """Answer with the light that is not seen, so that there is much to search for."""
    return 1 - lamp_oracle(states)


def noted(oracle: Callable[[Floats], Any]) -> Notes:
    """Return the notes of a whole run."""
    NOTES.__init__()  # type: ignore[misc]
    with progress.listening(NOTES.hear), pytest.MonkeyPatch.context() as patch:
        for holder, name, part in PARTS:
            patch.setattr(holder, name, NOTES.inside(getattr(holder, name), part))
        patch.setattr(exploration, "IDLE", 1.0)  # all steps are spent, so that all parts are played
        run_stages(TASK, oracle, OPTIONS)
    return replace(NOTES)


@pytest.fixture(scope="module")
def notes() -> Notes:
    """What a whole run played."""
    return noted(wrong_oracle)


def test_the_test_set_comes_from_episodes_that_nothing_else_sees(notes: Notes) -> None:
    others = notes.everything
    held_back = others.pop("collect")
    assert len(held_back) > 5
    assert not held_back & set().union(*others.values())


def test_figures_come_from_episodes_that_nothing_else_sees(notes: Notes) -> None:
    others = notes.everything
    final, figures = others.pop("evaluate"), notes.of("figures")
    assert len(final) == OPTIONS.episodes
    assert final == figures, "the front's figures are those of the same unseen episodes"
    others["front"] = set(notes.begun["front"]).union(
        *(notes.of(part) for part in notes.parts if part != "figures")
    )
    assert not final & set().union(*others.values())


def test_the_front_tunes_ranks_rounds_and_chooses_on_episodes_apart(notes: Notes) -> None:
    front = OPTIONS.front
    assert front is not None
    purposes = {
        "tune": (Purpose.VARY, 100_000),
        "rank": (Purpose.RANK, front.racing_episodes),
        "round": (Purpose.ROUND, front.rounding_episodes),
        "choose": (Purpose.CHOOSE, front.choosing_episodes),
        "figures": (Purpose.FINAL, OPTIONS.episodes),
        "visit": (Purpose.VISIT, 100_000),
    }
    assert set(notes.parts) == set(purposes)
    for part, (purpose, count) in purposes.items():
        assert notes.of(part) <= set(episode_seeds(purpose, SEED, count).tolist()), part
        others = [notes.of(other) for other in purposes if other != part]
        assert not notes.of(part) & set().union(*others), part
    for part in ("rank", "round", "choose", "figures"):
        assert len(notes.of(part)) == purposes[part][1], part


def test_what_the_front_is_tuned_ranked_and_rounded_on_no_other_stage_sees(notes: Notes) -> None:
    assert len(notes.elsewhere) > 100
    for part in ("tune", "rank", "round"):
        assert not notes.of(part) & notes.elsewhere, part


def test_every_generation_of_every_tree_of_the_front_has_episodes_of_its_own(notes: Notes) -> None:
    generations = notes.parts["tune"]
    assert len(generations) > 20
    assert len(notes.of("tune")) == sum(map(len, generations))
    assert OPTIONS.front is not None
    few, many = OPTIONS.front.episodes, OPTIONS.front.longest_episodes
    assert {len(seeds) for seeds in generations} == {few, many}


def test_finalists_meet_on_episodes_that_no_search_sees(notes: Notes) -> None:
    count = OPTIONS.closed_loop.choosing_episodes
    choice = set(episode_seeds(Purpose.CHOOSE, SEED, count).tolist())
    search = set().union(*notes.begun.values())
    assert choice <= set(notes.since["closed loop"])
    assert len(search) > 50
    assert not choice & search


def test_every_generation_and_every_round_has_episodes_of_its_own(notes: Notes) -> None:
    played = [
        seed for part in (notes.begun, notes.since) for seeds in part.values() for seed in seeds
    ]
    training = set(episode_seeds(Purpose.TRAIN, SEED, 1000).tolist()) & set(played)
    assert len(training) >= 3 * OPTIONS.closed_loop.episodes
    followed = Counter(seed for seed in played if seed in FOLLOWED)
    assert len(followed) > OPTIONS.aggregation.rounds
    assert set(followed.values()) == {1}


def test_an_episode_is_played_by_its_own_seed() -> None:
    NOTES.__init__()  # type: ignore[misc]
    evaluate(lamp_tree(), TASK, episodes=3, seed=5)
    assert NOTES.since[""] == episode_seeds(Purpose.FINAL, 5, 3).tolist()
    # purpose, seed of the run and number of the episode stand in 4, 31 and 28 bits
    assert NOTES.since[""] == [((3 << 31) + 5 << 28) + number for number in range(3)]


def test_the_same_seed_means_the_same_episodes_for_ever() -> None:
    for task in (LAMP_TASK, SLOW_LAMP_TASK):
        found = evaluate(lamp_tree(-0.9), task, episodes=12)
        assert found.rewards.tolist() == [2, 2, 0, 1, 0, 3, 0, 0, 1, 0, 1, 0]


@pytest.fixture(scope="module")
def kept(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Result]:
    """The folder of a small run of CartPole, and what it told."""

    def leans(states: Floats) -> Any:
        odd = (1e4 * states[:, 0]).astype(int) % 9 == 0
        return (states[:, 2] + states[:, 3] > 0) ^ odd

    few = replace(OPTIONS, data="regular", samples=300, front=None)
    folder = tmp_path_factory.mktemp("runs") / "run"
    config = {"task": "cartpole", "oracle": "leans", "options": {}}
    return folder, run_stages(get_task("cartpole"), leans, few, open_store(folder, config))


def test_training_and_test_states_are_of_different_episodes(kept: tuple[Path, Result]) -> None:
    train, test = (Dataset.load(kept[0] / f"{name}.npz").states for name in ("train", "test"))
    assert len(train) == len(test) == 300
    assert not set(map(tuple, train.tolist())) & set(map(tuple, test.tolist()))


def test_accuracies_are_those_of_the_open_loop_on_each_set(kept: tuple[Path, Result]) -> None:
    folder, result = kept
    shares = []
    for name in ("train", "test"):
        data = Dataset.load(folder / f"{name}.npz")
        shares.append(
            float((load(folder / "open_loop.json").actions(data.states) == data.actions).mean())
        )
    assert shares[0] != shares[1]
    assert [result.figures[f"{name}_accuracy"] for name in ("train", "test")] == shares


def test_weights_are_tuned_on_longer_episodes_than_the_figures() -> None:
    notes = noted(lamp_oracle)
    played = notes.longest
    assert (played["collect"], played["evaluate"]) == (STEPS, STEPS)
    racing = episode_seeds(Purpose.RACE, SEED, OPTIONS.closed_loop.racing_episodes)
    assert {notes.lengths[int(seed)] for seed in racing} == {2 * STEPS}
    assert (played["closed loop"], played["front"]) == (2 * STEPS, 2 * STEPS)
