"""The tutorials are run: their Python and their commands, in order, with smaller searches."""

import os
import re
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from shutil import which

import pytest

from commands import Command
from glasstree.closedloop import FrontOptions, ReoptimisationOptions

ROOT = Path(__file__).parents[1]
PAGES = (ROOT / "docs/start.md", *sorted((ROOT / "docs/tutorials").glob("*.md")))
FENCE = re.compile(
    r"^```(python|sh|c)( title=\"([^\"\n]+)\")?\n(.*?)^```$", re.DOTALL | re.MULTILINE
)
# hours, or of the repository rather than of the program
ELSEWHERE = ("glasstree reproduce", "python -m ", "python benchmarks/", "make ", ". ")
TRAINING = re.compile(r"learn\([\d_]+\)")
PROGRAMS = ("python ", "gcc ", "./")
ONE_THREAD = {"OMP_NUM_THREADS": "1"}
LONGEST = 120  # seconds of another program
STEPS = 200_000  # of a search that only has to end
EPISODES = 20


@pytest.fixture
def small(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Search for seconds, in a folder of one's own."""
    monkeypatch.chdir(tmp_path)
    few = replace(ReoptimisationOptions(), generations=2, trial_generations=2, episodes=10)
    monkeypatch.setattr(ReoptimisationOptions, "compiled", lambda _: few)
    front = replace(FrontOptions(), steps=STEPS, racing_episodes=20, choosing_episodes=20)
    quick = replace(front, rounding_episodes=20, lines=0, soft=0)
    monkeypatch.setattr(FrontOptions, "compiled", lambda *_: quick)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
@pytest.mark.usefixtures("small")
def test_a_tutorial_runs(page: Path, glasstree: Command) -> None:
    names: dict[str, object] = {}
    blocks = FENCE.findall(page.read_text())
    assert blocks, "a tutorial that shows nothing"
    for language, _, title, code in blocks:
        if title:
            Path(title).write_text(TRAINING.sub("learn(600)", code))
        elif language == "python":
            exec(compile(code, page.name, "exec"), names)
        else:
            for line in code.splitlines():
                run(line, glasstree)


def run(line: str, glasstree: Command) -> None:
    """Run a line of a shell block, unless it is of another program."""
    if not line or line.startswith(("#", *ELSEWHERE)):
        return
    if line.startswith(PROGRAMS):
        words = [sys.executable if word == "python" else word for word in line.split()]
        assert which(words[0]), f"{words[0]} is needed"
        subprocess.run(words, check=True, timeout=LONGEST, env={**os.environ, **ONE_THREAD})
        return
    assert line.startswith("glasstree "), line
    command = line.partition("#")[0].replace("--minutes 1 ", "--minutes 0.05 ")
    words = [a or b for a, b in re.findall(r'"([^"]*)"|(\S+)', command)][1:]
    answer = glasstree(*words)
    said = words[0] == "prove" and answer.out.startswith(("proved", "refuted", "unknown"))
    assert answer.code == 0 or said, f"{line}: {answer.err}"
