"""Measure what a newcomer waits for: python benchmarks/first_minutes.py.

Clones this repository into a temporary folder, installs it there as `make demo` does, and runs
CartPole twice: with kernels to compile, and with them on disk.
"""

import os
import subprocess
import tempfile
from pathlib import Path
from time import perf_counter

ROOT = Path(__file__).parents[1]


def main() -> None:
    """Measure each step and print it."""
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary) / "glasstree"
        run = [str(folder / ".venv/bin/glasstree"), "run", "cartpole", "--overwrite"]
        steps = {
            "git clone": ["git", "clone", "--quiet", str(ROOT), str(folder)],
            "installation": ["make", "--quiet", ".venv/.installed"],
            "first run": run,
            "second run": run,
        }
        own = {key: value for key, value in os.environ.items() if key != "NUMBA_CACHE_DIR"}
        print(f"{os.cpu_count()} cores, {os.getloadavg()[0]:.1f} of them busy before")
        for name, words in steps.items():
            place = folder if folder.exists() else Path(temporary)
            begin = perf_counter()
            subprocess.run(words, cwd=place, env=own, check=True, capture_output=True)
            print(f"{name}: {perf_counter() - begin:.1f} s", flush=True)


if __name__ == "__main__":
    main()
