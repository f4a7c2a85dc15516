"""The front: the best policy of each complexity, structure and weights searched together."""

from glasstree.closedloop.front.choice import Front, Row
from glasstree.closedloop.front.stage import explore

__all__ = ["Front", "Row", "explore"]
