"""Figures are painted without touching what the user set up in matplotlib."""

import subprocess
import sys

import matplotlib

from glasstree.report.figures import Drawing, saved


def test_the_users_backend_stays() -> None:
    code = r"""
import matplotlib
matplotlib.use("pdf")
from glasstree.report.figures import Drawing, saved
drawing = Drawing("a", "A", "a", lambda figure: figure.add_subplot().plot([1, 2]))
assert saved(drawing, "png").startswith(b"\x89PNG")
assert b"<svg" in saved(drawing, "svg")
assert matplotlib.get_backend() == "pdf"
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def test_the_users_style_stays() -> None:
    before = dict(matplotlib.rcParams)
    saved(Drawing("a", "A", "a", lambda figure: figure.add_subplot()), "svg")
    assert dict(matplotlib.rcParams) == before
