"""The page's script follows rules as the compiled tree does, raw ones too."""

import json
import shutil
import subprocess

import numpy as np
import pytest

from formats.export_policies import both
from glasstree.explain.states import check_states
from glasstree.policy.scaling import HIGHEST, LOWEST
from glasstree.report.data import nodes
from glasstree.report.templating import asset


def test_the_script_follows_raw_and_scaled_rules() -> None:
    if not shutil.which("node"):
        pytest.skip("Node.js is not installed")
    tree = both()
    states = np.concatenate(list(check_states(tree, 200).values()))
    ranges = zip(tree.scaling.minimum, tree.scaling.maximum, strict=True)
    data = {
        "clip": [LOWEST, HIGHEST],
        "states": [{"minimum": a, "maximum": b, "span": b - a} for a, b in ranges],
    }
    shown = {
        "nodes": nodes(tree),
        "minimum": tree.scaling.minimum.tolist(),
        "span": tree.scaling.span.tolist(),
    }
    script = (
        f"const data = {json.dumps(data)}, current = {json.dumps(shown)};\n{asset('model.js')}\n"
        f"const found = {json.dumps(states.tolist())}.map((state) => walk(current.nodes, state));\n"
        "const reached = current.nodes.filter((node) => node.left !== undefined).map(reach);\n"
        "console.log(JSON.stringify([found, reached]));"
    )
    done = subprocess.run(["node", "-"], input=script, capture_output=True, text=True, check=True)
    found, reached = json.loads(done.stdout)
    for state, way in zip(states, found, strict=True):
        steps, _ = tree.path(state)
        assert [step["left"] for step in way["steps"]] == [step.goes_left for step in steps]
    # speed 0 .. 10 and left leg -2.5 .. 2.5: speed - 2.5 [left leg] - 6 lies in -12.25 .. 10.25
    assert reached[1] == pytest.approx(12.25)
