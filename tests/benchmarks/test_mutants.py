"""The list of deliberate faults fits the sources, and the script tells what becomes of them."""

from collections import Counter
from pathlib import Path

import mutants
import pytest
from mutants import GOOD, Bench, Fault, killer, read_faults, verdict

FAULTS = read_faults([])
BOUNDARY = Fault(
    guards="a modulus measures the distance from a band",
    file="policy/rule.py",
    old="np.abs(total) - self.width",
    new="np.abs(total) + self.width",
    tests=("tests/policy/test_rule.py::test_a_modulus_measures_the_distance_from_a_band",),
)


@pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: f"{fault.file}: {fault.guards}")
def test_an_entry_fits_the_sources(fault: Fault) -> None:
    assert fault.source.count(fault.old) == 1
    assert [test for test in fault.tests if not mutants.exists(test)] == []
    assert fault.tests or fault.survives
    if fault.file.endswith(".py"):
        compile(fault.source.replace(fault.old, fault.new), fault.file, "exec")


def test_every_package_has_faults_and_none_is_there_twice() -> None:
    packages = {fault.file.partition("/")[0].removesuffix(".py") for fault in FAULTS}
    wanted = {"policy", "tasks", "data", "oracles", "episodes", "openloop", "closedloop", "formats"}
    assert packages >= wanted | {
        "report",
        "runs",
        "studies",
        "cli",
        "parallel",
        "pipeline",
        "options",
    }
    assert set(Counter((fault.file, fault.old, fault.new) for fault in FAULTS).values()) == {1}


def test_a_fault_is_made_in_a_copy_and_undone(tmp_path: Path) -> None:
    bench = Bench(tmp_path)
    copy = tmp_path / "src" / "glasstree" / BOUNDARY.file
    outcome = bench.judge(BOUNDARY)
    assert (outcome.word, outcome.killer) == ("killed", BOUNDARY.tests[0])
    assert copy.read_text() == BOUNDARY.source
    blind = Fault(**{**vars(BOUNDARY), "old": "a band", "new": "a band"})
    assert bench.judge(blind).word == "stale"


@pytest.mark.parametrize(
    "code, survives, word",
    [
        (0, "", "survived"),
        (1, "", "killed"),
        (2, "", "broken"),
        (4, "", "broken"),
        (0, "a reason", "survives"),
        (1, "a reason", "killed after all"),
    ],
)
def test_a_fault_must_be_killed_unless_a_reason_is_given(
    code: int, survives: str, word: str
) -> None:
    assert verdict(code, Fault(**{**vars(BOUNDARY), "survives": survives})) == word
    assert (word in GOOD) == (word in ("killed", "survives"))


def test_what_pytest_says_is_understood() -> None:
    told = "short test summary\nFAILED tests/a.py::test_b[1 2] - assert 1 == 2\n1 failed\n"
    assert killer(told) == "tests/a.py::test_b[1 2]"
    assert killer("ERROR tests/a.py::test_b\n") == "tests/a.py::test_b"
    assert killer("1 passed") == ""
