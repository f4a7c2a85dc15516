"""Files that are wrong: policies, folders of runs, oracles."""

import io
import json
import random
import shutil
import zipfile
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from attack.trials import command, must_work

Attack = tuple[str, Callable[[], None]]
ROOT = Path(__file__).parents[2]
POLICIES = sorted((ROOT / "examples" / "policies").glob("*.json"))
WRONG: list[Any] = [
    *(None, True, -1, 0, 10**400, 1e308, -1e308, 5e-324, "", "x", "\x00", "𝒳" * 50, [], {}),
    *([[]], [None], {"a": None}, [1] * 1000, "psm:links=1000000000", "../../etc", 2**63, -(2**63)),
]


def policies(chance: random.Random, folder: Path) -> Iterator[Attack]:
    """Change bytes, structure and values of policy files."""
    texts = [path.read_text() for path in POLICIES]
    number = 0
    while True:
        text = chance.choice(texts)
        spoil = chance.choice([_bytes, _structure, _structure, _values])
        content = spoil(text, chance)
        yield f"policy {number} by {spoil.__name__}", _reading(content, folder, number)
        number += 1


def _reading(content: bytes, folder: Path, number: int) -> Callable[[], None]:
    ways = (
        ("explain",),
        ("export", "--to", "text"),
        ("export", "--to", "json", "--states", "100"),
        ("evaluate", "--episodes", "2"),
    )

    def read() -> None:
        file = folder / "fuzzed.json"
        file.write_bytes(content)
        first, *rest = ways[number % len(ways)]
        command(first, file, *rest)

    return read


def _bytes(text: str, chance: random.Random) -> bytes:
    content = bytearray(text.encode())
    for _ in range(chance.randint(1, 6)):
        place = chance.randrange(len(content))
        match chance.randrange(4):
            case 0:
                content[place] = chance.randrange(256)
            case 1:
                del content[place : place + chance.randint(1, 40)]
            case 2:
                content[place:place] = chance.randbytes(chance.randint(1, 8))
            case _:
                content[place:place] = content[: chance.randint(1, 60)]
        if not content:
            return b""
    return bytes(content)


def _structure(text: str, chance: random.Random) -> bytes:
    document = json.loads(text)
    for _ in range(chance.randint(1, 3)):
        holder, key = _place(document, chance)
        match chance.randrange(3):
            case 0:
                holder[key] = chance.choice(WRONG)
            case 1:
                del holder[key]
            case _ if isinstance(holder, dict):
                holder[chance.choice(["action", "rule", "left", "width", "unknown"])] = holder[key]
            case _:
                holder.append(holder[key])
    return json.dumps(document).encode()


def _values(text: str, chance: random.Random) -> bytes:
    document = json.loads(text)
    for _ in range(chance.randint(1, 5)):
        holder, key = _place(document, chance)
        if isinstance(holder[key], int | float):
            holder[key] *= chance.choice([-1, 0, 1e300, 1e-300, 10**30, 1.0000001])
    return json.dumps(document).encode()


def _place(document: Any, chance: random.Random) -> tuple[Any, Any]:
    """Choose an entry somewhere inside."""
    places = []
    below = [document]
    while below:
        holder = below.pop()
        keys = range(len(holder)) if isinstance(holder, list) else holder
        for key in keys:
            places.append((holder, key))
            if isinstance(holder[key], list | dict) and holder[key]:
                below.append(holder[key])
    return chance.choice(places) if places else ({"": 0}, "")


