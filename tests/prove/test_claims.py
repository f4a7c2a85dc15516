"""Claims about decisions: proved, refuted by a state, or told what is left."""

from pathlib import Path

import numpy as np
import pytest

from glasstree.errors import ClaimError
from glasstree.policy import load
from glasstree.prove import decide_claim, prove
from glasstree.prove.boxes import actions_in_all
from glasstree.prove.checks.policies import possible_actions
from glasstree.prove.claims.conditions import holds_at
from glasstree.prove.claims.language import Reader
from glasstree.prove.vectors import Intervals
from proof_policies import balancing, following, random_claim, random_tree

PAPER = Path(__file__).parents[2] / "examples" / "policies"


def breaks(tree, claim, state):
    said = Reader(claim, tree.state_names, tree.action_names, tree.units).claim()
    action = int(tree.actions(state[np.newaxis])[0])
    return action not in said.allowed and holds_at(said.condition, state)


def test_the_papers_reading_of_its_own_cartpole_rule_is_refuted_by_a_corner():
    tree = load(PAPER / "paper_cartpole.json")
    claim = "theta < 0 and omega < 0 => left"
    answer = decide_claim(tree, claim)
    assert answer.verdict == "refuted"
    state = np.array(list(answer.state.values()))
    assert breaks(tree, claim, state)
    assert answer.state["theta"] < -0.04 and answer.state["omega"] < -0.3


@pytest.mark.parametrize("tree", [following(0.77, 30.04), load(PAPER / "paper_carfollowing.json")])
def test_near_and_closing_means_braking(tree):
    assert prove(tree, "gap < 28 and v_rel < 0 => brake").proved


@pytest.mark.parametrize("claim", ["gap > 25 => accelerate", "v_rel > 0 => accelerate"])
def test_a_refutation_is_a_state_of_the_range_that_breaks_the_claim(claim):
    tree = following(0.77, 30.04)
    answer = decide_claim(tree, claim)
    state = np.array(list(answer.state.values()))
    assert answer.verdict == "refuted" and breaks(tree, claim, state)
    assert (tree.scaling.minimum <= state).all() and (state <= tree.scaling.maximum).all()


def test_the_state_that_breaks_a_claim_is_near_the_middle():
    answer = decide_claim(following(0.77, 30.04), "v_rel in [-7, 7] => brake")
    assert answer.verdict == "refuted"
    assert answer.state == pytest.approx({"gap": 35.0, "v_rel": 0.0, "a_last": 0.0}, abs=0.1)


def test_a_wider_range_changes_the_answer():
    tree = balancing()
    claim = "omega > 0 => right"
    assert decide_claim(tree, claim, ["theta in [0.001, 0.2]"]).verdict == "proved"
    assert decide_claim(tree, claim, ["theta in [-0.2, 0.2]"]).verdict == "refuted"


def test_conditions_beside_the_box_count():
    tree = balancing()
    assert prove(tree, "right", within=["theta + 0.1 * omega > 0.001"]).proved
    assert not prove(tree, "right", within=["theta + 0.1 * omega > -0.001"]).proved


def test_a_claim_on_the_boundary_is_unknown_with_the_part_that_is_left():
    answer = decide_claim(balancing(0.125), "theta + 0.125 * omega > 0 => right", seconds=0.5)
    assert answer.verdict == "unknown"
    assert 0.0 < answer.share_left < 0.05 and set(answer.left) == {"x", "v", "theta", "omega"}


@pytest.mark.parametrize("seed", range(40))
def test_no_answer_contradicts_sampled_states(seed):
    generator = np.random.default_rng(seed)
    tree = random_tree(generator, int(generator.integers(1, 5)), int(generator.integers(1, 5)))
    claim = random_claim(generator, tree)
    try:
        answer = decide_claim(tree, claim, seconds=1.0)
    except ClaimError as error:
        assert "state of the range meets" in str(error)
        return
    low, high = tree.scaling.minimum, tree.scaling.maximum
    if answer.verdict == "refuted":
        assert breaks(tree, claim, np.array(list(answer.state.values())))
    elif answer.verdict == "proved":
        said = Reader(claim, tree.state_names, tree.action_names, tree.units).claim()
        states = generator.uniform(low, high, (20_000, tree.n_variables))
        wrong = ~np.isin(tree.actions(states), list(said.allowed))
        assert not any(holds_at(said.condition, state) for state in states[wrong])


