"""A story is about its last tree."""

from glasstree.report import Stage, Story
from glasstree.report.data import page_data
from toys import constant_tree, lamp_tree


def test_the_last_stage_with_a_tree_is_the_final_one() -> None:
    stages = (Stage("oracle"), Stage("open loop", constant_tree()), Stage("last", lamp_tree()))
    story = Story("lamp", "", lamp_tree(), stages)
    assert story.final == stages[-1]
    assert story.oracle_stage == stages[0]
    assert Story("lamp", "", lamp_tree()).final.tree == lamp_tree()
    assert [tree["name"] for tree in page_data(story)["trees"]] == ["open loop", "last"]
