"""The content of a page is about its last tree."""

from glasstree.report import Content, Stage
from glasstree.report.data import page_data
from toys import constant_tree, lamp_tree


def test_the_last_stage_with_a_tree_is_the_final_one() -> None:
    stages = (Stage("oracle"), Stage("open loop", constant_tree()), Stage("last", lamp_tree()))
    content = Content("lamp", "", lamp_tree(), stages)
    assert content.final == stages[-1]
    assert content.oracle_stage == stages[0]
    assert Content("lamp", "", lamp_tree()).final.tree == lamp_tree()
    assert [tree["name"] for tree in page_data(content)["trees"]] == ["open loop"]
    assert [view["name"] for view in page_data(content)["views"]] == ["last"]
