"""What is learnt: rules in a tree, with the scaling and the names that give them meaning."""

from glasstree.policy.document import load, save
from glasstree.policy.rule import Rule
from glasstree.policy.scaling import Scaling
from glasstree.policy.tree import Leaf, Node, PolicyTree, Split, Step

__all__ = ["Leaf", "Node", "PolicyTree", "Rule", "Scaling", "Split", "Step", "load", "save"]
