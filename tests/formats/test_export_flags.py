"""Exported C decides the same under ordinary flags, and refuses those under which it would not."""

import shutil
import subprocess
from pathlib import Path

import numpy as np
import pytest

from formats.export_policies import random_tree
from glasstree.errors import ExportError
from glasstree.explain.runners import run_c
from glasstree.explain.states import BOUNDARY, check_states
from glasstree.formats import export
from glasstree.formats.shared.names import identifiers
from glasstree.policy import Leaf, PolicyTree, Rule, Scaling, Split

TREE = random_tree(1, 6)
STATES = check_states(TREE, 10_000)[BOUNDARY]
WARNINGS = ("-Wall", "-Wextra", "-pedantic", "-Werror", "-Wno-unused-const-variable")
LANGUAGES = {"gcc": "gnu17", "clang": "gnu17", "g++": "gnu++17"}
WORDS = """
    alignas alignof bool constexpr false nullptr static_assert thread_local true typeof
    typeof_unqual _Atomic _BitInt _Bool _Complex _Decimal128 _Decimal32 _Decimal64 _Generic
    _Imaginary _Noreturn
    class template operator typename namespace decltype char8_t co_await xor_eq
    FLT_EVAL_METHOD DBL_MAX LDBL_DIG DECIMAL_DIG
"""


def tree_of(names: list[str]) -> PolicyTree:
    """Make a rule that uses every name."""
    width = len(names)
    rule = Rule(np.eye(width, dtype=np.int64), np.ones(width), -1.5 * width)
    scaling = Scaling([0.0] * width, [1.0] * width)
    return PolicyTree(Split(rule, Leaf(0), Leaf(1)), scaling, tuple(names), ("a", "b"))


def links(compiler: str, flags: tuple[str, ...], folder: Path) -> bool:
    """Tell whether a compiler can make a program with some flags here."""
    file = folder / "empty.c"
    file.write_text("#include <stdio.h>\nint main(void) { return 0; }\n")
    command = [compiler, *flags, "-o", str(folder / "empty"), str(file)]
    done = subprocess.run(command, capture_output=True, check=False)
    return done.returncode == 0 and subprocess.run([str(folder / "empty")]).returncode == 0


@pytest.fixture(params=LANGUAGES)
def compiler(request: pytest.FixtureRequest) -> str:
    """Each compiler that is installed."""
    if not shutil.which(request.param):
        pytest.skip(f"{request.param} is not installed")
    return str(request.param)


@pytest.mark.parametrize(
    "flags",
    [
        "-O3 -march=native",
        "-O2 -funsafe-math-optimizations",
        "-O2 -m32 -msse2 -mfpmath=sse",
    ],
)
def test_decisions_are_the_trees(compiler: str, flags: str, tmp_path: Path) -> None:
    given = tuple(flags.split())
    if not links(compiler, given, tmp_path):
        pytest.skip(f"{compiler} cannot do {flags} here")
    given += (f"-std={LANGUAGES[compiler]}", *WARNINGS)
    actions, _ = run_c(str(export(TREE, "c")), STATES, flags=given, compiler=compiler)
    assert np.count_nonzero(actions != TREE.actions(STATES)) == 0


@pytest.mark.parametrize(
    "flags, sentence",
    [
        ("-ffast-math", "fast-math changes decisions"),
        ("-ffinite-math-only", "fast-math changes decisions"),
        ("-m32 -mno-sse -mfpmath=387", "compile with -msse2 -mfpmath=sse"),
        ("-m64 -mfpmath=387", "compile with -msse2 -mfpmath=sse"),
        ("-fsingle-precision-constant", "double_has_64_bits"),
    ],
)
def test_what_would_change_decisions_is_refused(
    compiler: str, flags: str, sentence: str, tmp_path: Path
) -> None:
    given = tuple(flags.split())
    if not links(compiler, ("-Werror", *given), tmp_path):
        pytest.skip(f"{compiler} cannot do {flags} here")
    with pytest.raises(ExportError, match=sentence):
        run_c(str(export(TREE, "c")), STATES, flags=given, compiler=compiler)


def test_old_c_that_cannot_tell_its_precision_is_refused() -> None:
    if not shutil.which("gcc"):
        pytest.skip("gcc is not installed")
    with pytest.raises(ExportError, match="compile this as C99"):
        run_c(str(export(TREE, "c")), STATES, flags=("-std=gnu90",), compiler="gcc")


def test_no_warning_from_the_strictest(compiler: str) -> None:
    oldest = "-std=c++11" if compiler == "g++" else "-std=c99"
    flags = (oldest, *WARNINGS, "-Wshadow", "-Wconversion")
    for precision in ("double", "float"):
        source = str(export(TREE, "c", precision=precision))
        run_c(source, STATES[:10], precision, flags, compiler)


def test_words_of_c23_of_cpp_and_of_its_headers_are_no_names(compiler: str) -> None:
    names = WORDS.split()
    assert not set(identifiers(names)) & set(names)
    tree = tree_of(names)
    states = np.random.default_rng(0).uniform(size=(50, tree.n_variables))
    newest = "-std=gnu++20" if compiler == "g++" else "-std=gnu2x"
    actions, _ = run_c(str(export(tree, "c")), states, flags=(newest,), compiler=compiler)
    assert actions.tolist() == tree.actions(states).tolist()
