"""What is learnt from: labelled states, as the oracle meets them and where earlier trees go."""

from glasstree.data.aggregation import Aggregated, AggregationOptions, aggregate
from glasstree.data.collection import collect, visited_states
from glasstree.data.dataset import Dataset
from glasstree.data.selection import balanced, regular

__all__ = [
    "Aggregated",
    "AggregationOptions",
    "Dataset",
    "aggregate",
    "balanced",
    "collect",
    "regular",
    "visited_states",
]
