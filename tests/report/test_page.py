"""Pages are deterministic, self-contained and safe, and leave out what a run does not have."""

import re
from dataclasses import replace
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pytest

from glasstree.policy import Leaf, PolicyTree, Rule, Scaling, Split
from glasstree.report import Content, Episode, Stage, write_report
from glasstree.report.comparison import comparison
from glasstree.report.data import MOST_FRAMES, page_data
from glasstree.report.figures import drawings, write_figures
from glasstree.report.page import page
from glasstree.report.typeset import rule_html
from report.contents import content_of_task
from toys import constant_tree, small_tree

HOSTILE = '</script><img src=x onerror="alert(1)"><!-- $x$ &amp;'


@pytest.fixture(scope="module")
def content() -> Content:
    """A content with everything in it."""
    return content_of_task("cartpole")


@pytest.fixture(scope="module")
def text(content: Content) -> str:
    """The page of the content."""
    return page(content)


def test_the_first_screen_tells_the_outcome(text: str) -> None:
    assert "<strong>3 rules, 43 symbols</strong>" in text
    assert "in place of an oracle with <strong>4,610</strong> parameters" in text
    for name in ("oracle", "open loop", "closed loop", "re-engineered"):
        assert f'<th scope="row">{name}</th>' in text
    assert "in 98.7 % of held-back states" in text


def test_the_page_needs_nothing_from_elsewhere(text: str) -> None:
    assert not re.search(r"(src|href)=[\"']?https?:", text)
    assert "@import" not in text
    assert len(text) < 3_000_000


def test_the_same_content_gives_the_same_page(content: Content, text: str, tmp_path: Path) -> None:
    write_report(content, tmp_path / "report.html")
    assert (tmp_path / "report.html").read_text() == text


def hostile_content() -> Content:
    """A content in which every name is an attack."""
    tree = replace(
        small_tree(),
        state_names=(HOSTILE, "$y_1^2$"),
        action_names=(HOSTILE, "b</style>", "c"),
        units=(HOSTILE, ""),
        task=HOSTILE,
    )
    episode = Episode("oracle", np.array([[1.0, 9.0]] * 4), np.array([0, 1, 2, 0]), 1.0)
    stages = (Stage("oracle"), Stage("re-engineered", tree))
    starts = ((episode, replace(episode, policy="re-engineered")),)
    return Content(HOSTILE, HOSTILE, tree, stages, starts=starts)


def test_names_cannot_break_the_page() -> None:
    for text in (page(hostile_content()), comparison([(HOSTILE, hostile_content())] * 2)):
        assert "<img" not in text
        assert "<!--" not in text
        assert "b</style>" not in text
        assert text.count("</script>") == text.count("<script")
        assert "&lt;img" in text


@pytest.mark.parametrize("tree", [small_tree(), constant_tree()], ids=["rules", "constant"])
def test_what_a_run_does_not_have_is_left_out(tree: PolicyTree) -> None:
    text = page(Content("bare", "a policy alone", tree))
    assert 'id="watch"' not in text and "#watch" not in text.split("</style>")[1]
    assert "<caption>" not in text
    assert "parameters</strong>" not in text
    assert 'id="tree"' in text and 'id="try"' in text


def test_no_oracle_no_closed_loop(content: Content) -> None:
    kept = tuple(stage for stage in content.stages if stage.name == "open loop")
    starts = tuple(start[1:2] for start in content.starts)
    policy = kept[0].tree
    assert policy is not None
    bare = replace(
        content,
        policy=policy,
        stages=kept,
        oracle=None,
        oracle_parameters=None,
        curve={},
        starts=starts,
    )
    text = page(bare)
    assert '<th scope="row">oracle</th>' not in text
    assert "Closed-loop training" not in text
    assert "training" not in [drawn.name for drawn in drawings(bare)]


def test_long_episodes_are_thinned() -> None:
    steps = 50_001
    states = np.random.default_rng(0).normal(size=(steps, 2))
    episode = Episode("policy", states, np.arange(steps) % 3, 1.0)
    data = page_data(Content("long", "", small_tree(), starts=((episode,),)))
    film = data["starts"][0][0]
    assert film["steps"] == steps and film["stride"] == 51
    assert len(film["actions"]) <= MOST_FRAMES
    assert len(page(Content("long", "", small_tree(), starts=((episode,),)))) < 1_000_000


def test_figures_are_written_as_png_and_svg(content: Content, tmp_path: Path) -> None:
    paths = write_figures(content, tmp_path / "figures")
    names = {path.stem for path in paths}
    assert names >= {"map_1", "actions", "state", "rewards", "training", "tree_open_loop"}
    assert {"tree_closed_loop", "tree_re-engineered"} <= names
    for path in paths:
        if path.suffix == ".png":
            assert path.read_bytes().startswith(b"\x89PNG")
        else:
            assert ElementTree.parse(path).getroot().tag.endswith("svg")


def test_the_gap_of_cars_is_drawn(tmp_path: Path) -> None:
    names = [drawn.name for drawn in drawings(content_of_task("carfollowing"))]
    assert "gap" in names and "state" not in names


def test_figures_in_a_page_share_no_identifiers(text: str) -> None:
    shown = re.findall(r'<svg role="img".*?</svg>', text, re.DOTALL)
    found = [set(re.findall(r'\bid="([^"]+)"', figure)) for figure in shown]
    assert len(found) == 2
    assert sum(map(len, found)) == len(set().union(*found))


def test_rules_are_typeset() -> None:
    rule = Rule([[1, 0], [0, -2]], [0.5, -1.0], -0.25)
    tree = PolicyTree(
        Split(rule, Leaf(0), Leaf(1)), Scaling([0, 0], [1, 1]), ("theta", "v_rel"), ("a", "b")
    )
    text = rule_html(rule, tree, "normalised")
    assert "<mi>θ</mi>" in text and "<msub><mi>v</mi><mtext>rel</mtext></msub>" in text
    assert "<mfrac>" in text and text.endswith("≤</b>\u00a00.25")
    ElementTree.fromstring(f"<p>{text}</p>")
