"""What is explained: black-box policies, shipped, trained here or brought by the user."""

from glasstree.oracles.base import Meaning, Oracle
from glasstree.oracles.files import Card, Score
from glasstree.oracles.function import FunctionOracle
from glasstree.oracles.library import (
    load_oracle,
    oracle_card,
    oracle_cards,
    oracle_for,
    oracle_names,
)
from glasstree.oracles.network import NetworkOracle
from glasstree.oracles.tiles import TileOracle

__all__ = [
    "Card",
    "FunctionOracle",
    "Meaning",
    "NetworkOracle",
    "Oracle",
    "Score",
    "TileOracle",
    "load_oracle",
    "oracle_card",
    "oracle_cards",
    "oracle_for",
    "oracle_names",
]
