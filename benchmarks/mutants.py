"""Deliberate faults against the tests nearest to them: each must make a test fail.

python benchmarks/mutants.py [WORD ...] [-j 2]

The faults stand in mutants.toml. Each is made in a copy of the sources; the tree itself is never
touched. Faults in what kernels are compiled from run interpreted: compiling takes a minute.
"""

import argparse
import os
import re
import resource
import shutil
import subprocess
import sys
import tempfile
import tomllib
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor, as_completed
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from queue import Queue
from time import perf_counter

from glasstree.digests import PACKAGE, sources

ROOT = Path(__file__).parents[1]
FAULTS = Path(__file__).with_name("mutants.toml")
OPTIONS = (
    *("-x", "-q", "--tb=no", "-rfE", "-p", "no:cacheprovider", "-o", "addopts="),
    *("--import-mode=importlib", "--hypothesis-profile=unshrunk"),
)
# compiled code overflows without a word
INTERPRETED = ("-W", "ignore::RuntimeWarning")
LONGEST = 600.0
MEMORY = 6 << 30
LONG_AGO = 1_000_000_000
FAILED = 1
GOOD = ("killed", "survives")


@dataclass(frozen=True)
class Fault:
    """A wrong text in the place of a right one, the tests that must notice, and what they guard.

    survives: why no test can notice; compiled: its tests cannot run interpreted.
    """

    guards: str
    file: str
    old: str
    new: str
    tests: tuple[str, ...] = ()
    survives: str = ""
    compiled: bool = False

    @property
    def source(self) -> str:
        """The file as it should be."""
        path = PACKAGE / self.file
        return path.read_text() if path.exists() else ""

    @property
    def is_stale(self) -> bool:
        """Whether the right text is not in its file exactly once, or a test is gone."""
        return self.source.count(self.old) != 1 or not all(map(exists, self.tests))

    @property
    def interpreted(self) -> bool:
        """Whether to spare the compiling of all kernels that are made from the file."""
        return PACKAGE / self.file in compiled_from() and not self.compiled


@dataclass(frozen=True)
class Outcome:
    """What became of a fault: a word, the test that failed, and the time."""

    fault: Fault
    word: str
    killer: str
    seconds: float

    def __str__(self) -> str:
        told = self.killer or self.fault.survives
        place = f"{self.fault.file}: {self.fault.guards}"
        return f"{self.word:<10} {self.seconds:5.1f} s  {place}\n{'':21}{told}"


class Bench:
    """A copy of the sources with a cache of compiled kernels of its own."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.source = folder, folder / "src"
        skipped = shutil.ignore_patterns("__pycache__")
        shutil.copytree(PACKAGE, self.source / "glasstree", ignore=skipped)
        self.time = LONG_AGO

    def passes(self, tests: tuple[str, ...], interpreted: bool) -> tuple[bool, str]:
        """Tell whether the tests pass, and which fails."""
        done = self._pytest(tests, interpreted, None)
        return done.returncode == 0, killer(done.stdout) or done.stdout[-2000:] + done.stderr

    def judge(self, fault: Fault) -> Outcome:
        """Run the tests of one fault."""
        begun = perf_counter()
        word, found = self._judged(fault)
        return Outcome(fault, word, found, perf_counter() - begun)

    def _judged(self, fault: Fault) -> tuple[str, str]:
        if fault.is_stale:
            return "stale", "the right text must be there once, and every test exist"
        with self._changed(fault):
            try:
                done = self._pytest(fault.tests, fault.interpreted)
            except subprocess.TimeoutExpired:
                return "hung", f"over {LONGEST:.0f} s"
        word = verdict(done.returncode, fault)
        if word == "broken":
            return word, done.stdout[-2000:] + done.stderr[-2000:]
        return word, killer(done.stdout)

    @contextmanager
    def _changed(self, fault: Fault) -> Iterator[None]:
        """Make the fault; a time of its own keeps caches from taking it for another one."""
        path = self.source / "glasstree" / fault.file
        before = path.stat()
        path.write_text(fault.source.replace(fault.old, fault.new))
        self.time += 2
        os.utime(path, (self.time, self.time))
        try:
            yield
        finally:
            path.write_text(fault.source)
            os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))

    def _pytest(
        self, tests: tuple[str, ...], interpreted: bool, longest: float | None = LONGEST
    ) -> subprocess.CompletedProcess[str]:
        changes = {
            "PYTHONPATH": str(self.source),
            "PYTHONDONTWRITEBYTECODE": "1",
            "NUMBA_CACHE_DIR": str(self.folder / "cache"),
            "HYPOTHESIS_STORAGE_DIRECTORY": str(self.folder / "hypothesis"),
            "NUMBA_DISABLE_JIT": str(int(interpreted)),
        }
        command = [sys.executable, "-m", "pytest", *OPTIONS, *tests]
        command += INTERPRETED if interpreted else ()
        return subprocess.run(
            command,
            cwd=ROOT,
            env={**os.environ, **changes},
            capture_output=True,
            text=True,
            timeout=longest,
            preexec_fn=spare_memory,
        )


def spare_memory() -> None:
    """Let a fault that asks for all memory fail at once."""
    resource.setrlimit(resource.RLIMIT_DATA, (MEMORY, MEMORY))


@cache
def compiled_from() -> set[Path]:
    """Return the files with kernels, and all that they import."""
    kernels = [path for path in PACKAGE.rglob("*.py") if "\n@kernel(" in path.read_text()]
    return sources(*kernels)


def verdict(code: int, fault: Fault) -> str:
    """Word what pytest's exit code means for a fault."""
    if code == 0:
        return "survives" if fault.survives else "survived"
    if code == FAILED:
        return "killed after all" if fault.survives else "killed"
    return "broken"


