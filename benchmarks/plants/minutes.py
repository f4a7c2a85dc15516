"""`--minutes` on the clock: an own plant of 100 microseconds a step, then killed and resumed.

    python benchmarks/plants/minutes.py --minutes 5 --runs RUNS [--workers 1]

Runs the plant, then the same plan again from the run's config.toml, killed on the way and resumed,
and compares what both leave behind, byte by byte.
"""

import argparse
import json
import signal
import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).parents[2]
GLASSTREE = [sys.executable, "-m", "glasstree"]
PLANT = ["--import", "benchmarks.plants.slow_tank", "--trust"]
KILLED_AFTER = 0.4  # of the seconds that the first run took
SAME = ("policy.json", "front.json", "open_loop.json", "closed_loop.json", "reengineered.json")


def run(*words: str) -> float:
    """Run a command to its end; return the seconds."""
    started = time.perf_counter()
    subprocess.run([*GLASSTREE, "run", *words], check=True, cwd=ROOT)
    return time.perf_counter() - started


def run_and_kill(seconds: float, *words: str) -> None:
    """Run a command, and kill it after a while."""
    process = subprocess.Popen([*GLASSTREE, "run", *words], cwd=ROOT)
    try:
        process.wait(seconds)
    except subprocess.TimeoutExpired:
        process.send_signal(signal.SIGKILL)
        process.wait()
        print(f"killed after {seconds:.0f} s", flush=True)


def main() -> None:
    """Time, kill, resume, compare."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--minutes", type=float, default=5.0)
    parser.add_argument("--runs", type=Path, default=ROOT / "runs")
    parser.add_argument("--workers", type=int, default=0, help="cores; 0 for all")
    options = parser.parse_args()
    cores = ["--workers", str(options.workers)]
    whole, parted = options.runs / "minutes_whole", options.runs / "minutes_parted"
    oracle = ["--oracle", "benchmarks.plants.slow_tank:hold"]
    plan = ["--minutes", str(options.minutes), "--out", str(whole), "--overwrite"]
    seconds = run("mine/SlowTank-v0", *oracle, *PLANT, *plan, *cores)
    again = ["--config", str(whole / "config.toml"), "--out", str(parted), "--overwrite"]
    run_and_kill(KILLED_AFTER * seconds, *again, *PLANT, *cores)
    run("--resume", "--out", str(parted), "--trust", *cores)
    metrics = json.loads((whole / "metrics.json").read_text())
    stages = metrics["stages"]
    same = {name: (whole / name).read_bytes() == (parted / name).read_bytes() for name in SAME}
    print(
        json.dumps(
            {
                "minutes asked for": options.minutes,
                "minutes taken": seconds / 60,
                "oracle": stages["oracle"]["mean_reward"],
                "rules": metrics["mean_reward"],
                "same bytes": same,
            }
        )
    )


if __name__ == "__main__":
    main()