@pytest.mark.parametrize("seed", range(10))
def test_boxes_hold_every_action_that_is_taken_in_them(seed):
    generator = np.random.default_rng(seed)
    tree = random_tree(generator, 4, 5)
    low = generator.uniform(tree.scaling.minimum - 1.0, tree.scaling.maximum, (2000, 4))
    high = low + generator.random(low.shape) * 10.0 ** generator.uniform(-9, 0, (2000, 1))
    found = np.empty(2000, dtype=np.int64)
    actions_in_all(*tree.flat, low, high, found)
    other = possible_actions(tree, Intervals(low, high))
    for _ in range(20):
        states = np.clip(low + (high - low) * generator.random(low.shape), low, high)
        actions = tree.actions(states)
        assert ((found >> actions) & 1).all()
        assert other[np.arange(2000), actions].all()


@pytest.mark.parametrize(
    ("claim", "words"),
    [
        ("gap < 28 m => brake", "write numbers without units, in those of the policy (gap in m"),
        ("gapp < 3 => brake", "unknown variable 'gapp'; did you mean 'gap'?"),
        ("gap < 3 => stop", "unknown action 'stop'; known: accelerate, brake"),
        ("gap < -100 => brake", "no state of the range meets the condition"),
        ("gap > -100 => brake", "every state of the range meets the condition"),
        ("gap < 3 => brake or accelerate", "allows every action"),
        ("gap = 3 => brake", "where a comparison with"),
        ("gap < 3 => brake => brake", "more than one =>"),
        ("gap < => brake", "where a number or a variable should be"),
        ("gap < 1e999 => brake", "too large"),
        ("", "an action"),
        ("gap ; 3", "is not understood"),
        ("(" * 60 + "gap" + ")" * 60 + " < 3 => brake", "inside each other"),
        ("gap < 3 => __import__('os')", "unknown action '__import__'"),
    ],
)
def test_bad_claims_get_one_sentence_with_the_way_out(claim, words):
    tree = load(PAPER / "paper_carfollowing.json")
    with pytest.raises(ClaimError) as error:
        decide_claim(tree, claim)
    assert words in str(error.value) and "\n" not in str(error.value)


@pytest.mark.parametrize(
    ("text", "state", "expected"),
    [
        ("gap < 3 and v_rel > 0", [2.0, 1.0, 0.0], True),
        ("gap < 3 and not v_rel > 0", [2.0, 1.0, 0.0], False),
        ("gap < 3 or v_rel > 0 and a_last > 0", [2.0, -1.0, -1.0], True),
        ("(gap < 3 or v_rel > 0) and a_last > 0", [2.0, -1.0, -1.0], False),
        ("0 < gap <= 2", [2.0, 0.0, 0.0], True),
        ("0 < gap < 2", [2.0, 0.0, 0.0], False),
        ("gap in [1, 2]", [2.0, 0.0, 0.0], True),
        ("2 * (gap - 1) * v_rel - -1 >= 3", [2.0, 1.0, 0.0], True),
        ("abs(v_rel) < 0.5", [0.0, -0.4, 0.0], True),
        ("0.1 + 0.2 <= 0.3 + 0 * gap", [0.0, 0.0, 0.0], True),
        ("'gap' < 3", [2.0, 0.0, 0.0], True),
    ],
)
def test_conditions_mean_what_they_say(text, state, expected):
    tree = following()
    condition = Reader(text, tree.state_names, tree.action_names, tree.units).whole_condition()
    assert holds_at(condition, np.array(state)) == expected
