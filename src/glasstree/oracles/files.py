"""Oracle files: plain arrays and a card in one .npz, never unpickled."""

import io
from pathlib import Path
from typing import Any

import msgspec
import numpy as np

from glasstree.errors import OracleError
from glasstree.files.archive import read_archive
from glasstree.files.strict_json import parse
from glasstree.oracles.network import ActorOracle, NetworkOracle
from glasstree.oracles.tiles import TileOracle
from glasstree.policy.document import write_atomically

FORMAT = "glasstree-oracle-1"
ACTOR = "actions"  # what outputs mean where they are continuous actions


class Score(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Figures over episodes that were not used for training."""

    mean_reward: float
    episode_sd: float
    success_rate: float | None
    episodes: int


class Card(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Where an oracle comes from and what it is worth."""

    task: str
    algorithm: str
    hyperparameters: dict[str, Any]
    steps: int
    seed: int
    date: str
    score: Score | None = None
    format: str = FORMAT


def save_oracle(oracle: NetworkOracle | TileOracle, card: Card, path: str | Path) -> None:
    """Write an oracle and its card, all of it or nothing."""
    arrays: dict[str, Any] = {"card": np.array(msgspec.json.encode(card).decode())}
    if isinstance(oracle, TileOracle):
        arrays["tiles"] = oracle.weights
        arrays["bounds"] = np.array([oracle.low, oracle.high])
    else:
        arrays["activation"] = np.array(oracle.activation)
        actor = isinstance(oracle, ActorOracle)
        arrays["meaning"] = np.array(ACTOR if actor else oracle.meaning)
        for number, (weight, bias) in enumerate(zip(oracle.weights, oracle.biases, strict=True)):
            arrays[f"weight{number}"] = weight
            arrays[f"bias{number}"] = bias
    buffer = io.BytesIO()
    np.savez_compressed(buffer, **arrays)
    write_atomically(path, buffer.getvalue())


def read_arrays(path: str | Path) -> dict[str, Any]:
    """Read the arrays of a file, never unpickling."""
    try:
        return read_archive(path)
    except OSError as error:
        reason = error.strerror or str(error)
        raise OracleError(f"cannot read oracle file {str(path)!r}: {reason}") from None
    except ValueError as error:
        raise OracleError(f"{path}: not an oracle file: {error}") from None


def read_oracle(path: str | Path) -> tuple[NetworkOracle | TileOracle, Card]:
    """Read an oracle and its card, or say what is wrong with the file."""
    arrays = read_arrays(path)
    try:
        card = _card(_word(arrays, "card"))
        return _oracle(arrays), card
    except KeyError as error:
        raise OracleError(f"{path}: not an oracle file, {error} is missing") from None
    except OracleError as error:
        raise OracleError(f"{path}: {error}") from None


def _card(text: str) -> Card:
    try:
        card = msgspec.convert(parse(text), Card)
    except (ValueError, msgspec.ValidationError) as error:
        raise OracleError(f"the card is damaged: {error}") from None
    if card.format != FORMAT:
        raise OracleError(f"oracle format {card.format!r} is not {FORMAT!r}")
    return card


def _oracle(arrays: dict[str, Any]) -> NetworkOracle | TileOracle:
    if "tiles" in arrays:
        bounds = _numbers(arrays, "bounds")
        if bounds.shape != (2, 2):
            raise OracleError(f"'bounds' has shape {bounds.shape}, not (2, 2)")
        return TileOracle(_numbers(arrays, "tiles"), *bounds)
    count = sum(name.startswith("weight") for name in arrays)
    weights = [_numbers(arrays, f"weight{number}") for number in range(count)]
    biases = [_numbers(arrays, f"bias{number}") for number in range(count)]
    activation: Any = _word(arrays, "activation")
    meaning: Any = _word(arrays, "meaning")
    if meaning == ACTOR:
        return ActorOracle(weights, biases, activation)
    return NetworkOracle(weights, biases, activation, meaning)


def _numbers(arrays: dict[str, Any], name: str) -> Any:
    if arrays[name].dtype.kind not in "fiu":
        raise OracleError(f"{name!r} holds {arrays[name].dtype}, not numbers")
    return arrays[name]


def _word(arrays: dict[str, Any], name: str) -> str:
    if arrays[name].shape != () or arrays[name].dtype.kind != "U":
        raise OracleError(f"{name!r} is not a text")
    return str(arrays[name])