def runs(chance: random.Random, folder: Path) -> Iterator[Attack]:
    """Put valid JSON, TOML or bytes of the wrong kind into each file of a finished small run."""
    from small_run import small_run

    whole = folder / "whole"
    small_run(whole)
    names = sorted(str(path.relative_to(whole)) for path in whole.rglob("*") if path.is_file())
    contents = [json.dumps(value).encode() for value in WRONG]
    contents += [b"", b"\xff\xfe\x00", b'a = 1\n[b]\nc = "d"\n', b"task = 1\n", b"[[task]]\n"]
    config = (whole / "config.toml").read_bytes()
    for words in (("report",), ("figures",)):
        unspoilt = _telling(whole, folder / "spoilt", "config.toml", config, words)
        yield f"{words[0]} of a sound run", partial(must_work, unspoilt)
    cases = [(name, content) for name in names for content in contents]
    cases += [(name, _bytes_of(whole / name, chance)) for name in names for _ in range(3)]
    chance.shuffle(cases)
    for number, (name, content) in enumerate(cases):
        words = (("report",), ("figures",))[number % 2]
        label = f"{words[0]} with {name} = {content[:40]!r}"
        yield label, _telling(whole, folder / "spoilt", name, content, words)


def _bytes_of(path: Path, chance: random.Random) -> bytes:
    content = bytearray(path.read_bytes())
    for _ in range(4):
        content[chance.randrange(len(content))] = chance.randrange(256)
    return bytes(content)


def _telling(
    whole: Path, spoilt: Path, name: str, content: bytes, words: tuple[str, ...]
) -> Callable[[], None]:
    def tell() -> None:
        shutil.rmtree(spoilt, ignore_errors=True)
        shutil.copytree(whole, spoilt)
        (spoilt / name).write_bytes(content)
        command(*words, spoilt)

    return tell


def oracles(chance: random.Random, folder: Path) -> Iterator[Attack]:
    """Replace arrays of oracle files, their card and their bytes."""
    found = ROOT / "src" / "glasstree" / "oracles" / "weights" / "cartpole.npz"
    with np.load(found, allow_pickle=False) as archive:
        arrays = {name: archive[name] for name in archive.files}
    strange = [
        *(
            np.array([]),
            np.zeros((2, 2, 2)),
            np.array("text"),
            np.array(1 + 2j),
            np.full(3, np.nan),
        ),
        *(np.zeros((10**4, 10**4), dtype=bool), np.array([1e308, -1e308]), np.int8(3)),
    ]
    yield "a sound oracle", partial(must_work, _evaluating(found.read_bytes(), folder))
    for name in arrays:
        for value in strange:
            yield (
                f"oracle with {name} {value.dtype} {value.shape}",
                _loading({**arrays, name: value}, folder),
            )
        less = {key: value for key, value in arrays.items() if key != name}
        yield f"oracle without {name}", _loading(less, folder)
    content = found.read_bytes()
    for number in range(60):
        spoilt = bytearray(content)
        for _ in range(chance.randint(1, 5)):
            spoilt[chance.randrange(len(spoilt))] = chance.randrange(256)
        yield f"oracle with bytes changed {number}", _evaluating(bytes(spoilt), folder)
    yield "oracle of members that lie about their size", _evaluating(_lying(), folder)


def _loading(arrays: dict[str, Any], folder: Path) -> Callable[[], None]:
    def load() -> None:
        buffer = io.BytesIO()
        np.savez_compressed(buffer, **arrays)
        _evaluating(buffer.getvalue(), folder)()

    return load


def _lying() -> bytes:
    """Return an archive with an array that says to be of 8 TB."""
    buffer = io.BytesIO()
    header = b"{'descr': '<f8', 'fortran_order': False, 'shape': (1000000, 1000000), }"
    header += b" " * (117 - len(header)) + b"\n"
    with zipfile.ZipFile(buffer, "w") as archive:
        head = b"\x93NUMPY\x01\x00" + len(header).to_bytes(2, "little") + header
        archive.writestr("weight0.npy", head)
    return buffer.getvalue()


def _evaluating(content: bytes, folder: Path) -> Callable[[], None]:
    def evaluate() -> None:
        file = folder / "oracle.npz"
        file.write_bytes(content)
        command("evaluate", "--oracle", file, "--task", "cartpole", "--episodes", "2")

    return evaluate