def killer(output: str) -> str:
    """Return the test that failed, as pytest names it."""
    found = re.search(r"^(?:FAILED|ERROR) (.+?)(?: - .*)?$", output, re.MULTILINE)
    return found[1] if found else ""


def exists(test: str) -> bool:
    """Tell whether a test's file has a function of its name."""
    file, _, name = test.partition("::")
    path = ROOT / file
    return path.exists() and (not name or f"def {name.partition('[')[0]}(" in path.read_text())


def read_faults(words: list[str], path: Path = FAULTS) -> list[Fault]:
    """Return the faults in whose entry one of the words occurs."""
    entries = tomllib.loads(path.read_text())["fault"]
    faults = [Fault(**{**entry, "tests": tuple(entry["tests"])}) for entry in entries]
    return [fault for fault in faults if not words or any(word in str(fault) for word in words)]


def unchanged(faults: list[Fault], benches: "Queue[Bench]", jobs: ThreadPoolExecutor) -> list[str]:
    """Return the tests that fail without any fault, run in a few large groups."""
    count, groups = benches.qsize(), list[tuple[tuple[str, ...], bool]]()
    for interpreted in (False, True):
        tests = {
            test
            for fault in faults
            if fault.interpreted == interpreted and not fault.is_stale
            for test in fault.tests
        }
        files = sorted({test.partition("::")[0] for test in tests})
        for number in range(count):
            mine = set(files[number::count])
            part = tuple(sorted(test for test in tests if test.partition("::")[0] in mine))
            groups += [(part, interpreted)] if part else []

    def passes(group: tuple[tuple[str, ...], bool]) -> tuple[bool, str]:
        with borrowed(benches) as bench:
            return bench.passes(*group)

    return [failed for passed, failed in jobs.map(passes, groups) if not passed]


@contextmanager
def borrowed(benches: "Queue[Bench]") -> Iterator[Bench]:
    """Lend a bench to a job."""
    bench = benches.get()
    try:
        yield bench
    finally:
        benches.put(bench)


def run(faults: list[Fault], workers: int) -> list[Outcome]:
    """Judge all faults and print a line for each."""

    def judge(fault: Fault) -> Outcome:
        with borrowed(benches) as bench:
            return bench.judge(fault)

    benches: Queue[Bench] = Queue()
    with tempfile.TemporaryDirectory() as folder, ThreadPoolExecutor(workers) as jobs:
        for number in range(workers):
            benches.put(Bench(Path(folder) / str(number)))
        failing = unchanged(faults, benches, jobs)
        if failing:
            sys.exit("these tests fail without any fault:\n" + "\n".join(failing))
        outcomes = []
        for done in as_completed([jobs.submit(judge, fault) for fault in faults]):
            print(done.result(), flush=True)
            outcomes.append(done.result())
    return outcomes


def main() -> None:
    """Read the words, run the faults, and leave with 1 if one is not noticed."""
    parser = argparse.ArgumentParser(description="Run deliberate faults against their tests.")
    parser.add_argument("words", nargs="*", help="only faults whose entry has one of these words")
    parser.add_argument("-j", "--jobs", type=int, default=os.cpu_count() or 1)
    given = parser.parse_args()
    begun = perf_counter()
    outcomes = run(read_faults(given.words), max(1, given.jobs))
    count = {word: sum(o.word == word for o in outcomes) for word in {o.word for o in outcomes}}
    told = ", ".join(f"{number} {word}" for word, number in sorted(count.items()))
    print(f"{len(outcomes)} faults: {told}; {perf_counter() - begun:.0f} s")
    sys.exit(any(outcome.word not in GOOD for outcome in outcomes))


if __name__ == "__main__":
    main()
