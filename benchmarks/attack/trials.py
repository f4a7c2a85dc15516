"""One attack in a process of its own, with bounds on its time and its memory."""

import json
import os
import resource
import signal
import sys
import tempfile
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from threading import Timer
from time import monotonic

LONGEST_SECONDS = 30
LARGEST_BYTES = 2 * 1024**3


@dataclass
class Tally:
    """What became of the attacks of one kind."""

    tried: int = 0
    refused: int = 0
    worked: int = 0
    unexpected: list[str] = field(default_factory=list)
    seconds: float = 0.0
    megabytes: float = 0.0

    def add(self, label: str, outcome: str, seconds: float, megabytes: float) -> None:
        """Count one attack."""
        self.tried += 1
        self.seconds = max(self.seconds, seconds)
        self.megabytes = max(self.megabytes, megabytes)
        if outcome == "refused":
            self.refused += 1
        elif outcome == "worked":
            self.worked += 1
        else:
            self.unexpected.append(f"{label}: {outcome}")


def attempt(call: Callable[[], None]) -> tuple[str, float, float]:
    """Make a call in a fork; return what became of it, its seconds and its megabytes."""
    started = monotonic()
    with tempfile.TemporaryFile("w+") as said:
        child = os.fork()
        if child == 0:
            _bounded(call, said.fileno())
        # from outside: the library sets alarms of its own
        end = Timer(LONGEST_SECONDS, os.kill, (child, signal.SIGKILL))
        end.start()
        _, status, usage = os.wait4(child, 0)
        end.cancel()
        said.seek(0)
        lines = said.read().strip().splitlines()
    seconds = monotonic() - started
    memory = usage.ru_maxrss / 1024
    if os.WIFSIGNALED(status):
        number = os.WTERMSIG(status)
        hung = number == signal.SIGKILL and seconds >= LONGEST_SECONDS
        return f"hung over {LONGEST_SECONDS} s" if hung else f"signal {number}", seconds, memory
    try:
        return json.loads(lines[-1])["outcome"], seconds, memory
    except (IndexError, ValueError, KeyError, TypeError):
        return f"left with {os.waitstatus_to_exitcode(status)}", seconds, memory


def _bounded(call: Callable[[], None], said: int) -> None:
    size = int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()
    resource.setrlimit(resource.RLIMIT_AS, (size + LARGEST_BYTES, size + LARGEST_BYTES))
    silence = os.open(os.devnull, os.O_RDWR)
    for stream in (0, 1, 2):
        os.dup2(silence, stream)
    outcome = outcome_of(call)
    os.write(said, ("\n" + json.dumps({"outcome": outcome})).encode())
    os._exit(0)


def outcome_of(call: Callable[[], None]) -> str:
    """Make a call and word what became of it."""
    from glasstree.errors import GlasstreeError

    try:
        call()
    except GlasstreeError:
        return "refused"
    except BaseException as error:
        return f"{type(error).__name__}: {error}"[:300]
    return "worked"


def command(*words: object) -> None:
    """Run the command line; leave quietly with 0, refuse with 2, else raise its sentence."""
    import io

    from glasstree.cli import main
    from glasstree.errors import GlasstreeError

    sys.stderr = heard = io.StringIO()
    try:
        main([str(word) for word in words])
    except SystemExit as leaving:
        sentence = (heard.getvalue().strip().splitlines() or [""])[-1]
        if leaving.code == 2 and "unexpected" not in sentence and "Traceback" not in sentence:
            raise GlasstreeError(sentence) from None
        if leaving.code:
            raise AssertionError(f"exit {leaving.code}: {sentence}") from None


def must_work(call: Callable[[], None]) -> None:
    """Make a call that may not be refused, so that refusals of others mean something."""
    from glasstree.errors import GlasstreeError

    try:
        call()
    except GlasstreeError as error:
        raise AssertionError(f"refused: {error}") from None
