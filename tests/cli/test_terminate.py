"""SIGTERM ends like Ctrl-C: one sentence, nothing half-written, no worker left, exit code 143."""

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

from glasstree.cli import STOPPED

TESTS = Path(__file__).parents[1]
CODE = """
import json
from glasstree.cli import app, main
from glasstree.cli.console import showing_progress

@app.command("slowly")
def slowly():
    from glasstree.parallel import engine, ordered_map
    with showing_progress(quiet=True), engine("local", workers=2):
        print(json.dumps(ordered_map(who, range(2))), flush=True)
        ordered_map(wait, range(4))

def who(item):
    import os, time
    time.sleep(0.5)
    return os.getpid()

def wait(item):
    import time
    time.sleep(60)

main(["slowly"])
"""


def test_a_terminated_command_says_so_and_takes_its_workers_along() -> None:
    process = subprocess.Popen(
        [sys.executable, "-c", CODE],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, [str(TESTS), *sys.path]))},
    )
    assert process.stdout is not None
    workers = json.loads(process.stdout.readline())
    process.send_signal(signal.SIGTERM)
    _, err = process.communicate(timeout=60)
    assert (process.returncode, err) == (143, f"glasstree: {STOPPED}\n")
    assert process.pid not in workers
    assert not any(Path(f"/proc/{worker}/cmdline").exists() for worker in workers)
