"""Tuning finds weights on episodes of its own, and gives up on what is hopeless."""

from dataclasses import replace

import numpy as np
import pytest

from closedloop.front.lamps import DARK, FEW, LIGHTS, games, raw_lamp
from glasstree.closedloop.front import tuning
from glasstree.closedloop.front.archive import Entry
from glasstree.closedloop.front.tuning import Trial
from glasstree.episodes import Purpose, episode_seeds
from glasstree.policy import Leaf, PolicyTree, Rule, Scaling, Split
from glasstree.policy.arrays import Floats
from glasstree.tasks import get_task
from toys import LAMP_TASK, SLOW_LAMP_TASK, STEPS, constant_tree, lamp_tree

PERFECT = Entry(lamp_tree(), np.full(FEW.racing_episodes, float(STEPS)), 5)


def trial(number: int = 0, rival: Entry | None = None, generations: int = 6) -> Trial:
    """A rule for the lamp that is wrong by a little."""
    return Trial(raw_lamp(-1.2), number, generations, 10, 1.0, LIGHTS, rival)


def test_a_tuned_lamp_is_perfect() -> None:
    wrong, _ = games().entry(raw_lamp(-1.2))
    found, _ = games().tune(trial())
    assert wrong is not None and wrong.mean < STEPS / 2
    assert found is not None and found.mean == STEPS
    assert found.tree.actions([[-1.0], [1.0]]).tolist() == [0, 1]
    assert found.tree.splits()[0].rule.raw and found.complexity == found.tree.complexity


def test_equal_coefficients_of_a_line_stay_equal() -> None:
    cartpole = get_task("cartpole")
    names = (cartpole.state_names, cartpole.action_names)
    rule = Rule(np.eye(4, dtype=int), [0.3, 1.0, 8.0, -1.0], 0.1, raw=True)
    scaling = Scaling(np.zeros(4), np.ones(4))
    tree = PolicyTree(Split(rule, Leaf(0), Leaf(1)), scaling, *names)
    states = np.random.default_rng(0).normal(size=(100, 4))
    found, _ = games(cartpole).tune(Trial(tree, 0, 3, 10, 1.0, states, None))
    assert found is not None
    tuned = found.tree.splits()[0].rule
    used = {
        int(row.argmax()): weight
        for row, weight in zip(tuned.exponents, tuned.weights, strict=True)
    }
    assert used[1] == -used[3] and abs(used[1]) == 1.0
    assert used[0] != 0.3 and used[2] != 8.0
    assert found.complexity == tree.complexity


def test_another_number_is_another_search_and_the_same_number_the_same() -> None:
    one, again, other = (games().tune(trial(number)) for number in (4, 4, 5))
    assert one[0] is not None and again[0] is not None and other[0] is not None
    assert one[0].tree == again[0].tree and one[1] == again[1]
    assert one[0].tree != other[0].tree


@pytest.mark.parametrize("task", [LAMP_TASK, SLOW_LAMP_TASK], ids=["compiled", "gymnasium"])
def test_all_steps_are_counted(task: object, monkeypatch: pytest.MonkeyPatch) -> None:
    played: list[int] = []
    real = tuning.play_candidates

    def counted(*words: object) -> object:
        ends = real(*words)  # type: ignore[arg-type]
        played.append(int(ends.steps.sum()))
        return ends

    monkeypatch.setattr(tuning, "play_candidates", counted)
    playing = games(task)  # type: ignore[arg-type]
    for rival in (None, PERFECT):
        played.clear()
        assert playing.tune(trial(rival=rival))[1] == sum(played) > 0


def test_what_is_hopeless_ends_after_its_first_generations(monkeypatch: pytest.MonkeyPatch) -> None:
    generations: list[int] = []
    playing = games()
    real = playing._halved
    monkeypatch.setattr(playing, "_halved", lambda *w: generations.append(w[2]) or real(*w))
    hopeless = replace(trial(rival=PERFECT), tree=raw_lamp(-500.0), step=1e-6)
    assert playing.tune(hopeless)[0] is None
    assert len(generations) == FEW.trial_generations
    generations.clear()
    assert playing.tune(replace(hopeless, rival=None))[0] is not None
    assert len(generations) == hopeless.generations


def test_each_generation_has_episodes_of_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[list[int]] = []
    playing = games()
    real = playing._halved
    monkeypatch.setattr(playing, "_halved", lambda *w: seen.append(w[2].tolist()) or real(*w))
    longest = FEW.longest_episodes
    playing.tune(replace(trial(number=0), episodes=longest))
    playing.tune(replace(trial(number=1), episodes=longest))
    assert {len(seeds) for seeds in seen} == {longest}
    every = [seed for seeds in seen for seed in seeds]
    assert len(every) == len(set(every)) == 2 * trial().generations * longest


def test_a_tree_that_falls_behind_its_rival_is_not_ranked_to_the_end() -> None:
    whole, steps = games().entry(DARK)
    none, fewer = games().entry(DARK, PERFECT)
    assert whole is not None and none is None
    assert 0 < fewer < steps
    equal, _ = games().entry(lamp_tree(), PERFECT)
    assert equal is not None and equal.mean == STEPS


def test_many_ranking_episodes_have_two_stops() -> None:
    assert games().stops == [4, FEW.racing_episodes]
    playing = games(racing_episodes=2000)
    assert playing.stops == [100, 500, 2000]
    once = Entry(lamp_tree(), np.zeros(2000), 5)
    once.scores[100:500] = 2.0 * STEPS  # far ahead between the stops
    found, steps = playing.entry(lamp_tree(), once)
    assert found is None and steps == 500 * STEPS


def test_the_better_half_plays_all_episodes_and_none_of_the_others_is_above_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    playing, tree = games(), raw_lamp(0.0)
    seen: list[tuple[Floats, list[int]]] = []
    real = playing.play

    def noted(of: object, candidates: Floats, seeds: Floats) -> object:
        seen.append((candidates[:, 1], seeds.tolist()))
        return real(of, candidates, seeds)  # type: ignore[arg-type]

    monkeypatch.setattr(playing, "play", noted)
    biases = np.array([-5.0, 0.0, 5.0, 0.5, -0.5, 7.0])
    candidates = np.column_stack([np.ones(6), biases, np.zeros(6)])
    seeds = episode_seeds(Purpose.VARY, 3, 8, first=16)
    worth, _ = playing._halved(tree, candidates, seeds)
    (all_of_them, first), (half, rest) = seen
    assert len(all_of_them) == 6 and sorted(half) == [-0.5, 0.0, 0.5]
    assert [*first, *rest] == seeds.tolist()
    assert len(first) == 2
    assert worth[[1, 3, 4]].tolist() == [STEPS] * 3
    assert (worth[[0, 2, 5]] < STEPS).all()


def test_luck_in_the_first_episodes_puts_nobody_above_the_better_half(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    playing = games()
    answers = iter([np.repeat([[5.0], [4.0], [3.0], [2.0]], 2, axis=1), np.zeros((2, 6))])
    monkeypatch.setattr(playing, "play", lambda *_: (next(answers), 7))
    worth, steps = playing._halved(DARK, np.zeros((4, 3)), np.arange(8))
    assert steps == 14
    assert worth[2:].max() <= worth[:2].min() < 3.0


def test_a_constant_is_ranked_and_has_nothing_to_tune() -> None:
    found, _ = games().entry(constant_tree())
    assert found is not None and found.complexity == 1
    assert found.mean == games().ranked(constant_tree()).mean
