"""Exports of trees with hostile names, on states that are not numbers, under flags of compilers."""

import random
import shutil
from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from pathlib import Path

import numpy as np

from attack.files import Attack
from formats.export_policies import HOSTILE_ACTIONS, HOSTILE_STATES, random_tree
from glasstree.errors import ExportError
from glasstree.explain import check
from glasstree.explain.checking import RUNNERS
from glasstree.explain.runners import run_c, run_javascript, run_onnx, run_python
from glasstree.explain.states import BOUNDARY, check_states
from glasstree.formats import FORMATS, export
from glasstree.formats.shared.names import RESERVED
from glasstree.policy import PolicyTree

FLAGS = (
    *("-O0", "-O3", "-O3 -march=native", "-O2 -mfma", "-O2 -mfma -flto", "-O3 -funroll-loops"),
    *("-Os", "-O2 -m32", "-O2 -m32 -msse2 -mfpmath=sse", "-O2 -ffast-math", "-Ofast"),
    *("-O2 -funsafe-math-optimizations", "-O2 -ffinite-math-only", "-O2 -freciprocal-math"),
    *("-O2 -fassociative-math -fno-signed-zeros -fno-trapping-math", "-O2 -frounding-math"),
    *("-O2 -fsingle-precision-constant", "-std=c99", "-std=c11", "-std=gnu2x", "-std=gnu90"),
)
COMPILERS = ("gcc", "g++", "clang", "clang++", "aarch64-linux-gnu-gcc")
LETTERS = "aAzZ09_ \\\"'`$%&<>{}[]()/*?#\n\r\t\0\x1b\u202e\u2028é速😀;:|~^"


def names(chance: random.Random, folder: Path) -> Iterator[Attack]:
    """Export trees whose names try to break out, in every format; run those that can be run."""
    words = [*HOSTILE_STATES, *HOSTILE_ACTIONS, *sorted(RESERVED)]
    number = 0
    while True:
        tree = random_tree(chance.randrange(2**31), 2, 3, 2)
        chosen = [_name(words, chance) for _ in range(6)]
        if len(set(chosen[:3])) == 3 and chosen[3] != chosen[4]:
            hostile = replace(
                tree,
                state_names=tuple(chosen[:3]),
                action_names=tuple(chosen[3:5]),
                task=chosen[5],
            )
            format = list(FORMATS)[number % len(FORMATS)]
            yield f"names {chosen!r} as {format}", partial(_exported, hostile, format)
            number += 1


def _name(words: list[str], chance: random.Random) -> str:
    if chance.random() < 0.5:
        return chance.choice(words)
    return "".join(chance.choices(LETTERS, k=chance.randint(1, 12)))


def _exported(tree: PolicyTree, format: str) -> None:
    if format in RUNNERS:
        check(tree, format, count=200)
    else:
        export(tree, format)


def states(chance: random.Random, folder: Path) -> Iterator[Attack]:
    """Ask every export that runs for states with NaN and infinities; all must agree."""
    while True:
        seed = chance.randrange(2**31)
        yield f"states of seed {seed}", partial(_agree, seed)


def _agree(seed: int) -> None:
    tree = random_tree(seed, 3, 4, 3)
    given = np.concatenate(list(check_states(tree, 20_000, seed=seed).values()))
    generator = np.random.default_rng(seed)
    odd = generator.choice([np.nan, np.inf, -np.inf], given.shape)
    given = np.where(generator.random(given.shape) < 0.2, odd, given)
    found = {"python": run_python(str(export(tree, "python")), given)[0]}
    if shutil.which("gcc"):
        found["c"] = run_c(str(export(tree, "c")), given)[0]
    if shutil.which("node"):
        found["javascript"] = run_javascript(str(export(tree, "javascript")), given)[0]
    content = export(tree, "onnx")
    assert isinstance(content, bytes)
    found["onnx"] = run_onnx(content, given)[0]
    for name, actions in found.items():
        wrong = np.flatnonzero(actions != found["python"])
        assert not len(wrong), f"{name} differs from python on {given[wrong[0]].tolist()}"


def flags(chance: random.Random, folder: Path) -> Iterator[Attack]:
    """Compile with each compiler that is here under many flags."""
    tree = random_tree(chance.randrange(2**31), 5)
    for compiler in filter(shutil.which, COMPILERS):
        for words in FLAGS:
            yield f"{compiler} {words}", partial(_compiled, tree, compiler, words)


def _compiled(tree: PolicyTree, compiler: str, words: str) -> None:
    given = check_states(tree, 20_000)[BOUNDARY]
    try:
        actions, _ = run_c(str(export(tree, "c")), given, flags=words.split(), compiler=compiler)
    except OSError as error:
        raise ExportError(f"this machine cannot run it: {error}") from None
    different = int((actions != tree.actions(given)).sum())
    assert not different, f"{different} of {len(given)} boundary states differ"
