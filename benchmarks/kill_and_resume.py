"""Kill a run with SIGKILL ten times at random moments, resume it each time, compare the bytes.

    python benchmarks/kill_and_resume.py TASK [--kills N] [--seed N] [--during FILE] [--over SHARE]
                                         [--json] [words of glasstree run]

--during front.state.json: the kills begin when that file is there, in the front's search.
--over 1.8: the longest pause between kills is this share of the run's time, divided by the kills.
A kill is in time if the run had not yet written its figures.
"""

import argparse
import contextlib
import json
import os
import random
import signal
import subprocess
import sys
import tempfile
from pathlib import Path
from resource import RUSAGE_CHILDREN, getrusage

COMPARED = (
    *("test.npz", "open_loop.json", "closed_loop.json", "reengineered.json", "curve.json"),
    *("front.state.json", "front.json", "policy.json"),
)


def start(words: list[str], folder: Path) -> "subprocess.Popen[bytes]":
    """Start the command, or go on where it has begun, in a session of its own."""
    begun = (folder / "config.toml").exists()
    wanted = ["run", "--resume"] if begun else words
    return subprocess.Popen(
        [sys.executable, "-m", "glasstree", *wanted, "--out", str(folder), "--json"],
        stdout=subprocess.DEVNULL,
        start_new_session=True,
    )


def finish(words: list[str], folder: Path) -> float:
    """Run to the end and return the processor time that it took."""
    before = used()
    if start(words, folder).wait() != 0:
        raise SystemExit(f"the run in {folder} failed")
    return used() - before


def importing() -> float:
    """Return the processor time that passes before a run begins."""
    before = used()
    subprocess.run([sys.executable, "-c", "import glasstree.pipeline"], check=True)
    return used() - before


def used() -> float:
    """Return the processor time of all processes that have ended."""
    usage = getrusage(RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def spent(session: int) -> float:
    """Return the processor time of all living processes of a session."""
    ticks = 0
    for path in Path("/proc").glob("[0-9]*/stat"):
        with contextlib.suppress(OSError):
            fields = path.read_text().rpartition(")")[2].split()
            if int(fields[3]) == session:
                ticks += int(fields[11]) + int(fields[12])
    return ticks / os.sysconf("SC_CLK_TCK")


def kill(words: list[str], folder: Path, delay: float, during: str = "") -> str:
    """Kill a run after it has worked for a while and a file is there; tell what it had kept."""
    process = start(words, folder)
    while spent(process.pid) < delay or not (folder / during).exists():
        try:
            if process.wait(0.02) != 0:
                raise SystemExit(f"the run in {folder} failed when it was resumed")
            return "had finished"
        except subprocess.TimeoutExpired:
            pass
    process.send_signal(signal.SIGKILL)
    process.wait()
    kept = [path for path in folder.rglob("*.*") if path.is_file()]
    last = max(kept, key=lambda path: path.stat().st_mtime).name if kept else "none"
    done = ", with figures" if (folder / "metrics.json").exists() else ""
    return f"{len(kept)} files, last {last}{done}"


def main() -> int:
    """Run once in peace and once disturbed; fail where they differ."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("task")
    parser.add_argument("--kills", type=int, default=10)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--during", default="", help="kill when this file of the run is there")
    parser.add_argument("--over", type=float, default=1.8, help="of the run's time, for all pauses")
    parser.add_argument("--json", action="store_true")
    given, others = parser.parse_known_args()
    words = ["run", given.task, *others]
    chance = random.Random(given.seed)
    with tempfile.TemporaryDirectory() as place:
        peace, disturbed = Path(place) / "peace", Path(place) / "disturbed"
        whole = finish(words, peace)
        first = importing()
        moments = []
        for number in range(given.kills):
            delay = first + chance.uniform(0.0, given.over * (whole - first) / given.kills)
            moments.append({"seconds": delay, "kept": kill(words, disturbed, delay, given.during)})
            if not given.json:
                print(
                    f"kill {number + 1:2} after {delay:6.1f} s: {moments[-1]['kept']}", flush=True
                )
        finish(words, disturbed)
        pairs = [(peace / name, disturbed / name) for name in COMPARED]
        same = all(one.read_bytes() == two.read_bytes() for one, two in pairs if one.exists())
    in_time = sum(not moment["kept"].endswith(("finished", "figures")) for moment in moments)
    if given.json:
        print(json.dumps({"task": given.task, "kills": moments, "in_time": in_time, "same": same}))
    else:
        verdict = "byte-identical" if same else "DIFFERENT"
        print(f"{given.task}: {in_time} of {given.kills} kills in time; final policy {verdict}")
    return int(not same)


if __name__ == "__main__":
    sys.exit(main())
