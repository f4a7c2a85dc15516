"""What an installed wheel must do: tell its version, play, explain, export, write a page."""

import json
import subprocess
import sys
import tempfile
from pathlib import Path

import glasstree

POLICY = Path(__file__).parents[1] / "examples/policies/paper_cartpole.json"


def glasstree_says(*words: str, folder: str) -> str:
    """Run the installed program as a user would, in a folder of its own."""
    program = Path(sys.executable).with_name("glasstree")
    done = subprocess.run([program, *words], cwd=folder, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done.stdout


def main() -> None:
    """Try the installed package."""
    assert "site-packages" in str(glasstree.__file__), glasstree.__file__
    with tempfile.TemporaryDirectory() as folder:
        assert glasstree_says("--version", folder=folder).split()[-1] == glasstree.__version__
        words = ("evaluate", str(POLICY), "--episodes", "20", "--json")
        figures = json.loads(glasstree_says(*words, folder=folder))
        assert figures["mean_reward"] > 100.0, figures
        assert "double" in glasstree_says("export", str(POLICY), "--to", "c", folder=folder)
        assert "left" in glasstree_says("explain", str(POLICY), folder=folder)
        weights = Path(str(glasstree.__file__)).parent / "oracles/weights"
        assert any(weights.iterdir()), "the shipped oracles are not in the wheel"
    print(f"glasstree {glasstree.__version__} works where it is installed")


if __name__ == "__main__":
    main()
